"""Tests the bench in cocotb among the files of `sluice generate`, and its options."""

import hashlib
import json
import re
from types import SimpleNamespace

import pyarrow as pa
import pytest

from gen.cocotb_bench.bench import line_numbers, may_be_null
from gen.cocotb_bench.bench_files import _rate
from gen.cocotb_bench.made_tuples import made_tuples
from query.parser import parse
from rtl.engine import ENGINES

QUERY = "CREATE INPUT STREAM S (k uint(8), x int(8)); SELECT k, sum(x) FROM S GROUP BY k;\n"
DATA = tuple(f"sim/sluice_q_{name}" for name in ("tuples.csv", "rows.csv", "run.json"))
BENCH = ("sim/test_sluice_q.py", *DATA)
pytestmark = pytest.mark.spark


@pytest.fixture
def query(tmp_path):
    path = tmp_path / "q.cql"
    path.write_text(QUERY)
    return path


def contents(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_the_same_bytes_each_time_and_all_in_the_manifest(sluice, query, tmp_path):
    for name in ("a", "b"):
        assert sluice("generate", query, "--lanes", 2, "--bench", "-o", tmp_path / name)[0] == 0
    files = contents(tmp_path / "a")
    assert files == contents(tmp_path / "b")
    listed = json.loads(files["manifest.json"])["files"]
    for path in BENCH:
        assert listed[path] == hashlib.sha256(files[path]).hexdigest()
    assert b"python sim/test_sluice_q.py icarus" in files["README.md"]


def test_no_bench(sluice, query, tmp_path):
    out = tmp_path / "made"
    assert sluice("generate", query, "--lanes", 2, "--no-bench", "-o", out)[0] == 0
    files = contents(out)
    assert not files.keys() & {*BENCH}
    assert b"cocotb" not in files["README.md"]


def test_tuples_of_a_file(sluice, query, tmp_path):
    """Two keys, with the sums 5 - 3 = 2 and 9, all numbers as bits of their fields."""
    data, out = tmp_path / "d.csv", tmp_path / "made"
    data.write_text("k,x\n7,5\n9,9\n7,-3\n")
    assert sluice("generate", query, "--lanes", 2, "--tuples", data, "-o", out)[0] == 0
    files = contents(out)
    assert files["sim/sluice_q_tuples.csv"].decode() == "k,x\n0x7,0x5\n0x7,0xfd\n0x9,0x9\n"
    assert files["sim/sluice_q_rows.csv"].decode() == "packet,k,sum(x)\n0,0x7,0x2\n0,0x9,0x9\n"
    run = json.loads(files["sim/sluice_q_run.json"])
    assert (run["packets"], run["counters"]["tuples"], run["counters"]["rows"]) == (1, 3, 2)
    assert sluice("generate", query, "--lanes", 2, "--tuple-count", 5, "-o", out)[0] == 0
    assert contents(out)["sim/sluice_q_tuples.csv"].count(b"\n") == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--no-bench", "--tuples", "d.csv"), "--tuple-count and --master are for the bench"),
        (("--no-bench", "--format", "csv"), "--tuple-count and --master are for the bench"),
        (("--tuples", "d.csv", "--tuple-count", "3"), "not with --tuples"),
        (("--format", "csv"), "--format is the layout of --tuples"),
        (("--tuples", "d.csv", "--format", "cvs"), "did you mean csv?"),
        (("--tuples", "missing.csv"), "missing.csv"),
    ],
)
def test_options_that_refuse_each_other(options, words, sluice, query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text("k,x\n1,2\n")
    code, out, err = sluice("generate", query, "-o", "made", "--bench", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "there are no tuples"),
        (16, "there are 16 tuples, and the design takes at most 15 in a stream"),
    ],
)
def test_tuples_that_the_design_cannot_run(count, words, sluice, query, tmp_path):
    (tmp_path / "d.csv").write_text("k,x\n" + count * "1,1\n")
    options = ("--set", "count_width=4", "-o", tmp_path / "made")
    code, _, err = sluice("generate", query, *options, "--tuples", tmp_path / "d.csv")
    assert code == 2
    assert f"there is no bench in cocotb: {words}" in err
    assert not (tmp_path / "made").exists()


def test_keys_that_a_table_would_evict(sluice, tmp_path):
    """Nine keys in a table of eight entries: the rows of the bench would not be PySpark's."""
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    window = "FROM S [PARTITION BY k ROWS 2 SLIDE 1]"
    query.write_text(QUERY.replace("FROM S GROUP BY k", window))
    data.write_text("k,x\n" + "".join(f"{k},1\n" for k in range(9)))
    options = ("--engine", "streamzip", "--set", "entries=8", "-o", tmp_path / "made")
    code, _, err = sluice("generate", query, *options, "--tuples", data)
    assert code == 2
    assert "there is no bench in cocotb: the table of 8 entries evicts one of the 9 keys" in err


@pytest.mark.in_turn
def test_tuples_for_which_a_ring_has_no_room(sluice, tmp_path):
    """A ring of 16 blocks has room for 15 values, and all 20 tuples are in an open window."""
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (k uint(8), x int(8), t uint(8));"
        "SELECT k, sum(x) FROM S [PARTITION BY k RANGE 100 SLIDE 50 WATTR t];"
    )
    data.write_text("k,x,t\n" + "".join(f"1,{k},{k}\n" for k in range(20)) + "1,1,150\n")
    options = ("--set", "codec=base-delta", "--set", "window_max=16", "-o", tmp_path / "made")
    code, _, err = sluice("generate", query, *options, "--tuples", data)
    assert code == 2
    assert "there is no bench in cocotb: the design has no room for 5 of the 21 tuples" in err
    options = ("--set", "codec=base-delta", "--set", "window_max=32", "-o", tmp_path / "made")
    assert sluice("generate", query, *options, "--tuples", data)[0] == 0


@pytest.mark.in_turn
def test_rings_that_may_overflow(sluice, tmp_path):
    """The rows of the bench have all values, and a row of a ring that overflows has not."""
    query = tmp_path / "q.cql"
    query.write_text(QUERY.replace("FROM S GROUP BY k", "FROM S [PARTITION BY k ROWS 64 SLIDE 8]"))
    options = ("--set", "codec=base-delta", "--set", "expected_ratio=4")
    code, _, err = sluice("generate", query, *options, "--bench", "-o", tmp_path / "made")
    assert code == 0
    assert "there is no bench in cocotb: windows may overflow with expected_ratio=4" in err
    assert not list((tmp_path / "made" / "sim").glob("test_*"))
    count = ("--tuple-count", 50)
    assert sluice("generate", query, *options, *count, "-o", tmp_path / "other")[0] == 2


def test_too_many_made_tuples(sluice, query, tmp_path):
    options = ("--set", "count_width=4", "--tuple-count", 100)
    code, _, err = sluice("generate", query, *options, "-o", tmp_path / "made")
    assert code == 2
    assert "there are 100 tuples, and the design takes at most 15 in a stream" in err


@pytest.mark.in_turn(5)
def test_a_bench_without_a_row_is_warned_of(sluice, tmp_path):
    """A window of 100 of the 60 tuples never closes."""
    query = tmp_path / "rows.cql"
    query.write_text("CREATE INPUT STREAM S (x int(8)); SELECT max(x) FROM S [ROWS 100 SLIDE 9];")
    code, _, err = sluice("generate", query, "--tuple-count", 60, "-o", tmp_path / "made")
    assert code == 0
    assert "the bench in cocotb expects no row of its 60 tuples: give it more with" in err
    code, _, err = sluice("generate", query, "--tuple-count", 100, "-o", tmp_path / "made")
    assert code == 0
    assert "expects no row" not in err


def test_a_bench_waits_as_long_as_its_tuples_take():
    """Two tuples close a window of 16,384 panes, which the engine reads in 16,384 cycles."""
    query = parse(
        "CREATE INPUT STREAM S (t uint(32), v int(32));"
        "SELECT max(v) FROM S [RANGE 16384000 SLIDE 101000 WATTR t];"
    )
    design = ENGINES["pane"](query=query, window_level="sequential")
    tuples = made_tuples(design)
    start = tuples.table["t"].to_pylist()[0] // 101000 * 101000
    answer = SimpleNamespace(start=start, rows=pa.table({"window": [0] * 12}))
    assert design.prediction.tuples_per_cycle > 0.9
    assert _rate(design, tuples, answer) < 2 / 16384


FIELDS = [
    {"name": "valid", "role": "valid"},
    {"name": "valid(a)", "role": "valid", "of": "a"},
    {"name": "a", "role": "value"},
    {"name": "b", "role": "value"},
]


@pytest.mark.parametrize(
    ("numbers", "is_possible"),
    [
        ([1, 1, 5, 6], True),
        ([1, 0, None, 6], True),
        ([1, 1, None, 6], False),
        ([1, 0, None, None], False),
        ([0, 0, None, None], True),
        ([None, 0, None, None], True),
        ([None, 1, 5, 6], False),
        ([1, None, 5, 6], False),
    ],
)
def test_only_a_value_without_its_valid_bit_is_null(numbers, is_possible):
    """Else an empty field of an expected row would pass with any number of the hardware."""
    assert may_be_null(FIELDS, numbers) is is_possible


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["1", "zz"], "rows.csv:3: k must be a number, not 'zz'"),
        ([], "rows.csv:3: there must be 2 fields, not 0"),
    ],
)
def test_a_wrong_line_of_a_file_is_named(line, message):
    assert line_numbers("rows.csv:3", ["packet", "k"], ["0x1f", ""]) == [31, None]
    with pytest.raises(AssertionError, match=re.escape(message)):
        line_numbers("rows.csv:3", ["packet", "k"], line)
    with pytest.raises(AssertionError, match="k must be a number, not ''"):
        line_numbers("tuples.csv:2", ["t", "k"], ["1", ""], empty_is_null=False)
