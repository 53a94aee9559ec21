"""A soft reset in any cycle of any engine, and what ``busy`` says of what is inside."""

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
#: The engine that has a memory, with its design and what makes streams for it.
KEYS = {
    "keys": (test_streamzip.PLAIN, key_bench),
    "keys, dram-only": (test_streamzip.POINTS["dram-only"], key_bench),
    "keys, M2 outside": (test_streamzip.OUTSIDE, key_bench),
    "keys, base-delta": (test_streamzip.POINTS["base-delta"], key_bench),
    "keys, cache": (test_streamzip.POINTS["cache"], key_bench),
    "keys in time": (test_streamzip_time.PLAIN, key_time_bench),
    "keys, xor": (test_streamzip.POINTS["xor"], key_bench),
    "keys, sz": (test_streamzip.POINTS["sz"], key_bench),
}
#: Those that are so like others that they are not for every day.
LONG = ("keys, xor", "keys, sz", "keys, cache")
#: It answers late, so that a reset finds bursts under way.
MEMORY = Memory(latency=60, delay=40, stall=0.1, reorder=True)
#: Those that are seldom at their memory.
FEW = ("keys, M2 outside", "keys, base-delta", "keys, cache", "keys, xor", "keys, sz")
ALL = (*NAMES, *KEYS)


def names(*long):
    """All, of which these are for `make regress`."""
    return [pytest.param(n, marks=pytest.mark.regress) if n in long else n for n in ALL]


@dataclass(frozen=True)
class Fed:
    """Streams for a design, what the host sets before each, and the packets of each.

    ``answers`` are (rows, counters) of each, where the engine's model counts.
    """

    design: Design
    streams: list
    settings: list
    packets: list
    answers: list = ()


def fed(name, rng, counts):
    if name == "group-by":
        streams = group_bench.streams_of(GROUPS, rng, counts)
        settings = [{"where0": rng.choice([-5, 0, 40, 63, 64])} for _ in streams]
        packets = [
            [group_rows(GROUPS.query, [t for t in stream if t["y"] < set_["where0"]])]
            if set_["where0"] < 64
            else []
            for stream, set_ in zip(streams, settings, strict=True)
        ]
        return Fed(GROUPS, streams, settings, packets)
    if name == "swag":
        streams = swag_bench.streams_of(SWAG, rng, counts)
        sizes = [4 * rng.randint(1, 9) for _ in streams]  # 36 is refused
        settings = [{"size": size, "slide": 4 * rng.randint(1, size // 4)} for size in sizes]
        return Fed(SWAG, streams, settings, swag_bench.expected(SWAG, streams, settings))
    if name in KEYS:
        return keys_fed(*KEYS[name], rng, counts)
    if name == "rows":
        design, bench = test_two_stacks.FILTERED, rows_bench
        told, passes = rows_bench.random_streams(rng, counts), test_two_stacks.passes_of
    else:
        design, bench = IN_TIME[name], time_bench
        told, passes = streams_in_time(rng, design, counts), passes_in_time
    answers = [bench.answer(design, stream, passes(stream)) for stream in told]
    return Fed(
        design,
        [stream.events for stream in told],
        [stream.settings() for stream in told],
        [[[row] for row in rows] for rows, _ in answers],
        answers,
    )


def keys_fed(design, bench, rng, counts):
    told = bench.random_streams(rng, design, counts, keys=9)
    passes = (lambda stream, t: True) if design.query.where is None else test_streamzip.passes
    each = [bench.Answers(design, [stream], passes) for stream in told]
    return Fed(
        design,
        [stream.events for stream in told],
        [stream.settings(design) for stream in told],
        [answer.packets for answer in each],
        [([], answer.tally) for answer in each],
    )


CONSTANT = {0x000: "magic", 0x004: "version", 0x008: "configuration", 0x00C: "capabilities"}
STALLS = [{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}]


def soft_reset(name, seed, wait, hold=0):
    """One run with a soft reset somewhere, and no row taken for ``hold`` cycles: what it met.

    That is whether it cut a stream coming in, a packet going out, bursts on a memory.
    Streams that begin behind it are answered as if nothing had been; of those before it come some
    rows, the first ones, and the packet that it cuts is ended.
    """
    rng = random.Random(f"{name} {seed} {wait}")
    given = fed(name, rng, [rng.choice([1, 2, 7, 30, 60]) for _ in range(8)])
    dut = shipped(given.design)
    beats = dut.beats(given.streams)
    done = dut.run(
        beats,
        given.settings,
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
    told = done.outcome
    for _, address, value in told.background:
        if address in CONSTANT:
            assert value == dut.registers[CONSTANT[address]].value
    (into,) = told.inputs.values()
    clear = told.soft_reset + 1
    begins = into.beat_cycles[beats.starts]
    fresh = int(np.searchsorted(begins, clear, side="right"))
    wanted = [packet for packets in given.packets[fresh:] for packet in packets]
    before = [packet for packets in given.packets[:fresh] for packet in packets]
    cut = cut_packet(done.packets, before, wanted)
    assert told.beats.last[-1] if len(told.beats) else True

    tuples = [sum(not isinstance(e, int) for e in stream) for stream in given.streams]
    assert done.counters["tuples"] == sum(tuples[fresh:])
    assert done.counters["streams"] == len(tuples) - fresh
    assert done.counters["rows"] == sum(map(len, wanted))
    late = into.beat_cycles > clear
    late[len(beats) if fresh == len(begins) else beats.starts[fresh] :] = False
    size = given.design.input.packing.bytes
    swallowed = beats.keep[:, ::size][late]
    users = beats.users[late]
    assert done.counters["cut"] == int(swallowed[~users.astype(bool)].sum())
    assert done.errors <= {"bad_setting"}
    if wait:  # when nothing is busy any more all of the old rows have come
        status = [(c, value) for c, address, value in told.background if address == STATUS]
        idle = [cycle for cycle, value in status if not value >> BUSY.low]
        old = told.beat_cycles[np.flatnonzero(told.beats.last)][: len(done.packets) - len(wanted)]
        assert old.max(initial=0) < idle[-1]
    return bool(late.any()), cut, bursts_at_reset(done)


def bursts_at_reset(done):
    """Whether a memory had some to answer."""
    return any(traffic.open_at_reset for traffic in done.outcome.memory.values())


@pytest.mark.parametrize("wait", [False, True], ids=["at once", "waiting"])
@pytest.mark.parametrize("name", names(*LONG))
@pytest.mark.parametrize(
    "seeds", [range(30), pytest.param(range(30, 130), marks=pytest.mark.regress)], ids=len
)
def test_a_soft_reset_in_any_cycle(name, wait, seeds):
    met = [soft_reset(name, seed, wait) for seed in seeds]
    streams, packets, bursts = map(sum, zip(*met, strict=True))
    assert streams > len(seeds) // 20
    if name in ("group-by", "swag", *KEYS):  # whose packets have more than one beat
        assert packets > len(seeds) // 50
    assert bursts > (len(seeds) // 4 if name in KEYS else -1)


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        ("group-by", range(2)),
        *(pytest.param(n, range(12), marks=pytest.mark.regress) for n in ALL),
    ],
    ids=str,
)
def test_nothing_is_taken_for_100_000_cycles_and_a_reset_in_them(name, seeds):
    """All is full, and the host sets what is next, resets, and waits until nothing is busy, or not;
    settings of streams to come are written at any time in between."""
    met = [soft_reset(name, seed, wait=bool(seed % 2), hold=100_000) for seed in seeds]
    assert sum(streams for streams, *_ in met) > len(seeds) // 10


@pytest.mark.parametrize("name", names(*LONG, "keys, base-delta"))
def test_a_reset_by_the_pin_in_any_cycle(name):
    """The streams that are fed after it are answered, with settings that are written anew."""
    bursts = 0
    for seed in range(200):
        rng = random.Random(f"{name} {seed}")
        given = fed(name, rng, [rng.choice([1, 2, 7, 30, 60]) for _ in range(6)])
        dut = shipped(given.design)
        beats = dut.beats(given.streams)
        first = rng.randrange(len(given.streams))
        wanted = [packet for packets in given.packets[first:] for packet in packets]
        done = dut.run(
            beats,
            given.settings,
            reset=ResetInStream(rng.randrange(20, 60 + len(beats)), int(beats.starts[first])),
            packets=len(wanted),
            early=True,
            seed=seed,
            idle_timeout=50_000,
            drain=600,
            memory=MEMORY,
            **rng.choice(STALLS),
        )
        assert done.packets == wanted
        bursts += bursts_at_reset(done)
        if given.answers:
            assert done.tally == joined(given.answers[first:])[1]
        assert done.counters["streams"] == len(given.streams) - first
        assert done.counters["cut"] == 0
        assert done.errors <= {"bad_setting"}
    # With M2 outside there is a larger table, which is cleared first; codecs spare reads.
    assert bursts > (20 if name in FEW else 50 if name in KEYS else -1)


@pytest.mark.parametrize("name", names(*LONG, "keys, base-delta"))
def test_busy_while_anything_is_inside_and_not_for_longer(name):
    """Read all the time, of streams with long pauses between them."""
    design, seen = None, {True: 0, False: 0}
    for seed in range(10):
        rng = random.Random(f"{name} {seed}")
        given = fed(name, rng, [rng.choice([1, 1, 2, 5, 40]) for _ in range(12)])
        design, dut = given.design, shipped(given.design)
        beats = dut.beats(given.streams)
        packets = sum(map(len, given.packets))
        done = dut.run(
            beats,
            given.settings,
            packets=packets,
            background_reads=[STATUS],
            background_rate=0.9,
            stall_input=0.98,
            stall_output=(0, 0.7)[seed % 2],
            seed=seed,
            idle_timeout=50_000,
            drain=600,
        )
        told = done.outcome
        (into,) = told.inputs.values()
        assert done.packets == [packet for packets in given.packets for packet in packets]
        begins = into.beat_cycles[beats.starts]
        ends = into.beat_cycles[np.flatnonzero(beats.last)]
        outs = told.beat_cycles[np.flatnonzero(told.beats.last)]
        counts = np.cumsum([len(packets) for packets in given.packets])
        gone = np.maximum(ends, [outs[:count].max(initial=0) for count in counts])
        if name in KEYS:  # which have a packet there for each of these
            other = told.outputs["m_axis_evicted"]
            outs = other.beat_cycles[np.flatnonzero(other.beats.last)]
            gone = np.maximum(gone, [outs[:count].max(initial=0) for count in counts])
        told_ = design.prediction
        slack = max(latency.cycles for latency in told_.latencies) + told_.pause + SKID_LATENCY
        if name == "keys, dram-only":  # behind the last row its last lines are read and written
            slack += 3 * Memory().latency
        for cycle, _, value in told.background:
            busy = bool(value >> BUSY.low)
            begun = begins < cycle
            inside = bool((begun & (gone >= cycle)).any())
            if inside:
                assert busy, cycle
                seen[True] += 1
            elif not begun.any() or (cycle - gone[begun].max() > slack):
                assert not busy, (cycle, gone[begun].max(initial=0))
                seen[False] += 1
    assert min(seen.values()) > 20
