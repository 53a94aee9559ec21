"""Checks that `simulate` and `demo` refuse what they cannot run before they start or write."""

from types import SimpleNamespace

import pytest

from gen.design.build import resolve
from gen.jobs.simulation import check_simulator, simulate_and_compare
from query.errors import UserError

KEYS = """\
CREATE INPUT STREAM S (k uint(32), x double);
SELECT k, max(x) FROM S [PARTITION BY k ROWS 4096 SLIDE 64];
"""
GROUPS = """\
CREATE INPUT STREAM S (k uint(8), x uint(8));
SELECT k, min(x), max(x) FROM S GROUP BY k;
"""


@pytest.fixture
def build(tmp_path):
    """Returns a function that resolves a query with options."""

    def build_of(text, *options):
        path = tmp_path / "q.cql"
        path.write_text(text)
        return resolve(path, options=options)

    return build_of


def test_keys_that_need_more_than_the_memory_of_ddr3(build):
    """A key takes 4,096 values of 8 bytes, so 32,768 keys take 1 GiB, the whole memory.

    Two ports leave a part of the memory between their areas unused, and no longer fit.
    """
    design = build(KEYS, "entries=32768", "ports=1").design
    assert check_simulator(design, "verilator", "ddr3") == "ddr3"
    design = build(KEYS, "entries=65536", "ports=1").design
    assert check_simulator(design, "verilator", "ideal") == "ideal"
    with pytest.raises(UserError, match=r"has 1,073,741,824 bytes, .* take 2,147,483,648: set fe"):
        check_simulator(design, "verilator", "ddr3")
    with pytest.raises(UserError, match=r"has 1,073,741,824 bytes, .* take 1,073,7\d\d,\d+: set"):
        check_simulator(build(KEYS, "entries=32768", "ports=2").design, "verilator", "ddr3")


def test_an_sram_takes_no_place_in_the_ddr3(build):
    design = build(KEYS, "entries=32768", "ports=1", "m2_kind=external").design
    assert [bus.sram for bus in design.memories].count(True) == 1
    assert check_simulator(design, "verilator", "ddr3") == "ddr3"


def test_a_stream_that_the_design_cannot_count(build):
    groups = build(GROUPS, "count_width=4")
    unused = dict.fromkeys(("out", "expected", "master", "cache"))
    options = {"simulator": "verilator", "memory": None, "stalls": (0, 0), "seed": 0}
    with pytest.raises(UserError, match="there are 16 tuples, and the design takes at most 15 in"):
        simulate_and_compare(
            build=groups, tuples=range(16), allow_evictions=False, **unused, **options
        )


@pytest.mark.parametrize(
    ("rows", "rows_after_evictions", "beginnings"),
    [
        (0, 0, ["golden has no row for 16 tuples, so little is compared: give tuples"]),
        (3, 0, ["golden has no row for 16 tuples and the evicted keys of this run, so little"]),
        (3, 2, []),
    ],
)
def test_a_run_that_compares_no_row_is_warned_of(
    build, monkeypatch, rows, rows_after_evictions, beginnings
):
    """Golden has no row of the query, or none after the evictions of the run."""
    answer = SimpleNamespace(rows=SimpleNamespace(num_rows=rows))
    expected = SimpleNamespace(num_rows=rows_after_evictions)
    run = SimpleNamespace(expected=expected, unpredicted=None)
    monkeypatch.setattr("gen.jobs.simulation.simulate", lambda *args, **options: run)
    warnings = []
    out = SimpleNamespace(warn=warnings.append, step=None)
    job = {"build": build(KEYS), "tuples": range(16), "expected": answer}
    options = {"simulator": "verilator", "memory": None, "stalls": (0, 0), "seed": 0}
    options |= {"allow_evictions": True, "master": "local", "cache": None}
    assert simulate_and_compare(out, **job, **options) is run
    assert len(warnings) == len(beginnings)
    for warning, beginning in zip(warnings, beginnings, strict=True):
        assert warning.startswith(beginning)


def test_demo_writes_nothing_for_a_design_that_is_not_simulated(sluice, tmp_path):
    (tmp_path / "q.cql").write_text(GROUPS)
    (tmp_path / "in.csv").write_text("k,x\n1,2\n")
    point = tmp_path / "q.toml"
    point.write_text('query = "q.cql"\n[parameters]\nresults = "select"\n')
    directory = tmp_path / "made"
    arguments = ("--board", "versa-ecp5", "--input", tmp_path / "in.csv", "-o", directory)
    code, _, err = sluice("demo", point, *arguments)
    assert code == 2
    assert "results=select is not simulated with network=true" in err
    assert not directory.exists()
