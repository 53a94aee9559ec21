"""`sluice golden` and `simulate` of windows without groups: PySpark's rows and the Verilog's."""

import json
import random

import pytest

from golden.compare.tables import first_difference
from query.parser import load
from rtl.contract.settings import HostSettings
from tb.golden.read_rows import read

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

SCHEMA = """CREATE INPUT STREAM S (
  t fixed(12,4), v int(8), u uint(64), f float, x fixed(4,4), s string(9));
SELECT count(*), sum(v), min(u), max(f), avg(x), avg(v) AS mean, sum(x), min(f) FROM S"""
WHERE = 'WHERE s != "b" OR v > 0;'
WINDOWS = {"time": "RANGE 12 SLIDE 3 WATTR t SLACK 4.5", "rows": "ROWS 24 SLIDE 8"}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Queries over all kinds of types, and 300 tuples, disordered: some come too late."""
    directory = tmp_path_factory.mktemp("mixed")
    rng = random.Random(20240712)
    lines, time = ["t,v,u,f,x,s"], 40
    for _ in range(300):
        time += rng.choice((0, 0, 0, 1, 1, 2, 3, rng.randrange(25)))
        seen = time - rng.choice((0, 0, 0, 1, 3, 6, 9, 40))
        f = rng.choice(("nan", "-0.0", "0.0", "1.5", str(rng.uniform(-9, 9))))
        v, u, x = rng.randrange(-128, 128), rng.getrandbits(64), rng.randrange(-128, 128) / 16
        lines.append(f"{seen / 2},{v},{u},{f},{x},{rng.choice(('a', 'b', 'long text'))}")
    (directory / "mixed.csv").write_text("\n".join(lines) + "\n")
    for name, window in WINDOWS.items():
        (directory / f"{name}.cql").write_text(f"{SCHEMA} [{window}]\n{WHERE}\n")
    return directory


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "engine", "given"),
    [
        ("time", "window-id", ["--set", "punctuations=made"]),
        pytest.param(
            *("time", "window-id", ["--set", "punctuations=stream", "--start", "20.5"]),
            marks=pytest.mark.regress,
        ),
        ("time", "pane", ["--set", "punctuations=stream"]),
        ("rows", "two-stacks", []),
    ],
)
def test_every_type_with_stalls(name, engine, given, mixed, sluice, tmp_path):
    query, data, rows = mixed / f"{name}.cql", mixed / "mixed.csv", tmp_path / "rows.parquet"
    stalls = ["--stall-input", 0.3, "--stall-output", 0.4, "--seed", 3]
    arguments = ["--input", data, "--engine", engine, *given, *stalls, "--rows", rows, "--json"]
    code, out, _ = sluice("simulate", query, *arguments)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert (output["engine"], output["tuples"]) == (engine, 300)
    start = given[given.index("--start") :] if "--start" in given else []
    golden = tmp_path / "golden.parquet"
    code, out, _ = sluice("golden", query, "--input", data, "-o", golden, *start, "--json")
    values_read = json.loads(out)
    assert code == 0
    assert (values_read["start"], values_read["rows"]) == (output["start"], output["rows"])
    assert {**output["dropped"], **values_read["dropped"]} == output["dropped"]
    assert (output["dropped"]["late"] > 0) == (name == "time")
    assert first_difference(read(golden, load(query)), read(rows, load(query))) is None


SMALL = """CREATE INPUT STREAM S (t fixed(8,4), v int(8));
SELECT count(*), min(v) FROM S [RANGE 20 SLIDE 10 WATTR t SLACK 5];
"""


@pytest.fixture
def small(tmp_path):
    """Returns the arguments of a run whose third tuple is late.

    Its time is 9, and the time 21 before it has raised the least time that is not late to 10. The
    first time minus the SLACK is 2.5.
    """
    (tmp_path / "q.cql").write_text(SMALL)
    (tmp_path / "d.csv").write_text("t,v\n7.5,1\n21,2\n9,3\n10,4\n47.5,5\n")
    return tmp_path / "q.cql", "--input", tmp_path / "d.csv"


@pytest.mark.in_turn
def test_golden_tells_start_and_late(small, sluice, tmp_path):
    rows = tmp_path / "rows.csv"
    code, out, _ = sluice("golden", *small, "-o", rows, "--json")
    output = json.loads(out)
    assert (code, output["start"], output["dropped"]) == (0, "0", {"late": 1, "nan": 0})
    assert rows.read_text().splitlines()[1:] == [
        "0,20,2,1",
        "1,30,2,2",
        "2,40,1,2",
        "3,50,1,5",
        "4,60,1,5",
    ]
    code, out, _ = sluice("golden", *small, "-o", rows, "--start", "-12.5")
    assert (code, "of 5 tuples, 0 of them late, in" in out) == (0, True)
    assert rows.read_text().splitlines()[1:3] == [
        "0,7.5,0,",
        "1,17.5,3,1",
    ]  # 9 is in time: 21 makes 7.5
    code, out, _ = sluice("golden", *small, "-o", rows, "--start", "12.5", "--json")
    assert json.loads(out)["dropped"]["late"] == 3
    assert rows.read_text().splitlines()[1] == "0,32.5,1,2"


@pytest.mark.in_turn(5)
def test_the_first_window_can_be_set(small, sluice):
    for start, count in (("12.5", 4), ("-12.5", 7)):
        code, out, _ = sluice("simulate", *small, "--start", start, "--json")
        output = json.loads(out)
        assert (code, output["start"], output["rows"], output["mismatches"]) == (0, start, count, 0)


def test_a_wrong_range_is_caught(small, sluice, monkeypatch):
    """The hardware is told 10 where the query has 20."""
    values = {"range": 160, "slide": 160, "slack": 80}
    monkeypatch.setattr(HostSettings, "values", values)
    code, out, err = sluice("simulate", *small, "--json")
    assert code == 1
    assert json.loads(out)["mismatches"] > 0
    assert "row 0 must be (0, 320, 2, 1), not (0, 160, 1, 1)" in err


def test_a_start_that_no_register_holds(small, sluice):
    """-128 is the least fixed(8,4); the first tuple less the slack is rounded down below it."""
    small[2].write_text("t,v\n-127,1\n")
    code, out, err = sluice("simulate", *small)
    assert (code, out) == (2, "")
    assert "start must be from -128 to 127.9375 here, not -140; --start gives another" in err


def test_no_tuples(small, sluice):
    small[2].write_text("t,v\n")
    code, out, _ = sluice("simulate", *small, "--json")
    output = json.loads(out)
    assert (code, output["start"], output["rows"], output["problems"]) == (0, None, 0, [])


def test_the_manifest_says_what_the_data_decide(small, sluice, tmp_path):
    code, out, _ = sluice("generate", small[0], "-o", tmp_path / "made", "--json")
    output = json.loads(out)
    assert (code, output["host_sets"]) == (0, ["start"])
    assert output["settings"] == {"range": 320, "slide": 160, "slack": 80}


@pytest.mark.in_turn
@pytest.mark.parametrize("point", ["trades_windowid", "trades_pane"])
def test_example_of_the_papers(point, sluice, examples, tmp_path):
    data = tmp_path / "trades.csv"
    assert sluice("trace", "disorder", "--tuples", 2000, "-o", data)[0] == 0
    code, out, _ = sluice("simulate", examples / f"{point}.toml", "--input", data, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["dropped"]["late"]) == (0, 0, 0)
    assert output["rows"] == output["rows_expected"] > 10


@pytest.mark.in_turn
def test_many_panes_are_no_hang(sluice, tmp_path):
    """A window of 16,384 panes is measured, and read, longer than a hang is waited for."""
    text = "CREATE INPUT STREAM S (t int); SELECT count(*) FROM S [RANGE 16384 SLIDE 1 WATTR t];"
    (tmp_path / "wide.cql").write_text(text)
    (tmp_path / "wide.csv").write_text("t\n0\n0\n1\n")
    arguments = ["--input", tmp_path / "wide.csv", "--engine", "pane", "--json"]
    arguments += ["--set", "window_level=sequential"]
    code, out, _ = sluice("simulate", tmp_path / "wide.cql", *arguments)
    output = json.loads(out)
    assert (code, output["rows"], output["mismatches"]) == (0, 2, 0)
