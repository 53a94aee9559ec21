"""`sluice simulate` end to end: PySpark's rows and the shipped Verilog's, on small data."""

import json
import random
from dataclasses import replace

import pytest

from gen.jobs.simulation import simulate_and_compare
from gen.simulate import run as simulation
from gen.verilog import elaboration
from golden.compare.tables import first_difference
from query.aggregate import Function
from query.parser import load
from rtl.aggregate.registry import ENTRIES
from tb.golden.read_rows import read

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

MIXED = """
CREATE INPUT STREAM S (g string(3), x float, y fixed(4,4), u uint(64), i int(7));
SELECT g, min(x), max(x), sum(y), avg(y) AS mean, count(*), count(distinct i), max(u), avg(i)
FROM S GROUP BY g;
"""
SPECIAL = ("nan", "-0.0", "0.0", "inf", "-inf", "1e-45", "-3.4028235e38")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A query over all kinds of types, and 300 tuples with every special float among them."""
    directory = tmp_path_factory.mktemp("mixed")
    rng = random.Random(20240117)
    lines = ["g,x,y,u,i"]
    for _ in range(300):
        x = rng.choice((*SPECIAL, str(rng.uniform(-5, 5)), str(rng.uniform(-1e30, 1e30))))
        y, u, i = rng.randrange(-128, 128) / 16, rng.getrandbits(64), rng.randrange(-64, 64)
        lines.append(f"{rng.choice(('a', 'bb', 'ccc', 'Zz', 'z'))},{x},{y},{u},{i}")
    (directory / "mixed.cql").write_text(MIXED)
    (directory / "mixed.csv").write_text("\n".join(lines) + "\n")
    return directory / "mixed.cql", directory / "mixed.csv"


@pytest.mark.regress
def test_a_stream_without_rows_waits_for_the_ring_of_many_modules(sluice, tmp_path):
    """No row is expected, so the run ends after a pause, which 251 modules make long."""
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (t int(20), x int(8)); "
        "SELECT count(*) AS n FROM S [RANGE 1 SLIDE 1 WATTR t SLACK 250] WHERE x > 0;"
    )
    data.write_text("t,x\n1,-1\n2,-2\n3,-3\n")
    options = ("--engine", "pane", "--start", 0, "--json")
    code, out, err = sluice("simulate", query, "--input", data, *options)
    assert (code, json.loads(out)["problems"]) == (0, []), err


@pytest.mark.in_turn
@pytest.mark.parametrize("results", ["all", "select"])
def test_every_type_with_stalls(results, mixed, sluice, tmp_path):
    query, data = mixed
    rows = tmp_path / "rows.parquet"
    settings = ["--lanes", 2, "--set", f"results={results}", "--rows", rows, "--json"]
    stalls = ["--stall-input", 0.5, "--stall-output", 0.5, "--seed", 3]
    code, out, _ = sluice("simulate", query, "--input", data, *settings, *stalls)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert (output["tuples"], output["rows"], output["rows_expected"]) == (300, 5, 5)
    assert output["streams"] == (8 if results == "select" else 1)
    nans = data.read_text().count(",nan,")
    assert output["dropped"] == {"late": 0, "overrun": 0, "nan": nans, "collision": 0}
    assert output["rows_file"] == str(rows)
    golden = tmp_path / "golden.parquet"
    assert sluice("golden", query, "--input", data, "-o", golden)[0] == 0
    parsed = load(query)
    assert first_difference(read(golden, parsed), read(rows, parsed)) is None


@pytest.mark.in_turn
def test_without_stalls_the_rate_is_as_predicted(sluice, examples):
    query, data = examples / "cluster_groupby.toml", examples / "cluster_trace.csv.gz"
    code, out, _ = sluice("simulate", query, "--input", data, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["input_stalled_cycles"]) == (0, 0, 0)
    assert output["tuples_per_cycle"] > 0.97 * output["predicted_tuples_per_cycle"] == 0.97 * 4
    assert output["stream_rule_violations"] == 0


@pytest.mark.in_turn
def test_no_tuples(mixed, sluice, tmp_path):
    query, _ = mixed
    data = tmp_path / "none.csv"
    data.write_text("g,x,y,u,i\n")
    code, out, _ = sluice("simulate", query, "--input", data, "--lanes", 2, "--json")
    output = json.loads(out)
    assert (code, output["tuples"], output["rows"], output["mismatches"]) == (0, 0, 0, 0)


SMALL = "CREATE INPUT STREAM S (g uint(8), v int(8));\nSELECT g, min(v), max(v) FROM S GROUP BY g;"


@pytest.mark.in_turn
def test_a_wrong_operator_is_caught(sluice, tmp_path, monkeypatch):
    """Max in place of min: the first group's row is printed, and the exit code is 1."""
    (tmp_path / "q.cql").write_text(SMALL)
    (tmp_path / "d.csv").write_text("g,v\n7,5\n9,1\n7,-3\n9,1\n")
    arguments = ["simulate", tmp_path / "q.cql", "--input", tmp_path / "d.csv", "--lanes", 2]
    assert sluice(*arguments)[0] == 0
    changed = f"{elaboration.sources()}, and Max for Min"
    monkeypatch.setattr(elaboration, "sources", lambda: changed)
    monkeypatch.setitem(ENTRIES, Function.MIN, ENTRIES[Function.MAX])
    code, out, err = sluice(*arguments, "--json")
    assert code == 1
    assert json.loads(out)["mismatches"] == 1
    assert "row 0 must be (0, 7, -3, 5), not (0, 7, 5, 5)" in err


@pytest.mark.in_turn
def test_icarus_agrees(sluice, tmp_path):
    (tmp_path / "q.cql").write_text(SMALL)
    (tmp_path / "d.csv").write_text("g,v\n7,5\n9,1\n7,-3\n9,1\n")
    arguments = ["simulate", tmp_path / "q.cql", "--input", tmp_path / "d.csv", "--lanes", 2]
    code, out, _ = sluice(*arguments, "--simulator", "icarus", "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["rows"]) == (0, 0, 2)


@pytest.mark.in_turn
def test_too_many_rows_are_refused_before_anything_is_built(sluice, tmp_path, monkeypatch):
    """A gap in the times is as many rows as it has windows."""
    monkeypatch.setattr(simulation, "MOST_ROWS", 5)
    query, data, rows = (tmp_path / name for name in ("gap.cql", "gap.csv", "rows.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (t int, x int);SELECT sum(x) FROM S [RANGE 10 SLIDE 10 WATTR t];"
    )
    data.write_text("t,x\n0,1\n50,2\n")
    code, out, err = sluice("simulate", query, "--input", data, "--rows", rows)
    assert (code, out) == (2, "")
    refusal = "sluice: at most 5 rows are simulated, and this answer has 6"
    assert [line for line in err.splitlines() if not line.startswith("golden rows")] == [refusal]
    assert not rows.exists()
    data.write_text("t,x\n0,1\n49,2\n")
    assert sluice("simulate", query, "--input", data, "--rows", rows)[0] == 0


@pytest.mark.in_turn
def test_windows_that_end_beyond_their_type(sluice, tmp_path):
    """The time 2**64 - 1 lies in the windows of 2**62 that begin at 6 * 2**61 and 7 * 2**61."""
    query, data, rows = (tmp_path / name for name in ("ends.cql", "ends.csv", "rows.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (t uint(64), x int);"
        f"SELECT sum(x) FROM S [RANGE {1 << 62} SLIDE {1 << 61} WATTR t];"
    )
    data.write_text(f"t,x\n0,1\n{(1 << 64) - 1},2\n")
    finished = sluice("simulate", query, "--input", data, "--rows", rows, "--engine", "window-id")
    assert finished[0] == 0
    sums = [1, 0, 0, 0, 0, 0, 2, 2]
    lines = [f"{j},{(j + 2) << 61},{total}" for j, total in enumerate(sums)]
    assert rows.read_text().splitlines() == ["window,window_end,sum(x)", *lines]


@pytest.mark.in_turn(5)
def test_a_file_of_an_earlier_run_does_not_stand_for_rows_that_cannot_be_read(
    sluice, tmp_path, monkeypatch
):
    def without_rows(*arguments, **options):
        complete = simulate_and_compare(*arguments, **options)
        return replace(complete, rows=None, problems=("hang: no transfer",))

    monkeypatch.setattr("gen.commands.simulate.simulate_and_compare", without_rows)
    query, data, rows = (tmp_path / name for name in ("q.cql", "d.csv", "rows.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (k uint(4), x int(8)); SELECT max(x) AS m FROM S [ROWS 2 SLIDE 2];"
    )
    data.write_text("k,x\n1,2\n1,3\n")
    rows.write_text("window,m\n0,3\n")
    code, _, err = sluice("simulate", query, "--input", data, "--rows", rows)
    assert (code, "hang: no transfer" in err) == (1, True)
    assert not rows.exists()


@pytest.mark.in_turn
def test_evicted_keys_of_an_earlier_run_do_not_stand_for_those_of_a_run_that_hung(
    sluice, tmp_path, monkeypatch
):
    def without_results(*arguments, **options):
        complete = simulate_and_compare(*arguments, **options)
        return replace(complete, rows=None, evictions=None, problems=("hang: no transfer",))

    monkeypatch.setattr("gen.commands.simulate.simulate_and_compare", without_results)
    query, data, evicted_file = (tmp_path / name for name in ("q.cql", "d.csv", "gone.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (k uint(4), x int(8));"
        "SELECT k, max(x) AS m FROM S [PARTITION BY k ROWS 2 SLIDE 2];"
    )
    data.write_text("k,x\n1,2\n1,3\n")
    evicted_file.write_text("stream,arrival,k\n0,1,7\n")
    options = ("--set", "entries=8", "--evicted", evicted_file, "--json")
    code, out, _ = sluice("simulate", query, "--input", data, *options)
    assert (code, json.loads(out)["evicted_file"]) == (1, None)
    assert not evicted_file.exists()
