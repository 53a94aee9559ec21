"""Checks the ideal memory behind an AXI4 master: contents, rates, faults and rules."""

import pytest

from sim.errors import ProtocolError
from sim.job import ResetInStream
from sim.memory import Fault, Memory
from tb.sim.traffic import (
    AT_ONCE,
    READ,
    SLOW,
    WRITE,
    Traffic,
    all_written,
    content,
    run,
    traffic_bench,
    twin_bench,
)

pytestmark = pytest.mark.hdl
BUSY = {"stall": 0.3, "delay": 100, "reorder": True}


@pytest.fixture
def bench(build_cache):
    def build(width=512, defect=None):
        return traffic_bench(width, defect, cache=build_cache)

    return build


def widest(width):
    """Returns the AXI ``size`` of beats that have the width of the bus."""
    return (width // 8).bit_length() - 1


@pytest.mark.in_turn
@pytest.mark.parametrize("memory", [{}, BUSY], ids=["free", "busy"])
@pytest.mark.parametrize("width", [32, 128, 512, 1024])
def test_round_trip(bench, width, memory):
    size = widest(width)
    traffic = Traffic(mode=WRITE | READ | SLOW, bursts=60, beats=16, size=size, shift=size + 4)
    outcome = run(bench(width), traffic, memory=Memory(**memory), seed=7).checked()
    assert outcome.reads[:2] == (0, 0)
    assert all_written(outcome, traffic)
    lines = 60 * (16 << size) // 64
    counts = outcome.memory["m_axi"]
    assert (counts.lines_read, counts.lines_written, counts.errors) == (lines, lines, 0)
    assert (counts.read_bursts, counts.write_bursts) == (60, 60)


@pytest.mark.parametrize("mode", [READ, WRITE])
@pytest.mark.parametrize(("width", "beats"), [(512, 64), (512, 1), (1024, 32)])
@pytest.mark.parametrize("latency", [1, 40, 75])
def test_a_line_in_every_cycle_after_the_latency(bench, mode, width, beats, latency):
    """A run takes the latency, a cycle for each line, and a cycle in which the end is seen."""
    traffic = Traffic(mode=mode, bursts=100, beats=beats, size=widest(width), flight=100)
    memory = Memory(latency=latency, outstanding=100)
    outcome = run(bench(width), traffic, memory=memory).checked()
    lines = 100 * beats * width // 512
    slack = width // 512 - 1  # a beat of two lines is transferred in one cycle
    assert outcome.reads[2] == lines + latency + 1 - slack


def test_few_outstanding_bursts_wait(bench):
    traffic = Traffic(mode=READ, bursts=100, beats=1, flight=100)
    cycles = run(bench(), traffic, memory=Memory(outstanding=4)).checked().reads[2]
    assert cycles == pytest.approx(100 * 41 / 4, rel=0.05)


def test_delays_add_up_in_order_and_overlap_across_ids(bench):
    """With 4 ids in turn, a delay holds up all bursts, or with ``reorder`` only its id's bursts."""
    traffic = Traffic(mode=READ, bursts=400, beats=1, flight=8)
    cycles = [
        run(bench(), traffic, memory=Memory(delay=200, reorder=reorder), seed=2).checked().reads[2]
        for reorder in (False, True)
    ]
    assert cycles[1] < 0.9 * cycles[0]
    assert cycles[1] > 400 / 8 * 40


def test_seeds(bench):
    traffic = Traffic(mode=WRITE | READ, bursts=50, beats=4)
    runs = [run(bench(), traffic, memory=Memory(**BUSY), seed=seed) for seed in (1, 1, 2)]
    assert runs[0].cycles == runs[1].cycles != runs[2].cycles


def test_a_read_before_the_answer_to_a_write_returns_old_data(bench):
    traffic = Traffic(mode=WRITE | READ | AT_ONCE, bursts=20, beats=1)
    outcome = run(bench(), traffic).checked()
    assert outcome.reads[0] == 20
    assert all_written(outcome, traffic)


@pytest.mark.parametrize(("size", "offset"), [(0, 3), (2, 4), (2, 5), (4, 40), (5, 1)])
@pytest.mark.parametrize("width", [512, 1024])
def test_narrow_and_askew(bench, width, size, offset):
    traffic = Traffic(mode=WRITE | READ, bursts=40, beats=16, size=size, offset=offset)
    outcome = run(bench(width), traffic, memory=Memory(**BUSY)).checked()
    assert outcome.reads[:2] == (0, 0)
    assert all_written(outcome, traffic)
    lines = sum((end - 1) // 64 - start // 64 + 1 for start, end in traffic.spans())
    assert outcome.memory["m_axi"].lines_read == outcome.memory["m_axi"].lines_written == lines


def test_strobes(bench):
    """The third byte of every word is not written."""
    traffic = Traffic(mode=WRITE, bursts=3, beats=2, strobe=0b1011)
    outcome = run(bench(), traffic, memory=Memory(fill=0x77)).checked()
    for start, end in traffic.spans():
        expected = bytearray(content(start, end - start))
        expected[2::4] = b"\x77" * len(expected[2::4])
        assert outcome.contents.read(start, end - start) == expected


def test_preset_and_fill(bench):
    traffic = Traffic(mode=READ, bursts=10, beats=64)
    preset = {start: content(start, end - start) for start, end in traffic.spans()}
    outcome = run(bench(), traffic, memory=Memory(contents=preset, fill=9)).checked()
    assert outcome.reads[:2] == (0, 0)
    assert all_written(outcome, traffic)
    missing = dict(list(preset.items())[1:])
    assert run(bench(), traffic, memory=Memory(contents=missing)).reads[0] == 64
    across_pages = run(bench(), traffic, memory=Memory(contents={4090: bytes(range(12))}, fill=9))
    assert across_pages.contents.read(4088, 16) == bytes([9, 9, *range(12), 9, 9])


def test_fault_by_address(bench):
    """A fault at any byte of a line affects that line of the third burst."""
    traffic = Traffic(mode=WRITE | READ, bursts=10, beats=8)
    start, _ = list(traffic.spans())[2]
    memory = Memory(faults=[Fault(address=start + 5 * 64 + 13, write=True)], fill=0)
    outcome = run(bench(), traffic, memory=memory).checked()
    assert outcome.memory["m_axi"].errors == 1
    assert outcome.reads[:2] == (1, 1)  # an error in the write's answer; the line is not written
    assert outcome.contents.read(start + 4 * 64, 64) == content(start + 4 * 64, 64)
    assert outcome.contents.read(start + 5 * 64, 64) == bytes(64)
    read_and_write = Memory(faults=[Fault(response="decerr", address=start)])
    outcome = run(bench(), traffic, memory=read_and_write).checked()
    assert outcome.memory["m_axi"].errors == 2
    assert outcome.reads[:2] == (0, 2)


def test_fault_by_access(bench):
    traffic = Traffic(mode=WRITE | READ, bursts=10, beats=8)
    memory = Memory(faults=[Fault(access=3, write=False), Fault(access=5, write=True)])
    outcome = run(bench(), traffic, memory=memory).checked()
    assert outcome.memory["m_axi"].errors == outcome.reads[1] == 8 + 1
    assert outcome.reads[0] == 8  # lines that the sixth write did not write


def test_reset_drops_outstanding_bursts(bench):
    traffic = Traffic(mode=WRITE | READ, bursts=100, beats=8)
    for cycle in (200, 450, 1200):
        outcome = run(
            bench(), traffic, memory=Memory(**BUSY), reset=ResetInStream(cycle=cycle)
        ).checked()
        assert outcome.reads[:2] == (0, 0)
        assert outcome.memory["m_axi"].write_bursts > 100


def test_two_masters_share_one_memory(build_cache):
    traffic = Traffic(mode=WRITE | READ, bursts=30, beats=4, size=4)
    outcome = run(
        twin_bench(128, cache=build_cache),
        traffic,
        packets={"m_axis": 1, "m_axis_1": 1},
        memory=Memory(delay=9, reorder=True),
    ).checked()
    for output in outcome.outputs.values():
        assert output.beats.data.tobytes() == bytes(4)
    assert outcome.memory["m_axi"] == outcome.memory["m_axi_1"]
    assert list(outcome.memory) == ["m_axi", "m_axi_1"]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("defect", "change", "message"),
    [
        ("CHANGES", {}, "m_axi_w: payload changed before ready"),
        ("WITHDRAWS", {}, "m_axi_ar: valid withdrawn before ready"),
        ("WAITS_FOR_READY", {}, "m_axi_ar: valid or its payload depends on ready in the same cyc"),
        ("FIXED", {}, "m_axi_aw: burst is not INCR"),
        ("VALID_IN_RESET", {}, "m_axi_aw: valid during reset"),
        ("STROBES_OUTSIDE", {"size": 5}, "m_axi_w: strobe outside of the beat's bytes"),
        ("LASTS_EARLY", {}, "m_axi_w: wlast too early"),
        ("LASTS_EARLY", {}, "m_axi_w: wlast missing"),
        (None, {"size": 7}, "m_axi_aw: size is wider than the bus"),
        (None, {"beats": 64, "offset": 64}, "m_axi_aw: burst crosses 4 KiB"),
    ],
)
def test_broken_master_is_caught(bench, defect, change, message):
    traffic = Traffic(**{"mode": WRITE | READ, "bursts": 20, "beats": 4} | change)
    outcome = run(bench(512, defect), traffic, memory=Memory(stall=0.5), idle_timeout=500)
    with pytest.raises(ProtocolError, match=message):
        outcome.checked()


@pytest.mark.in_turn
@pytest.mark.parametrize("memory", [{}, {"stall": 0.4}], ids=["free", "stalled"])
def test_through_cocotb(bench, build_cache, memory):
    traffic = Traffic(mode=WRITE | READ, bursts=12, beats=8, size=3, offset=4)
    compiled = run(bench(64), traffic, memory=Memory(**memory)).checked()
    for simulator in ("icarus", "verilator"):
        other = run(
            traffic_bench(64, cache=build_cache, simulator=simulator),
            traffic,
            memory=Memory(**memory),
            seed=3,
        ).checked()
        assert other.reads[:2] == (0, 0)
        assert all_written(other, traffic)
        assert other.memory == compiled.memory
        assert other.outputs["m_axis"].beats.same(compiled.beats)


def test_faults_through_cocotb(build_cache):
    traffic = Traffic(mode=WRITE | READ, bursts=6, beats=4, size=3)
    start = traffic.start(2)
    memory = Memory(faults=[Fault(address=start)], contents={start: bytes(32)})
    bench = traffic_bench(64, cache=build_cache, simulator="icarus")
    outcome = run(bench, traffic, memory=memory).checked()
    assert outcome.reads[:2] == (0, 5)  # four beats read, and one answer to a write
    assert outcome.memory["m_axi"].errors == 5
    assert outcome.contents.read(start, 32) == bytes(32)
    with pytest.raises(ValueError, match="faults must be slverr by address through cocotb"):
        run(bench, traffic, memory=Memory(faults=[Fault(access=1)]))


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("defect", "message"),
    [
        ("CHANGES", "m_axi_w: payload changed before ready"),
        ("WITHDRAWS", "m_axi_ar: valid withdrawn before ready"),
        ("VALID_IN_RESET", "m_axi_aw: valid during reset"),
    ],
)
def test_broken_master_is_caught_in_icarus(build_cache, defect, message):
    bench = traffic_bench(64, defect, cache=build_cache, simulator="icarus")
    traffic = Traffic(mode=WRITE | READ, bursts=12, beats=4, size=3)
    outcome = run(bench, traffic, memory=Memory(stall=0.5), idle_timeout=500)
    with pytest.raises(ProtocolError, match=message):
        outcome.checked()


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"backend": "sram"}, "backend must be one of ideal, ddr3, not sram"),
        ({"latency": 0}, "latency must be at least 1, not 0"),
        ({"delay": -1}, "delay must be at least 0, not -1"),
        ({"outstanding": 0}, "outstanding must be at least 1, not 0"),
        ({"stall": 1.0}, "stall must be between 0 and 0.99, not 1.0"),
        ({"fill": 256}, "fill must be a byte, not 256"),
    ],
)
def test_invalid_memories(attributes, message):
    with pytest.raises(ValueError, match=message):
        Memory(**attributes)


def test_invalid_faults():
    with pytest.raises(ValueError, match="response must be slverr or decerr, not okay"):
        Fault(response="okay", address=0)
    with pytest.raises(ValueError, match="must have either address or access"):
        Fault()
    with pytest.raises(ValueError, match="must have either address or access"):
        Fault(address=0, access=0)
