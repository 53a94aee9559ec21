"""Checks resources of the engine for windows of each key, with the size and the query of seed
000.
"""

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from tb.rtl.bus.tops import CACHE
from tb.rtl.engine.seed_sizes import CODECS, FIXED, PIVOT_SIZES, SIZES, design_of

pytestmark = pytest.mark.regress

#: Share of the seed's ALMs that is allowed: half for XOR and the grid.
PARTS = {"xor": 0.5, "grid": 0.5}


@pytest.mark.parametrize("name", [*SIZES, *PIVOT_SIZES])
def test_fewer_alms_than_the_seed(name, record_property):
    """Counts ALMs for 16,384 keys block by block; flattening needs fewer."""
    size = (SIZES | PIVOT_SIZES)[name]
    figures = synthesise(core_rtlil(size.design, CACHE), "alm", CACHE, by_block=True)
    record_property("alm", str(figures.alm))
    assert figures.alm[1] < size.alm * PARTS.get(name, 1)
    if name.endswith(", pivot") and size.value == FIXED:
        sorter = SIZES[name.removesuffix(", pivot")].design
        sorted_ = synthesise(core_rtlil(sorter, CACHE), "alm", CACHE, by_block=True)
        assert all(a < b for a, b in zip(figures.alm, sorted_.alm, strict=True))


@pytest.mark.parametrize("name", [*SIZES, *PIVOT_SIZES])
def test_depth_of_the_seed_s_query(name, record_property):
    """Counts LUTs between registers block by block, with 16,384 keys; flattening needs fewer."""
    design = (SIZES | PIVOT_SIZES)[name].design
    figures = synthesise(core_rtlil(design, CACHE), "xcup", CACHE, by_block=True)
    record_property("path", " ".join(figures.critical_path))
    assert figures.depth <= 10


@pytest.mark.parametrize(
    ("codec", "cached", "items"),
    [
        *((codec, 0, "min(cpu)") for codec in CODECS),
        ("base-delta", 0, "min(cpu), median(cpu)"),
        *((codec, 2, "min(cpu)") for codec in ("base-delta", "xor")),
    ],
)
def test_depth_with_a_codec(codec, cached, items, record_property):
    """Builds at most two decoders and 16 lanes of a cache.

    More of them are no deeper, but take long to flatten.
    """
    small = {"entries": 64, "decoders": 2, "cached_keys": cached, "cache_lanes": 16}
    design = design_of(items, SIZES[codec].value, codec=codec, **small)
    figures = synthesise(core_rtlil(design, CACHE), "xcup", CACHE)
    record_property("path", " ".join(figures.critical_path))
    assert figures.depth <= 10


def test_clock_on_an_ecp5(record_property):
    """The design has no sorter, 1,024 keys and one port: with four, nextpnr's router took hours."""
    design = design_of("avg(cpu), min(cpu), max(cpu)", entries=1024, ports=1)
    figures = synthesise(core_rtlil(design, CACHE), "ecp5", CACHE)
    record_property("MHz", str(figures.fmax_mhz))
    assert figures.fmax_mhz >= 80


def test_clock_on_an_ecp5_with_a_codec(record_property):
    """XOR of floats reaches 65 MHz with 16 keys, one port and one decoder.

    Larger designs take more than an hour to route.
    """
    small = {"entries": 16, "window_max": 64, "ports": 1, "decoders": 1}
    design = design_of("min(cpu)", "float", rows=64, codec="xor", **small)
    figures = synthesise(core_rtlil(design, CACHE), "ecp5", CACHE)
    record_property("MHz", str(figures.fmax_mhz))
    assert figures.fmax_mhz >= 65


def test_depth_without_the_sorter(record_property):
    """Tests of the engine swag check the sorter; to flatten both takes a quarter of an hour.

    The longest paths are in a memory port, where a burst is compared with bursts under way.
    """
    design = design_of("avg(cpu), min(cpu), max(cpu)", entries=64)
    figures = synthesise(core_rtlil(design, CACHE), "xcup", CACHE)
    record_property("path", " ".join(figures.critical_path))
    assert figures.depth <= 8
