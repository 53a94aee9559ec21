"""Compares the resources of ``window-id`` and ``pane`` with tables of seeds 002 and 001."""

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.bus.tops import CACHE

CACHE_DIRECTORY = CACHE.parent
#: Seed 002, Table II, by RANGE in minutes: modules, slice LUTs, slice registers.
WINDOW_ID = {
    10: (11, 1764, 1855),
    20: (21, 3342, 3442),
    30: (31, 5011, 4975),
    40: (41, 6615, 6453),
    50: (51, 7844, 8095),
    60: (61, 9241, 9594),
}
#: Seed 001, Table III: block RAMs by RANGE / SLIDE.
PANE = {64: 1, 128: 1, 256: 1, 512: 2, 1024: 4, 2048: 8, 4096: 17}
DEPTH = 8  # largest number of LUTs in a path


def report(engine, minutes, target="xc6v", **options):
    """Returns the design of the seeds' query with RANGE in minutes, and its synthesis figures."""
    text = (
        "CREATE INPUT STREAM Trades (Symbol string(4), Price int, Volume int, Time int);"
        f"SELECT Time, count(*) AS Number FROM Trades [RANGE {minutes} minutes SLIDE 1 minute "
        'WATTR Time SLACK 1 minute] WHERE Symbol = "UBSN";'
    )
    design = ENGINES[engine](query=parse(text), **options)
    figures = synthesise(core_rtlil(design, CACHE_DIRECTORY), target, CACHE_DIRECTORY)
    return design, figures


@pytest.mark.regress
@pytest.mark.parametrize("minutes", range(10, 61, 10))
@pytest.mark.parametrize("constants", ["compiled", "run-time"])
def test_window_id_takes_no_more_than_the_seed(minutes, constants, record_property):
    modules, luts, registers = WINDOW_ID[minutes]
    design, figures = report("window-id", minutes, constants=constants)
    assert design.options.resolved.modules == modules
    record_property("lut", float(figures.lut + figures.lutram))
    record_property("ff", float(figures.ff))
    assert figures.lut + figures.lutram <= luts
    assert figures.ff <= registers
    assert (figures.bram36, figures.dsp) == (0, 0)
    assert figures.depth <= DEPTH


@pytest.mark.regress
@pytest.mark.parametrize("level", ["two-stacks", "sequential"])
def test_pane_hardly_grows(level, record_property):
    """Block RAM is at most the seed's; RANGE / SLIDE 4096 has at most 1.15 times the LUTs of 64."""
    luts = {}
    for ratio, blocks in PANE.items():
        _, figures = report("pane", ratio, window_level=level)
        luts[ratio] = figures.lut + figures.lutram
        record_property(f"lut{ratio}", float(luts[ratio]))
        record_property(f"bram{ratio}", float(figures.bram36))
        assert figures.bram36 <= blocks
        assert figures.depth <= DEPTH
    assert luts[4096] <= 1.15 * luts[64]


@pytest.mark.regress
@pytest.mark.parametrize("level", ["two-stacks", "sequential"])
def test_the_clock_of_pane_hardly_falls(level, record_property):
    clocks = {
        ratio: report("pane", ratio, "ecp5", window_level=level)[1].fmax_mhz for ratio in (64, 4096)
    }
    for ratio, clock in clocks.items():
        record_property(f"mhz{ratio}", float(clock))
    assert clocks[4096] >= 0.9 * clocks[64]
