"""Checks a soft reset in any cycle of any engine, and ``busy`` while an engine has a stream."""

import random

import numpy as np
import pytest

from rtl.bus.registers import BUSY, STATUS
from rtl.bus.top import SKID_LATENCY
from sim.job import ResetInStream, SoftReset
from sim.memory import Memory
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.engine_streams import KEYS, NAMES, engine_streams

pytestmark = pytest.mark.hdl

#: Designs that are similar to others, and run in `make regress` only.
LONG = ("keys, xor", "keys, sz", "keys, cache", "keys, xor-chained")
#: A memory that answers late, so that a reset finds open bursts.
MEMORY = Memory(latency=60, delay=40, stall=0.1, reorder=True)
#: Designs that seldom access their memory.
FEW_BURSTS = ("keys, M2 outside", "keys, base-delta", *LONG)
EVERY_NAME = (*NAMES, *KEYS)


def names(*long):
    """Returns the names of all designs; ``long`` ones are for `make regress`."""
    return [pytest.param(n, marks=pytest.mark.regress) if n in long else n for n in EVERY_NAME]


CONSTANT = {0x000: "magic", 0x004: "version", 0x008: "configuration", 0x00C: "capabilities"}
STALLS = [{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}]


def soft_reset(name, seed, wait, hold=0):
    """Checks one run with a soft reset; the output first stalls for ``hold`` cycles.

    Streams that begin after the reset are answered in full. Streams before the reset deliver their
    first rows only, and the reset ends a cut packet. Returns three flags: the reset cut an input
    stream, an output packet, and bursts of a memory.
    """
    rng = random.Random(f"{name} {seed} {wait}")
    inputs = engine_streams(name, rng, [rng.choice([1, 2, 7, 30, 60]) for _ in range(8)])
    dut = shipped(inputs.design)
    beats = dut.beats(inputs.streams)
    result = dut.run(
        beats,
        inputs.settings,
        reset=SoftReset(cycle=rng.randrange(30, 300 + len(beats)), wait=wait),
        hold_output=hold,
        early=True,
        background_reads=list(CONSTANT),
        seed=seed,
        idle_timeout=50_000 + hold,
        drain=600,
        memory=MEMORY,
        **rng.choice(STALLS),
    )
    outcome = result.outcome
    for _, address, value in outcome.background:
        if address in CONSTANT:
            assert value == dut.registers[CONSTANT[address]].value
    (input_side,) = outcome.inputs.values()
    clear = outcome.soft_reset + 1
    start_cycles = input_side.beat_cycles[beats.starts]
    first_fresh = int(np.searchsorted(start_cycles, clear, side="right"))
    expected = [packet for packets in inputs.packets[first_fresh:] for packet in packets]
    old_packets = [packet for packets in inputs.packets[:first_fresh] for packet in packets]
    cut = cut_packet(result.packets, old_packets, expected)
    assert outcome.beats.last[-1] if len(outcome.beats) else True

    tuples = [sum(not isinstance(e, int) for e in stream) for stream in inputs.streams]
    assert result.counters["tuples"] == sum(tuples[first_fresh:])
    assert result.counters["streams"] == len(tuples) - first_fresh
    assert result.counters["rows"] == sum(map(len, expected))
    late = input_side.beat_cycles > clear
    late[len(beats) if first_fresh == len(start_cycles) else beats.starts[first_fresh] :] = False
    size = inputs.design.input.packing.bytes
    swallowed = beats.keep[:, ::size][late]
    users = beats.users[late]
    assert result.counters["cut"] == int(swallowed[~users.astype(bool)].sum())
    assert result.errors <= {"bad_setting"}
    if wait:  # when ``busy`` has fallen, all of the old rows have left
        status = [(c, value) for c, address, value in outcome.background if address == STATUS]
        idle = [cycle for cycle, value in status if not value >> BUSY.low]
        old = outcome.beat_cycles[np.flatnonzero(outcome.beats.last)][
            : len(result.packets) - len(expected)
        ]
        assert old.max(initial=0) < idle[-1]
    return bool(late.any()), cut, bursts_at_reset(result)


def bursts_at_reset(result):
    """Returns True if a memory had open bursts at the reset."""
    return any(traffic.open_at_reset for traffic in result.outcome.memory.values())


@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
@pytest.mark.parametrize("name", names(*LONG))
@pytest.mark.parametrize(
    "seeds", [range(30), pytest.param(range(30, 130), marks=pytest.mark.regress)], ids=len
)
def test_a_soft_reset_in_any_cycle(name, wait, seeds):
    met = [soft_reset(name, seed, wait) for seed in seeds]
    streams, packets, bursts = map(sum, zip(*met, strict=True))
    assert streams > len(seeds) // 20
    if name in ("group-by", "swag", *KEYS):  # their packets have more than one beat
        assert packets > len(seeds) // 50
    assert bursts > (len(seeds) // 4 if name in KEYS else -1)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        ("group-by", range(2)),
        *(pytest.param(n, range(12), marks=pytest.mark.regress) for n in EVERY_NAME),
    ],
    ids=str,
)
def test_a_reset_while_the_output_stalls_for_100_000_cycles(name, seeds):
    """The output stalls until everything is full; the host writes the next settings and resets.

    The host waits until ``busy`` falls, or not; settings of later streams are written at any time.
    """
    met = [soft_reset(name, seed, wait=bool(seed % 2), hold=100_000) for seed in seeds]
    assert sum(streams for streams, *_ in met) > len(seeds) // 10


@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("name", names(*LONG, "keys, base-delta"))
@pytest.mark.parametrize(
    "seeds", [range(100), pytest.param(range(100, 200), marks=pytest.mark.regress)], ids=str
)
def test_a_reset_by_the_pin_in_any_cycle(name, seeds):
    """Streams after the reset are answered, with settings that are written again."""
    bursts = 0
    for seed in seeds:
        rng = random.Random(f"{name} {seed}")
        inputs = engine_streams(name, rng, [rng.choice([1, 2, 7, 30, 60]) for _ in range(6)])
        dut = shipped(inputs.design)
        beats = dut.beats(inputs.streams)
        first = rng.randrange(len(inputs.streams))
        expected = [packet for packets in inputs.packets[first:] for packet in packets]
        result = dut.run(
            beats,
            inputs.settings,
            reset=ResetInStream(rng.randrange(20, 60 + len(beats)), int(beats.starts[first])),
            packets=len(expected),
            early=True,
            seed=seed,
            idle_timeout=50_000,
            drain=600,
            memory=MEMORY,
            **rng.choice(STALLS),
        )
        assert result.packets == expected
        bursts += bursts_at_reset(result)
        if inputs.answers:
            assert result.tally == joined(inputs.answers[first:])[1]
        assert result.counters["streams"] == len(inputs.streams) - first
        assert result.counters["cut"] == 0
        assert result.errors <= {"bad_setting"}
    # With M2 outside a larger table is cleared first; codecs need fewer reads.
    assert bursts > (9 if name in FEW_BURSTS else 24 if name in KEYS else -1)


@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("name", names(*LONG, "keys, base-delta"))
def test_busy_exactly_while_the_engine_contains_a_stream(name):
    """Reads ``busy`` all the time, while streams with long pauses pass."""
    design, seen = None, {True: 0, False: 0}
    for seed in range(10):
        rng = random.Random(f"{name} {seed}")
        inputs = engine_streams(name, rng, [rng.choice([1, 1, 2, 5, 40]) for _ in range(12)])
        design, dut = inputs.design, shipped(inputs.design)
        beats = dut.beats(inputs.streams)
        packets = sum(map(len, inputs.packets))
        result = dut.run(
            beats,
            inputs.settings,
            packets=packets,
            background_reads=[STATUS],
            background_rate=0.9,
            stall_input=0.98,
            stall_output=(0, 0.7)[seed % 2],
            seed=seed,
            idle_timeout=50_000,
            drain=600,
        )
        outcome = result.outcome
        (input_side,) = outcome.inputs.values()
        assert result.packets == [packet for packets in inputs.packets for packet in packets]
        start_cycles = input_side.beat_cycles[beats.starts]
        end_cycles = input_side.beat_cycles[np.flatnonzero(beats.last)]
        outs = outcome.beat_cycles[np.flatnonzero(outcome.beats.last)]
        counts = np.cumsum([len(packets) for packets in inputs.packets])
        leave_cycles = np.maximum(end_cycles, [outs[:count].max(initial=0) for count in counts])
        if name in KEYS:  # each stream also has a packet of evicted rows
            other = outcome.outputs["m_axis_evicted"]
            outs = other.beat_cycles[np.flatnonzero(other.beats.last)]
            leave_cycles = np.maximum(
                leave_cycles, [outs[:count].max(initial=0) for count in counts]
            )
        prediction = design.prediction
        slack = (
            max(latency.cycles for latency in prediction.latencies)
            + prediction.pause
            + SKID_LATENCY
        )
        if name == "keys, dram-only":  # its last lines are read and written after the last row
            slack += 3 * Memory().latency
        for cycle, _, value in outcome.background:
            busy = bool(value >> BUSY.low)
            started = start_cycles < cycle
            is_inside = bool((started & (leave_cycles >= cycle)).any())
            if is_inside:
                assert busy, cycle
                seen[True] += 1
            elif not started.any() or (cycle - leave_cycles[started].max() > slack):
                assert not busy, (cycle, leave_cycles[started].max(initial=0))
                seen[False] += 1
    assert min(seen.values()) > 20
