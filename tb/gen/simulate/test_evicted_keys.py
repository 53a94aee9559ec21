"""Tests evicted keys: reported, checked for plausibility, and passed to golden."""

import json
import random
import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from gen.commands import golden as golden_command
from gen.commands import simulate as simulate_command
from gen.design import build
from gen.simulate import evicted_keys as evicted
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from query.parser import parse
from rtl.contract.buses import StreamBus
from rtl.contract.packing import Packing
from sim.beats import Beats, pack_fields
from tb.gen import one_key

TEXT = """CREATE INPUT STREAM S (k string(2), v int(20));
SELECT k, sum(v) FROM S [PARTITION BY k ROWS 2 SLIDE 2];
"""
QUERY = parse(TEXT)


def model(tuples):
    """Returns the rows (window, key, sum) and the evictions (key, arrival) of a table for one
    key.
    """
    saved, seen, rows, removed = None, [], [], []
    for n, (key, value) in enumerate(tuples):
        if key != saved:
            removed += [] if saved is None else [(saved, n)]
            saved, seen = key, []
        seen.append(value)
        if len(seen) % 2 == 0:
            rows.append((len(seen) // 2 - 1, key, sum(seen[-2:])))
    return rows, removed


def stream_of(count):
    rng, tuples = random.Random(count), []
    while len(tuples) < count:
        key, repeated = rng.choice(("a", "b", "cd")), rng.randrange(1, 8)
        tuples += [(key, rng.randrange(-500_000, 500_000)) for _ in range(repeated)]
    return tuples[:count]


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """Returns the arguments of simulate and of golden for 120 tuples, and the model's result."""
    monkeypatch.setitem(build.ENGINES, "one-key", one_key.ENGINE)
    tuples, (query, input_) = stream_of(120), (tmp_path / "q.cql", tmp_path / "d.csv")
    query.write_text(TEXT)
    input_.write_text("k,v\n" + "".join(f"{key},{value}\n" for key, value in tuples))
    fed = (query, "--input", input_)
    return ("simulate", *fed, "--engine", "one-key"), ("golden", *fed), model(tuples)


ALLOW = "--allow-evictions"


def rows_of_query(tuples):
    """Returns the rows (window, key, sum) of a table with room for every key."""
    saved, rows = {}, []
    for key, value in tuples:
        seen = saved.setdefault(key, [])
        seen.append(value)
        if len(seen) % 2 == 0:
            rows.append((len(seen) // 2 - 1, key, sum(seen[-2:])))
    return rows


def lines(path):
    return [tuple(line.split(",")) for line in path.read_text().splitlines()[1:]]


def texts(rows):
    return [tuple(map(str, row)) for row in rows]


@pytest.mark.regress
@pytest.mark.hdl
@pytest.mark.spark
def test_what_was_thrown_out_is_taken_by_golden(commands, sluice, tmp_path):
    """All sides stall. Golden computes the same rows from the file of evicted keys."""
    simulate, golden, (rows, evicted_keys) = commands
    evicted_file, rows_file, golden_file = (
        tmp_path / name for name in ("gone.csv", "rows.csv", "golden.csv")
    )
    stalls = ("--stall-input", 0.4, "--stall-output", 0.6, "--seed", 5)
    files = ("--rows", rows_file, "--evicted", evicted_file)
    code, out, _ = sluice(*simulate, *stalls, *files, ALLOW, "--memory", "ddr3", "--json")
    output = json.loads(out)
    assert (code, output["problems"], output["mismatches"]) == (0, [], 0)
    assert (output["rows"], output["dropped"]["collision"]) == (len(rows), len(evicted_keys))
    assert output["evicted_file"] == str(evicted_file)
    lines_told = {"m3_lines_read": 120, "m3_lines_written": 0, "m3_read_modify_writes": None}
    values_told = dict.fromkeys(("window_values", "m3_window_values", "on_chip_share"))
    assert output["memory"] == {"back_end": "ddr3"} | lines_told | values_told
    assert (lines(evicted_file), lines(rows_file)) == (texts(evicted_keys), texts(rows))
    assert len(evicted_keys) > 20
    assert any(window > 1 for window, *_ in rows)
    code, out, _ = sluice(*golden, "--evicted", evicted_file, "-o", golden_file, "--json")
    assert (code, json.loads(out)["evictions"]) == (0, len(evicted_keys))
    assert golden_file.read_text() == rows_file.read_text()
    assert sluice(*golden, "-o", golden_file)[0] == 0
    assert golden_file.read_text() != rows_file.read_text()


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.spark
def test_evictions_without_the_option_are_a_failure(commands, sluice, tmp_path):
    """One line and exit code 1; rows and evictions are written, and JSON has the number of lost
    rows.
    """
    simulate, _, (rows, evicted_keys) = commands
    query, files = rows_of_query(stream_of(120)), ("--rows", tmp_path / "rows.csv")
    lost = len(query) - (Counter(query) & Counter(rows)).total()
    assert 0 < lost < len(query)
    code, out, err = sluice(*simulate, *files, "--evicted", tmp_path / "gone.csv", "--json")
    output = json.loads(out)
    counted = ("rows", "rows_expected", "rows_of_query", "rows_lost", "evicted_keys")
    assert code == 1
    assert [output[name] for name in counted] == [
        len(rows),
        len(query),
        len(query),
        lost,
        len(evicted_keys),
    ]
    assert output["dropped"]["collision"] == len(evicted_keys)
    problem = (
        f"{len(evicted_keys)} times a key was evicted from the table: of the query's {len(query)} "
        f"rows {lost} are lost or differ; engine one-key has no table for all 3 keys; "
        "--allow-evictions compares with PySpark's answer for the evicted keys instead"
    )
    assert output["problems"] == [problem]
    assert err.splitlines()[-1] == f"sluice: check failed: {problem}"
    assert lines(tmp_path / "rows.csv") == texts(rows)
    assert lines(tmp_path / "gone.csv") == texts(evicted_keys)
    code, out, _ = sluice(*simulate, ALLOW, "--json")
    output = json.loads(out)
    assert (code, output["problems"], output["mismatches"]) == (0, [], 0)
    assert [output[name] for name in counted] == [
        len(rows),
        len(rows),
        len(query),
        lost,
        len(evicted_keys),
    ]


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.spark
@pytest.mark.parametrize(
    ("face", "allow"),
    [
        (("--set", "packets=beats:3"), True),
        pytest.param(("--set", "packets=beats:3"), False, marks=pytest.mark.regress),
        pytest.param(
            ("--set", "packets=beats:2", "--set", "bus_bits=32"), True, marks=pytest.mark.regress
        ),
        pytest.param(("--network",), True, marks=pytest.mark.regress),
        pytest.param(("--network",), False, marks=pytest.mark.regress),
    ],
)
def test_packets_are_those_of_the_rows_that_come(commands, sluice, face, allow):
    """The query has more rows than the hardware, and the packets are of the hardware's rows."""
    simulate, _, (rows, evicted_keys) = commands
    assert len(rows) < len(rows_of_query(stream_of(120)))
    stalls = ("--stall-output", 0.5, "--seed", 3)
    code, out, _ = sluice(*simulate, *face, *stalls, *([ALLOW] if allow else []), "--json")
    output = json.loads(out)
    assert (code, len(output["problems"])) == ((0, 0) if allow else (1, 1)), output["problems"]
    assert (output["rows"], output["evicted_keys"]) == (len(rows), len(evicted_keys))


@pytest.mark.in_turn(5)
@pytest.mark.hdl
@pytest.mark.spark
@pytest.mark.parametrize("rows", [0, 5, 6])
def test_rows_that_fill_the_last_packet(commands, sluice, tmp_path, rows):
    """The engine ends a stream behind its last row: 6 rows are 2 full packets and an empty one."""
    simulate, _, _ = commands
    (tmp_path / "d.csv").write_text("k,v\n" + "".join(f"a,{n}\n" for n in range(2 * rows)))
    code, out, _ = sluice(*simulate, "--set", "packets=beats:3", "--json")
    output = json.loads(out)
    assert (code, output["problems"], output["rows"]) == (0, [], rows)
    assert (output["evicted_keys"], output["rows_of_query"], output["rows_lost"]) == (0, rows, 0)


@pytest.mark.regress
@pytest.mark.hdl
@pytest.mark.spark
def test_the_table_shows_the_memory_and_the_rate_is_that_of_the_input(commands, sluice):
    simulate, _, (rows, evicted_keys) = commands
    code, out, _ = sluice(*simulate, ALLOW)
    assert code == 0
    pairs = (re.split(r" {2,}", line.strip(), maxsplit=1) for line in out.splitlines())
    printed = {pair[0]: pair[-1] for pair in pairs}
    memory = [line for line in out.splitlines() if line.startswith("memory (ideal)")]
    assert [" ".join(line.split()) for line in memory] == [
        "memory (ideal) 120 lines read, 0 lines written"
    ]
    query = rows_of_query(stream_of(120))
    lost = len(query) - (Counter(query) & Counter(rows)).total()
    assert "collision" not in out
    assert printed["bounded by"].startswith("the engine; the bus of ")
    assert printed["evicted keys"] == (
        f"{len(evicted_keys)} (of the query's {len(query)} rows {lost} are lost or differ)"
    )
    (rate,) = (value for name, value in printed.items() if name.startswith("in the long run"))
    # Without stalls a tuple is taken every 43 cycles (40 of them the memory's, TAKE, ASK and so
    # on), one more each time that a row or a key goes; 119 pass from the first to the last.
    assert 1 / 50 < float(rate.split()[0]) < 1 / 43


@pytest.mark.in_turn(5)
@pytest.mark.hdl
@pytest.mark.spark
def test_one_that_was_not_told_is_noticed(commands, sluice, monkeypatch):
    simulate, _, (_, evicted_keys) = commands
    true = evicted.evictions

    def short(*given):
        output = true(*given)
        return Evictions(output.column, output.table[:-1])

    monkeypatch.setattr(evicted, "evictions", short)
    code, out, err = sluice(*simulate, ALLOW, "--json")
    output = json.loads(out)
    assert code == 1
    assert (
        f"counter collision must be {len(evicted_keys) - 1}, not {len(evicted_keys)}"
        in output["problems"]
    )
    assert "check failed" in err


BUS = StreamBus(
    name="m_axis_evicted", port="evicted", layout=None,
    packing=Packing([("key", 16), ("arrival", 48)]), lanes=1,
)  # fmt: skip
DESIGN = SimpleNamespace(query=QUERY, streams=(BUS,))
A, B = ord("a") << 8, ord("b") << 8


def beats(*packets):
    columns = [[[key for key, _ in p], [n for _, n in p]] for p in packets]
    return Beats.from_streams([pack_fields(c, BUS.packing.fields) for c in columns], 1)


def test_told_of_each_stream():
    """Twice the same tuples are twice the same keys; none are none."""
    once = [(A, 3), (B, (1 << 48) - 1)]
    for packets in ((once,), (once, once)):
        evictions = evicted.evictions(DESIGN, beats(*packets), len(packets))
        assert evictions.table.to_pydict() == {"key": ["a", "b"], "arrival": [3, (1 << 48) - 1]}
    assert len(evicted.evictions(DESIGN, beats([]), 1)) == 0


@pytest.mark.parametrize(
    ("packets", "message"),
    [
        (([],), "m_axis_evicted must have 2 packets, not 1"),
        (([], [], []), "m_axis_evicted must have 2 packets, not 3"),
        (([(A, 3)], [(A, 4)]), "must report the same keys for all streams"),
        (([(A, 3)], []), "must report the same keys for all streams"),
        (([(A, 3), (B, 3)],) * 2, "m_axis_evicted: arrival must be greater .* not 3 after 3"),
    ],
)
def test_what_is_not_told_right(packets, message):
    with pytest.raises(ValueError, match=message):
        evicted.evictions(DESIGN, beats(*packets), 2)


def impossible(keys, gone, where=""):
    query = parse(TEXT.replace("2];", f"2] {where};"))
    v = pa.array(np.arange(len(keys)), pa.int64())
    tuples = Tuples(query.schema, pa.table({"k": pa.array(list(keys)), "v": v}))
    pairs = [list(column) for column in zip(*gone, strict=True)] or [[], []]
    return evicted.impossible(query, tuples, Evictions.from_values(query, *pairs))


@pytest.mark.parametrize(
    ("keys", "gone", "problem"),
    [
        ("aabab", [], None),
        ("aabab", [("a", 2), ("b", 3), ("a", 4)], None),
        ("aabac", [("a", 2), ("b", 4)], None),
        ("aabac", [("b", 3), ("b", 4)], "4 evicted key b, which had not arrived since"),
        ("aabab", [("b", 1)], "1 evicted key b, which had not arrived since"),
        ("aabab", [("c", 1)], "1 evicted key c, which had not arrived since"),
        ("aabab", [("a", 1)], "1 evicted key a, which is its own"),
        ("aabab", [("a", 5)], "5 evicted key a, and only 5 tuples arrive"),
    ],
)
def test_what_cannot_have_been_thrown_out(keys, gone, problem):
    result = impossible(keys, gone)
    assert len(result) == (problem is not None)
    assert all(f"m_axis_evicted: arrival {problem}" in line for line in result)


def test_arrivals_are_those_that_pass():
    """The first two tuples do not pass, so the arrivals are b, a, b."""
    assert impossible("aabab", [("b", 1)], "WHERE v > 1") == []
    assert impossible("aabab", [("a", 2)], "WHERE v > 1") == []
    assert len(impossible("aabab", [("a", 1)], "WHERE v > 1")) == 1
    assert len(impossible("aabab", [("b", 3)], "WHERE v > 1")) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--memory", "sram"), "unknown memory sram"),
        (("--memory", "ddr3", "--simulator", "icarus"), "is simulated by verilator only, not icar"),
        (("--engine", "group-by", "--memory", "ideal"), "group-by has none"),
        (("--engine", "group-by", "--evicted", "gone.csv"), "and the query has none"),
        (("--evicted", "gone.txt"), "gone.txt: evicted keys must go to a .csv or"),
        (("--evicted", "d.csv"), "cannot be written: it is what the command reads"),
        (("--evicted", "x.csv", "--rows", "x.csv"), "cannot be written: the command writes rows t"),
        (("--evicted", "none/x.csv"), "none/x.csv: cannot be written: there is no such folder"),
        (("--evicted", "folder.csv"), "folder.csv: cannot be written: it is a directory"),
        (("--evicted", "/proc/x.csv"), "/proc/x.csv: cannot be written: "),  # not even by root
    ],
)
def test_what_simulate_refuses(commands, sluice, tmp_path, monkeypatch, arguments, message):
    """Before anything is computed."""
    monkeypatch.chdir(tmp_path)
    for command in (simulate_command, golden_command):  # imported before, so none keeps the patch
        monkeypatch.setattr(command, "golden_rows", lambda *_, **__: pytest.fail("computed"))
    (tmp_path / "folder.csv").mkdir(exist_ok=True)
    simulate, _, _ = commands
    if "group-by" in arguments:
        text = TEXT.replace("[PARTITION BY k ROWS 2 SLIDE 2]", "GROUP BY k")
        (tmp_path / "q.cql").write_text(text)
        simulate = simulate[: simulate.index("--engine")]
    code, out, err = sluice(*simulate, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key,arrival\na,1\nabc,2\n", "gone.csv:3: key: "),
        ("key,arrival\na,2\nb,1\n", "gone.csv:3: arrival must be greater"),
        ("key,arrival\na,120\n", "gone.csv: a key is evicted by arrival 120, and only 120 tuples"),
    ],
)
@pytest.mark.spark
def test_what_golden_refuses(commands, sluice, tmp_path, text, message):
    _, golden, _ = commands
    (tmp_path / "gone.csv").write_text(text)
    files = ("--evicted", tmp_path / "gone.csv", "-o", tmp_path / "rows.csv")
    code, out, err = sluice(*golden, *files)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert not (tmp_path / "rows.csv").exists()
