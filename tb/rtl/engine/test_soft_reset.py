"""A soft reset in any cycle of any engine, and ``busy`` while an engine contains a stream."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from rtl.bus.registers import BUSY, STATUS
from rtl.bus.top import SKID_LATENCY
from rtl.contract.design import Design
from sim.job import ResetInStream, SoftReset
from sim.memory import Memory
from tb.rtl.bus.soft_reset import cut_packet
from tb.rtl.engine import (
    group_bench,
    key_bench,
    key_time_bench,
    rows_bench,
    swag_bench,
    test_streamzip,
    test_streamzip_time,
    test_two_stacks,
    time_bench,
)
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.model import group_rows
from tb.rtl.engine.test_time import ENGINES as IN_TIME
from tb.rtl.engine.test_time import passes_of as passes_in_time
from tb.rtl.engine.test_time import random_streams as streams_in_time

pytestmark = pytest.mark.hdl

GROUPS = group_bench.point(
    "uint(6)", "int(6)", where="WHERE y < 9", constants="run-time", count_width=10
)
SWAG = swag_bench.point("uint(6)", "int(6)", "sum(x), median(x)", capacity=8, window_max=32)
NAMES = ("group-by", "swag", "rows", *IN_TIME)
#: Designs with a memory, and the modules that make streams for them.
KEYS = {
    "keys": (test_streamzip.PLAIN, key_bench),
    "keys, dram-only": (test_streamzip.POINTS["dram-only"], key_bench),
    "keys, M2 outside": (test_streamzip.EXTERNAL_M2, key_bench),
    "keys, base-delta": (test_streamzip.POINTS["base-delta"], key_bench),
    "keys, cache": (test_streamzip.POINTS["cache"], key_bench),
    "keys in time": (test_streamzip_time.PLAIN, key_time_bench),
    "keys, xor": (test_streamzip.POINTS["xor"], key_bench),
    "keys, sz": (test_streamzip.POINTS["sz"], key_bench),
}
#: Designs that are similar to others, and run in `make regress` only.
LONG = ("keys, xor", "keys, sz", "keys, cache")
#: A memory that answers late, so that a reset finds open bursts.
MEMORY = Memory(latency=60, delay=40, stall=0.1, reorder=True)
#: Designs that seldom access their memory.
FEW_BURSTS = ("keys, M2 outside", "keys, base-delta", "keys, cache", "keys, xor", "keys, sz")
EVERY_NAME = (*NAMES, *KEYS)


def names(*long):
    """Returns the names of all designs; ``long`` ones are for `make regress`."""
    return [pytest.param(n, marks=pytest.mark.regress) if n in long else n for n in EVERY_NAME]


@dataclass(frozen=True)
class EngineStreams:
    """Streams for a design, the settings before each stream, and the packets of each stream.

    ``answers`` are (rows, counters) of each stream, if the model of the engine has counters.
    """

    design: Design
    streams: list
    settings: list
    packets: list
    answers: list = ()


def engine_streams(name, rng, counts):
    if name == "group-by":
        streams = group_bench.streams_of(GROUPS, rng, counts)
        settings = [{"where0": rng.choice([-5, 0, 40, 63, 64])} for _ in streams]
        packets = [
            [group_rows(GROUPS.query, [t for t in stream if t["y"] < set_["where0"]])]
            if set_["where0"] < 64
            else []
            for stream, set_ in zip(streams, settings, strict=True)
        ]
        return EngineStreams(GROUPS, streams, settings, packets)
    if name == "swag":
        streams = swag_bench.streams_of(SWAG, rng, counts)
        sizes = [4 * rng.randint(1, 9) for _ in streams]  # 36 is refused
        settings = [{"size": size, "slide": 4 * rng.randint(1, size // 4)} for size in sizes]
        return EngineStreams(SWAG, streams, settings, swag_bench.expected(SWAG, streams, settings))
    if name in KEYS:
        return key_streams(*KEYS[name], rng, counts)
    if name == "rows":
        design, bench = test_two_stacks.FILTERED, rows_bench
        timed_streams, passes = rows_bench.random_streams(rng, counts), test_two_stacks.passes_of
    else:
        design, bench = IN_TIME[name], time_bench
        timed_streams, passes = streams_in_time(rng, design, counts), passes_in_time
    answers = [bench.answer(design, stream, passes(stream)) for stream in timed_streams]
    return EngineStreams(
        design,
        [stream.events for stream in timed_streams],
        [stream.settings() for stream in timed_streams],
        [[[row] for row in rows] for rows, _ in answers],
        answers,
    )


def key_streams(design, bench, rng, counts):
    streams = bench.random_streams(rng, design, counts, keys=9)
    passes = (lambda stream, t: True) if design.query.where is None else test_streamzip.passes
    answers = [bench.Answers(design, [stream], passes) for stream in streams]
    return EngineStreams(
        design,
        [stream.events for stream in streams],
        [stream.settings(design) for stream in streams],
        [answer.packets for answer in answers],
        [([], answer.tally) for answer in answers],
    )


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


@pytest.mark.parametrize("name", names(*LONG, "keys, base-delta"))
def test_a_reset_by_the_pin_in_any_cycle(name):
    """Streams after the reset are answered, with settings that are written again."""
    bursts = 0
    for seed in range(200):
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
    assert bursts > (20 if name in FEW_BURSTS else 50 if name in KEYS else -1)


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
