"""`sluice simulate` of sliding windows end to end: PySpark's rows and the shipped Verilog's."""

import json
import random

import pytest

from golden.compare.tables import first_difference
from query.parser import load
from rtl.contract.settings import HostSettings
from tb.golden.read_rows import read

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

SCHEMA = "CREATE INPUT STREAM S (g string(3), x float, y fixed(4,4), u uint(64), i int(7));\n"
MIXED = """SELECT g, min(x), median(x), max(x), percentile(x, 0.75) AS most, count(distinct x),
       count(*), sum(y), avg(i) AS mean, max(u)
FROM S [ROWS 40 SLIDE 12] WHERE i > -50 GROUP BY g;
"""
SPECIAL = ("nan", "-0.0", "0.0", "inf", "-inf", "1e-45", "-3.4028235e38")
SMALL = ("--lanes", 2, "--set", "capacity=16")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A query over all kinds of types, and 300 tuples with every special float among them."""
    directory = tmp_path_factory.mktemp("mixed")
    rng = random.Random(20240303)
    lines = ["g,x,y,u,i"]
    for _ in range(300):
        x = rng.choice((*SPECIAL, *("0.5", "2.5", "-7.25"), str(rng.uniform(-1e30, 1e30))))
        y, u, i = rng.randrange(-128, 128) / 16, rng.getrandbits(64), rng.randrange(-64, 64)
        lines.append(f"{rng.choice(('a', 'bb', 'ccc', 'Zz', 'z'))},{x},{y},{u},{i}")
    (directory / "mixed.cql").write_text(SCHEMA + MIXED)
    (directory / "mixed.csv").write_text("\n".join(lines) + "\n")
    return directory / "mixed.cql", directory / "mixed.csv"


def windows_of(data):
    """Returns how many tuples have a NaN, and how many windows the tuples that pass fill."""
    rows = [line.split(",") for line in data.read_text().splitlines()[1:]]
    passing = sum(x != "nan" and int(i) > -50 for _, x, _, _, i in rows)
    return sum(x == "nan" for _, x, *_ in rows), (passing - 40) // 12 + 1


@pytest.mark.regress
@pytest.mark.parametrize(
    "options", [("results=all",), ("results=select", "percentiles=run-time", "passes=pipelined")]
)
def test_every_type_with_stalls(options, mixed, sluice, tmp_path):
    query, data = mixed
    rows = tmp_path / "rows.parquet"
    settings = [text for name in options for text in ("--set", name)]
    stalls = ["--stall-input", 0.3, "--stall-output", 0.5, "--seed", 3]
    arguments = ["--input", data, *SMALL, *settings, *stalls, "--rows", rows, "--json"]
    code, out, _ = sluice("simulate", query, *arguments)
    output = json.loads(out)
    nans, windows = windows_of(data)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    # With results=select each of the 9 results has a stream of its own.
    assert (output["engine"], output["streams"]) == (
        "swag",
        9 if "results=select" in options else 1,
    )
    assert output["dropped"] == {"late": 0, "overrun": 0, "nan": nans, "collision": 0}
    assert output["sustained_tuples_per_cycle"] > 0
    golden = tmp_path / "golden.parquet"
    assert sluice("golden", query, "--input", data, "-o", golden)[0] == 0
    parsed = load(query)
    actual = read(rows, parsed)
    assert first_difference(read(golden, parsed), actual) is None
    assert actual["window"].unique().to_pylist() == list(range(windows))


PAIRS = "CREATE INPUT STREAM S (g uint(4), v int(8));\nSELECT g, min(v), median(v), max(v) FROM S"


@pytest.fixture
def pairs(tmp_path):
    """Returns a function that writes a query and its data, and returns arguments of `simulate`."""

    def make(size, slide, tuples):
        rng = random.Random(size)
        data = "".join(f"{rng.randrange(9)},{rng.randrange(-99, 99)}\n" for _ in range(tuples))
        (tmp_path / "q.cql").write_text(f"{PAIRS} [ROWS {size} SLIDE {slide}] GROUP BY g;")
        (tmp_path / "d.csv").write_text("g,v\n" + data)
        return tmp_path / "q.cql", "--input", tmp_path / "d.csv", *SMALL

    return make


@pytest.mark.in_turn(5)
def test_one_design_serves_all_windows(pairs, sluice, tmp_path):
    created = tmp_path / "made"
    texts = set()
    for size, slide in ((16, 8), (256, 4)):
        query = pairs(size, slide, 0)[0]
        assert sluice("generate", query, *SMALL, "-o", created)[0] == 0
        texts.add((created / "sluice_q.v").read_text())
        manifest = json.loads((created / "manifest.json").read_text())
        assert manifest["settings"] == {"size": size, "slide": slide}
        assert manifest["registers"]["size"] == "0x020"
    assert len(texts) == 1


@pytest.mark.in_turn
def test_rates_are_as_predicted(pairs, sluice):
    for size, slide in ((16, 8), (6, 2), (24, 8), (256, 64)):
        code, out, _ = sluice("simulate", *pairs(size, slide, 1500), "--json")
        output = json.loads(out)
        assert (code, output["mismatches"], output["rows"] > 0) == (0, 0, True)
        rate = output["predicted_tuples_per_cycle"]
        assert output["sustained_tuples_per_cycle"] == pytest.approx(rate, rel=0.03)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("tuples", [0, 1, 15])
def test_no_window_is_filled(tuples, pairs, sluice):
    code, out, _ = sluice("simulate", *pairs(16, 8, tuples), "--json")
    output = json.loads(out)
    assert (code, output["tuples"], output["rows"], output["problems"]) == (0, tuples, 0, [])
    assert (output["sustained_tuples_per_cycle"], output["first_result_cycles"]) == (None, None)


@pytest.mark.parametrize(
    ("slide", "message"),
    [
        (4, "m_axis: beat after the last expected tlast"),
        (16, "with 50 of 50 input beats taken and 6 of 11 tlasts seen"),
        # refused by the design: a slide must be a multiple of the 2 lanes
        (5, "with 50 of 50 input beats taken and 0 of 11 tlasts seen"),
    ],
)
def test_windows_too_many_or_too_few_are_caught(slide, message, pairs, sluice, monkeypatch):
    monkeypatch.setattr(HostSettings, "values", {"size": 16, "slide": slide})
    code, out, err = sluice("simulate", *pairs(16, 8, 100), "--json")
    assert code == 1
    assert any(message in problem for problem in json.loads(out)["problems"])
    assert f"sluice: check failed: {json.loads(out)['problems'][0]}" in err


def test_icarus_agrees(pairs, sluice):
    code, out, _ = sluice("simulate", *pairs(16, 8, 100), "--simulator", "icarus", "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] > 11
