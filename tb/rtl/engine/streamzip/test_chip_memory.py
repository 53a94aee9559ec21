"""Checks the engine with M3 on the chip, as shipped Verilog, against lists of each key."""

import random

import pytest

from rtl.engine.streamzip.areas import areas_of
from sim.job import ResetInStream
from tb.rtl.engine import key_time_bench
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import Answers, Stream, point, random_streams
from tb.rtl.engine.streamzip.row_points import check

pytestmark = pytest.mark.hdl

WIDE = {"m3_kind": "block", "ports": 1, "port_bits": 512}
NARROW = {"m3_kind": "ultra", "ports": 4, "port_bits": 128}
POINTS = {
    "lines": point(window_max=32, **WIDE),
    "narrow lines": point(select="sum(x), median(x)", window_max=32, capacity=16, **NARROW),
    "dram-only": point(select="sum(x), max(x)", window_max=32, memory="dram-only", **WIDE),
    "M2 outside": point(
        *(8, 3, "uint(20)", "sum(x), max(x), min(y)"),
        window_max=64,
        line_values=4,
        m2_kind="external",
        address_bits=40,
        cached_keys=3,
        cache_lanes=16,
        **WIDE,
    ),
    "base-delta": point(
        *(8, 3, "int(40)", "sum(x), median(x)"),
        window_max=64,
        codec="base-delta",
        m2_blocks=2,
        **NARROW,
    ),
    "sz": point(
        *(8, 3, "double", "max(x), count(*), min(x)"),
        window_max=64,
        codec="sz",
        decoders=3,
        cached_keys=2,
        cache_lanes=16,
        **WIDE,
    ),
}
QUICK = ("lines", "base-delta")


@pytest.mark.long("name")
@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.regress) for n in POINTS]
)
@pytest.mark.parametrize("stalls", [{}, pytest.param(HALF, marks=pytest.mark.regress)])
def test_streams_with_settings_of_their_own(name, stalls):
    """Streams come back to back, with keys that evict each other; M3 has no master."""
    rng, design = random.Random(name), POINTS[name]
    masters = [bus.name for bus in design.memories]
    assert masters == (["m_axi_m2"] if name == "M2 outside" else [])
    assert list(areas_of(design.options.resolved)) == [name[6:] for name in masters]
    streams = random_streams(rng, design, [0, 1, 300, 40, 0, 700, 3, 500], keys=12)
    run, answers = check(design, streams, **stalls)
    assert answers.tally["rows"] > 50
    assert sum(map(len, answers.evicted)) > 20
    codec = design.options.codec
    assert run.counters["m3_lines_written"] > (20 if codec == "none" else 0)
    assert run.counters["m3_lines_read"] > (20 if name in ("lines", "dram-only") else -1)


@pytest.mark.in_turn
@pytest.mark.long
def test_windows_of_time():
    design = key_time_bench.point(where="WHERE y < 14", m2_lines=2, **WIDE)
    rng = random.Random(3)
    streams = key_time_bench.random_streams(rng, design, [300, 0, 500], keys=6)
    run, _ = key_time_bench.check(design, streams, lambda stream, item: item["y"] < 14, **HALF)
    assert run.counters["m3_lines_read"] > 20


@pytest.mark.in_turn
def test_a_soft_reset_in_a_stream():
    """A reset drops the bursts inside, and M3 keeps the lines of the stream that was cut.

    Each stream has other values, so a window with a line of an earlier stream has a wrong row.
    """
    design = POINTS["lines"]
    streams = [
        Stream(
            size=30,
            slide=1,
            events=[{"k": n // 40 % 3, "x": 1000 * number + n, "y": 0} for n in range(400)],
        )
        for number in range(3)
    ]
    expected = Answers(design, streams).packets
    fed = [s.events for s in streams], [s.settings(design) for s in streams]
    reset = ResetInStream(cycle=300, beat=len(streams[0].events))
    run = shipped(design).run(*fed, reset=reset, packets=2)
    assert run.packets == expected[1:]
    assert run.errors == set()


def test_there_are_no_base_addresses():
    names = [setting.name for setting in POINTS["base-delta"].settings.numbers]
    assert not [name for name in names if name.startswith("base_")]


@pytest.mark.parametrize(
    ("options", "reads", "writes"),
    [({}, 16, 128), ({"codec": "base-delta", "m2_blocks": 2}, 16, 16)],
)
def test_bursts_under_way_at_an_m2_outside(options, reads, writes):
    """Words of lines, or copies of blocks; vendor tools size their interconnect by the numbers."""
    design = point(8, 3, "int(64)", "sum(x)", m2_kind="external", **options)
    (bus,) = [bus for bus in design.memories if bus.name == "m_axi_m2"]
    assert (bus.reads, bus.writes) == (reads, writes)
