"""AXI4-Stream to beats and back: bytes by hand, keep, sign extension, and refused transfers."""

import random
from functools import partial

import pytest

from rtl.bus.stream_master import StreamMaster
from rtl.bus.stream_slave import StreamSlave
from tb.bench.unit import run_stream, run_streams, simulate
from tb.rtl.beats import slots, sparse
from tb.rtl.bus.stream_adapter import PACKING, ROW, AsStream

LANES = 3


def packed(row):
    """Returns the bytes of a row, each field extended to whole bytes, little-endian."""
    a, b, c = row["a"] & 0xFFFF, row["b"], row["c"] & 0xFF
    return a | b << 16 | c << 24


def draw(rng):
    return {"a": rng.randrange(-256, 256), "b": rng.randrange(32), "c": rng.randrange(-4, 4)}


def on_bus(beat):
    present = slots(beat)
    return {
        "tdata": sum(packed(row) << 32 * k for k, row in enumerate(present) if row is not None),
        "tkeep": sum(0xF << 4 * k for k, row in enumerate(present) if row is not None),
        "tlast": beat["last"],
    }


def masked(word):
    """Returns a transfer with bytes without ``tkeep`` set to 0."""
    mask = sum(0xFF << 8 * k for k in range(4 * LANES) if word["tkeep"] >> k & 1)
    return word | {"tdata": word["tdata"] & mask}


def beats(seed, count=80):
    rng = random.Random(seed)
    return sparse(rng, count, LANES, lambda: draw(rng), 0.7)


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3), (0.2, 0.6)])
def test_slave(stall_in, stall_out):
    sent = beats(1)
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=True))
    run = run_streams(
        dut,
        {"i": [on_bus(b) for b in sent]},
        {"o": 80, "reports": 80},
        stall_in=stall_in,
        stall_out={"o": stall_out},
        seed=2,
    )
    received, reports = run["o"].payloads, run["reports"].payloads
    assert [slots(g) for g in received] == [slots(b) for b in sent]
    assert [g["last"] for g in received] == [b["last"] for b in sent]
    assert not any(any(r["errors"].values()) for r in reports)
    counted = [(r["events"]["tuples"], r["events"]["streams"]) for r in reports]
    assert counted == [(b["valid"].bit_count(), b["last"]) for b in sent]
    if not stall_in and not stall_out:
        assert run["i"].cycles == list(range(80))
        assert run["o"].cycles == [k + StreamSlave.latency for k in range(80)]


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3), (0.2, 0.6)])
def test_master(stall_in, stall_out):
    sent = beats(3)
    dut = AsStream(StreamMaster(PACKING, ROW, LANES))
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 4}
    run = run_streams(dut, {"i": sent}, {"o": 80, "reports": 80}, **stalls)
    rows = [r["events"]["rows"] for r in run["reports"].payloads]
    assert rows == [b["valid"].bit_count() for b in sent]
    assert [masked(word) for word in run["o"].payloads] == [on_bus(b) for b in sent]
    if not stall_in and not stall_out:
        assert run["i"].cycles == list(range(80))
        assert run["o"].cycles == [k + StreamMaster.latency for k in range(80)]


def test_bytes_by_hand():
    """-2 in 9 bits is FE FF, 17 is 11, -1 in 3 bits is FF; lane 1 has the row, lane 0 has none."""
    beat = {"tuples": [{"a": 0, "b": 0, "c": 0}, {"a": -2, "b": 17, "c": -1}], "valid": 2}
    beat["tuples"].append(beat["tuples"][0])
    word = run_stream(
        AsStream(StreamMaster(PACKING, ROW, LANES)), [beat | {"last": 1}], expected=1
    ).payloads[0]
    assert word["tdata"].to_bytes(12, "little")[4:8] == bytes([0xFE, 0xFF, 0x11, 0xFF])
    assert word["tkeep"] == 0x0F0
    assert word["tlast"] == 1


def reported(dut, words, flag, **stalls):
    """Returns a flag for each transfer, as the core sees it."""
    run = run_streams(dut, {"i": words}, {"o": len(words), "reports": len(words)}, **stalls)
    return [report["errors"][flag] for report in run["reports"].payloads]


@pytest.mark.parametrize(
    ("tkeep", "tlast", "bad", "bad_with_gaps"),
    [
        (0xFFF, 0, 0, 0),
        (0xFFF, 1, 0, 0),
        (0x0FF, 1, 0, 0),
        (0x000, 1, 0, 0),
        (0x0FF, 0, 1, 0),  # short, and not the last
        (0x000, 0, 1, 0),
        (0xF0F, 1, 1, 0),  # a gap
        (0xFF0, 1, 1, 0),
        (0x00E, 1, 1, 1),  # half a tuple
        (0xFF7, 1, 1, 1),
    ],
)
def test_bad_beats(tkeep, tlast, bad, bad_with_gaps):
    word = {"tdata": 0, "tkeep": tkeep, "tlast": tlast}
    for gaps, expected in ((False, bad), (True, bad_with_gaps)):
        dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=gaps))
        assert reported(dut, [word], "bad_beat") == [expected]


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3)])
@pytest.mark.parametrize("gaps", [False, True])
def test_punctuations_have_bytes_but_no_tuple_and_are_never_bad(gaps, stall_in, stall_out):
    """Uneven, empty, short and full punctuations; the tuples between them are checked as usual."""
    row = {"a": -3, "b": 7, "c": -1}
    word = {"tdata": packed(row), "tkeep": 0xFFF, "tlast": 0, "tuser": 0}
    short = word | {"tkeep": 0x00F, "tlast": 1}
    keep_values = (0xFFF, 0x00F, 0x003, 0x0F0, 0x000)
    words = [word, *(word | {"tkeep": keep, "tuser": 1} for keep in keep_values), word]
    words += [word | {"tkeep": 0x00F}, word | {"tlast": 1, "tuser": 1}, short]
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=gaps, user=1))
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 6}
    run = run_streams(dut, {"i": words}, {"o": len(words), "reports": len(words)}, **stalls)
    received, reports = run["o"].payloads, run["reports"].payloads
    assert [g["user"] for g in received] == [0, 1, 1, 1, 1, 1, 0, 0, 1, 0]
    assert [g["valid"] for g in received] == [7, 0, 0, 0, 0, 0, 7, 1, 0, 1]
    assert [g["last"] for g in received] == [0] * 8 + [1, 1]
    assert [r["errors"]["bad_beat"] for r in reports] == [0] * 7 + [int(not gaps), 0, 0]
    assert [r["events"]["tuples"] for r in reports] == [3, 0, 0, 0, 0, 0, 3, 1, 0, 1]
    assert all(g["tuples"][0] == row for g in received)


def test_a_wide_tuser_goes_along_beside_the_context():
    """Each transfer is a stream: transfer k has a ``tuser`` of k and the context 7 - k modulo 8."""
    dut = StreamSlave(PACKING, ROW, LANES, gaps=True, context=3, user=4)
    received = []

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        ctx.set(dut.bus.tkeep, 0xFFF)
        ctx.set(dut.bus.tlast, 1)
        for k in range(16 + StreamSlave.latency):
            ctx.set(dut.bus.tvalid, k < 16)
            ctx.set(dut.bus.tuser, k % 16)
            ctx.set(dut.context, (7 - k) % 8)
            _, _, valid, beat = await ctx.tick().sample(dut.o.valid, dut.o.p)
            if valid:
                received.append((beat.user, beat.context, beat.valid))

    simulate(dut, bench)
    assert received == [(k, (7 - k) % 8, 0 if k else 7) for k in range(16)]


@pytest.mark.parametrize("longest", [5, 7, 8])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3)])
def test_a_stream_that_is_too_long(longest, stall_in, stall_out):
    """Streams of 5 to 9 tuples, one in a beat: the flag is high from the first tuple above the
    limit on, until the next stream begins."""
    word = {"tdata": 0, "tkeep": 0x00F}
    counts = (longest, 9, 5, 8, 6)
    words = [word | {"tlast": int(k == n)} for n in counts for k in range(1, n + 1)]
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=True, longest=longest))
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 7}
    expected = [int(k > longest) for n in counts for k in range(1, n + 1)]
    assert reported(dut, words, "too_long", **stalls) == expected


def test_a_beat_is_longer_than_any_stream_may_be():
    """A stream may have 1 tuple: 1 tuple and then 3 are too many, and so are 3 in one beat."""
    one, three = {"tdata": 0, "tkeep": 0x00F}, {"tdata": 0, "tkeep": 0xFFF}
    words = [one | {"tlast": 0}, three | {"tlast": 1}, one | {"tlast": 1}, three | {"tlast": 1}]
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=True, longest=1))
    assert reported(dut, words, "too_long") == [0, 1, 0, 1]


def stalled_cycles(part, seed):
    """Returns the number of cycles in which the bus waited, as counted by the part, and as
    observed."""
    rng, waiting_cycles, counted = random.Random(seed), 0, 0
    bus = part.bus
    slave = isinstance(part, StreamSlave)
    inner, name = (part.o, "stall_in") if slave else (part.i, "stall_out")

    async def bench(ctx):
        nonlocal waiting_cycles, counted
        for _ in range(300):
            ctx.set(bus.tvalid if slave else inner.valid, rng.random() < 0.6)
            ctx.set(inner.ready if slave else bus.tready, rng.random() < 0.5)
            _, _, valid, ready, event = await ctx.tick().sample(
                bus.tvalid, bus.tready, part.events[name]
            )
            waiting_cycles += valid and not ready
            counted += event

    simulate(part, bench)
    return counted, waiting_cycles


@pytest.mark.parametrize("make", [partial(StreamSlave, gaps=True), StreamMaster])
def test_cycles_in_which_the_bus_waits_are_counted(make):
    counted, waiting_cycles = stalled_cycles(make(PACKING, ROW, LANES), seed=9)
    assert counted == waiting_cycles > 30


def test_context_is_sampled_with_the_first_beat_of_each_stream():
    """The port changes in every cycle; a stream has the value of the cycle that took its first
    beat."""
    rng, dut = random.Random(8), StreamSlave(PACKING, ROW, LANES, gaps=True, context=4)
    lasts, beat_index, expected, received = [rng.randrange(3) == 0 for _ in range(60)], 0, [], []

    async def bench(ctx):
        nonlocal beat_index
        while len(received) < len(lasts):
            valid, ready, context = beat_index < len(lasts), rng.random() < 0.6, rng.randrange(16)
            ctx.set(dut.context, context)
            ctx.set(dut.bus.tvalid, valid)
            ctx.set(dut.bus.tlast, valid and lasts[beat_index])
            ctx.set(dut.o.ready, ready)
            _, _, *seen = await ctx.tick().sample(dut.bus.tready, dut.o.valid, dut.o.p.context)
            if valid and seen[0]:
                stream_start = beat_index == 0 or lasts[beat_index - 1]
                expected.append(context if stream_start else expected[-1])
                beat_index += 1
            if seen[1] and ready:
                received.append(seen[2])

    simulate(dut, bench)
    assert received == expected
