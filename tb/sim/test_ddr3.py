"""Checks the DDR3 controller behind AXI4 masters: contents and rates."""

import pytest

from sim import ddr3
from sim.job import ResetInStream
from sim.memory import Fault, Memory
from tb.sim.traffic import READ, WRITE, Traffic, run, traffic_bench, twin_bench

pytestmark = pytest.mark.hdl
DDR3 = Memory(backend="ddr3")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("width", "beats"),
    [(128, 24), *(pytest.param(*n, marks=pytest.mark.regress) for n in ((512, 8), (1024, 4)))],
)
def test_round_trip(build_cache, width, beats):
    size = (width // 8).bit_length() - 1
    traffic = Traffic(mode=WRITE | READ, bursts=60, beats=beats, size=size)
    bench = traffic_bench(width, cache=build_cache)
    memory = Memory(backend="ddr3", stall=0.2)
    outcome = run(bench, traffic, memory=memory, seed=3).checked()
    assert outcome.reads[:2] == (0, 0)
    lines = 60 * (beats << size) // 64
    assert outcome.memory["m_axi"].lines_read == outcome.memory["m_axi"].lines_written == lines
    assert outcome.contents is None


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("mode", "beats", "bursts", "rate"),
    [(READ, 64, 150, 0.854), (READ, 8, 500, 0.433), (WRITE, 4, 500, 0.260)],
)
def test_rates(build_cache, mode, beats, bursts, rate):
    """Rates agree with the module's table within 5 %, for shorter runs at other addresses."""
    shift = (64 * beats).bit_length() - 1
    traffic = Traffic(mode=mode, bursts=bursts, beats=beats, shift=shift)
    outcome = run(traffic_bench(cache=build_cache), traffic, memory=DDR3).checked()
    assert bursts * beats / outcome.reads[2] == pytest.approx(rate, rel=0.05)


@pytest.mark.in_turn
def test_two_masters_on_two_ports(build_cache):
    """Each master has a port, and both share one memory."""
    traffic = Traffic(mode=WRITE | READ, bursts=40, beats=64, size=4)
    outcome = run(
        twin_bench(128, cache=build_cache),
        traffic,
        packets={"m_axis": 1, "m_axis_1": 1},
        memory=DDR3,
    ).checked()
    for output in outcome.outputs.values():
        assert output.beats.data.tobytes() == bytes(4)


@pytest.mark.in_turn
def test_reset(build_cache):
    traffic = Traffic(mode=WRITE | READ, bursts=40, beats=8)
    bench = traffic_bench(cache=build_cache)
    outcome = run(bench, traffic, memory=DDR3, reset=ResetInStream(cycle=300)).checked()
    assert outcome.reads[:2] == (0, 0)
    assert outcome.memory["m_axi"].write_bursts > 40


@pytest.mark.in_turn(5)
def test_addresses_beyond_the_memory(build_cache):
    traffic = Traffic(mode=WRITE | READ, bursts=5, beats=8, offset=1 << 30)
    outcome = run(traffic_bench(cache=build_cache), traffic, memory=DDR3).checked()
    assert outcome.reads[:2] == (0, 5 + 5 * 8)


def test_refusals(build_cache):
    with pytest.raises(ValueError, match="ddr3 must have at most 4 masters, not 5"):
        ddr3.library([None] * 5, build_cache)
    for name, value in {
        "latency": 20,
        "delay": 3,
        "reorder": True,
        "fill": 0,
        "contents": {0: b"x"},
        "faults": (Fault(address=0),),
    }.items():
        with pytest.raises(ValueError, match=f"{name} must not be given for ddr3"):
            Memory(backend="ddr3", **{name: value})
