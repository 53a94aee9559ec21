"""Slaves and masters whose pins are not as wide as their beats: bytes packed densely."""

import random

import pytest
from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.bus.stream_master import StreamMaster
from rtl.bus.stream_slave import StreamSlave
from rtl.contract.packing import Packing
from tb.bench.unit import run_streams, simulate
from tb.rtl.bus.stream_adapter import AsStream

LANES, SIZE = 2, 3  # of a beat; bytes of a tuple
FIELDS = (("a", unsigned(16)), ("b", unsigned(8)))
ROW = data.StructLayout(dict(FIELDS))
PACKING = Packing(FIELDS)
WIDTHS = [4, 8, 16]
STALLS = [(0.0, 0.0), (0.5, 0.3)]


def packed(tuples, width):
    """Returns a stream of (a, b) as transfers: byte after byte, the last transfer short."""
    content = b"".join(bytes((a & 255, a >> 8, b)) for a, b in tuples)
    return transfers(content, width)


def transfers(content, width):
    cuts = [content[k : k + width] for k in range(0, len(content), width)] or [b""]
    return [
        {
            "tdata": int.from_bytes(cut, "little"),
            "tkeep": (1 << len(cut)) - 1,
            "tlast": int(k == len(cuts) - 1),
        }
        for k, cut in enumerate(cuts)
    ]


def random_tuples(rng, count):
    return [(rng.getrandbits(16), rng.getrandbits(8)) for _ in range(count)]


def beats(tuples):
    """Returns the tuples of each beat, and whether it is the last beat."""
    cuts = [tuples[k : k + LANES] for k in range(0, len(tuples), LANES)] or [[]]
    return [(cut, int(k == len(cuts) - 1)) for k, cut in enumerate(cuts)]


def tuples_of(payload):
    valid = [t for k, t in enumerate(payload["tuples"]) if payload["valid"] >> k & 1]
    return [(t["a"], t["b"]) for t in valid], payload["last"]


@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize("width", WIDTHS)
def test_tuples_lie_across_transfers(width, stall_in, stall_out):
    """Streams of any number of tuples, also none; none of them is bad."""
    rng = random.Random(f"{width} {stall_in}")
    streams = [random_tuples(rng, rng.choice((0, 1, 2, 3, 16, 17))) for _ in range(40)]
    words = [word for stream in streams for word in packed(stream, width)]
    expected = [beat for stream in streams for beat in beats(stream)]
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=False, width=width))
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 5}
    run = run_streams(dut, {"i": words}, dict.fromkeys(("o", "reports"), len(expected)), **stalls)
    assert [tuples_of(payload) for payload in run["o"].payloads] == expected
    reports = run["reports"].payloads
    assert not any(report["errors"]["bad_beat"] for report in reports)
    assert [r["events"]["tuples"] for r in reports] == [len(cut) for cut, _ in expected]
    assert sum(r["events"]["streams"] for r in reports) == len(streams)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gaps", [False, True])
def test_a_stream_that_ends_within_a_tuple_is_bad(width, gaps):
    """One or two extra bytes; the next stream begins anew, and is good."""
    for extra in (1, 2):
        streams = [bytes(range(2 * SIZE * LANES + extra)), bytes(SIZE), bytes(SIZE * LANES)]
        words = [word for stream in streams for word in transfers(stream, width)]
        dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=gaps, width=width))
        run = run_streams(dut, {"i": words}, {"o": 5, "reports": 5})
        bad = [report["errors"]["bad_beat"] for report in run["reports"].payloads]
        assert bad == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("keep", [0b0000, 0b0111, 0b1110])
def test_a_short_transfer_that_is_not_the_last_is_bad(keep):
    """The bytes 8 to 11 of a stream come in the transfer, and lie in its second beat of 6 bytes."""
    words = packed([(k, k) for k in range(8)], 4)
    words[2] = words[2] | {"tkeep": keep}
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=False, width=4))
    run = run_streams(dut, {"i": words}, {"o": 4, "reports": 4})
    bad = [report["errors"]["bad_beat"] for report in run["reports"].payloads]
    assert bad == [0, 1, 0, 0]


@pytest.mark.parametrize("width", WIDTHS)
def test_context_is_that_of_the_streams_first_transfer(width):
    """Streams end and begin in neighbouring transfers; the port changes in every cycle."""
    rng = random.Random(6)
    dut = StreamSlave(PACKING, ROW, LANES, gaps=False, context=4, width=width)
    streams = [random_tuples(rng, rng.choice((1, 2, 5, 9))) for _ in range(30)]
    words = [(word, k == 0) for s in streams for k, word in enumerate(packed(s, width))]
    expected, received, sampled = [len(beats(s)) for s in streams], [], []

    async def bench(ctx):
        remaining = list(words)
        while len(received) < sum(expected):
            context = rng.randrange(16)
            ctx.set(dut.context, context)
            ctx.set(dut.bus.tvalid, bool(remaining))
            if remaining:
                for name, value in remaining[0][0].items():
                    ctx.set(getattr(dut.bus, name), value)
            ready = rng.random() < 0.7
            ctx.set(dut.o.ready, ready)
            _, _, ready_in, valid, seen = await ctx.tick().sample(
                dut.bus.tready, dut.o.valid, dut.o.p.context
            )
            if remaining and ready_in:
                sampled.extend([context] if remaining.pop(0)[1] else [])
            if valid and ready:
                received.append(seen)

    simulate(dut, bench)
    assert received == [c for c, n in zip(sampled, expected, strict=True) for _ in range(n)]


@pytest.mark.in_turn
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(2))
def test_cleared_in_any_cycle_nothing_of_a_cut_stream_enters(width, seed):
    """After a clear, the streams that begin after it enter, complete and with all bytes."""
    rng = random.Random(f"{width} {seed}")
    dut = StreamSlave(PACKING, ROW, LANES, gaps=False, width=width)
    streams = [random_tuples(rng, rng.choice((0, 1, 4, 11))) for _ in range(300)]
    words = [(k, word) for k, stream in enumerate(streams) for word in packed(stream, width)]
    cuts = []

    async def bench(ctx):
        index, in_stream, expected, received, quiet = 0, False, [], [], 0
        while quiet < 20:
            clears = rng.random() < 0.04
            ready = rng.random() < 0.6
            offers = index < len(words) and rng.random() < 0.8
            ctx.set(dut.bus.tvalid, offers)
            for name, value in (words[index][1] if offers else {}).items():
                ctx.set(getattr(dut.bus, name), value)
            ctx.set(dut.o.ready, ready)
            ctx.set(dut.clear, clears)
            ctx.set(dut.empty, clears)
            _, _, ready_in, valid, payload, busy, bad = await ctx.tick().sample(
                dut.bus.tready, dut.o.valid, dut.o.p, dut.busy, dut.errors.bad_beat
            )
            assert not bad
            if valid and ready:
                lanes = [k for k in range(LANES) if payload.valid >> k & 1]
                row = [(payload.tuples[k].a, payload.tuples[k].b) for k in lanes]
                received.append((row, payload.last))
                assert received == expected[: len(received)]
            if offers and ready_in:
                stream, word = words[index]
                if not in_stream:  # its first transfer
                    expected += beats(streams[stream])
                in_stream, index = not word["tlast"], index + 1
            if clears:
                cuts.append(in_stream)
                expected, received = [], []
            quiet = quiet + 1 if index == len(words) else 0
        assert received == expected
        assert not busy

    simulate(dut, bench)
    assert sum(cuts) > 5
    assert len(cuts) - sum(cuts) > 3


def test_busy_as_long_as_a_byte_is_inside():
    """``busy`` is high from a transfer that fills no beat until the beat is taken."""
    dut = StreamSlave(PACKING, ROW, LANES, gaps=False, width=4)
    word, seen = packed([(1, 2)], 4)[0], []

    async def bench(ctx):
        for name, value in word.items():
            ctx.set(getattr(dut.bus, name), value)
        ctx.set(dut.bus.tvalid, 1)
        for k in range(7):
            ctx.set(dut.o.ready, k == 5)
            _, _, busy, valid = await ctx.tick().sample(dut.busy, dut.o.valid)
            ctx.set(dut.bus.tvalid, 0)
            seen.append((busy, valid))

    simulate(dut, bench)
    assert seen == [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (1, 1), (0, 0)]


@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize("width", WIDTHS)
def test_rows_are_packed_densely(width, stall_in, stall_out):
    """Packets of any number of rows, each of which begins a new transfer."""
    rng = random.Random(f"{width} {stall_in}")
    payloads, expected = [], []
    for _ in range(40):
        lengths = [LANES] * rng.randrange(9) + [rng.randint(1, LANES)]
        rows = random_tuples(rng, sum(lengths))
        expected += packed(rows, width)
        for k, n in enumerate(lengths):
            lanes = [rows.pop(0) for _ in range(n)] + random_tuples(rng, LANES - n)
            tuples = [{"a": a, "b": b} for a, b in lanes]
            last = int(k == len(lengths) - 1)
            payloads.append({"tuples": tuples, "valid": (1 << n) - 1, "last": last})
    dut = AsStream(StreamMaster(PACKING, ROW, LANES, width=width))
    outputs = {"o": len(expected), "reports": len(payloads)}
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 7}
    received = run_streams(dut, {"i": payloads}, outputs, **stalls)["o"].payloads
    masks = [sum(255 << 8 * b for b in range(width) if p["tkeep"] >> b & 1) for p in received]
    assert [p | {"tdata": p["tdata"] & m} for p, m in zip(received, masks, strict=True)] == expected


@pytest.mark.parametrize("limit", [1, 3])
def test_packets_of_so_many_transfers(limit):
    rows = random_tuples(random.Random(8), 24)
    tuples = [{"a": a, "b": b} for a, b in rows]
    payloads = [
        {"tuples": tuples[k : k + 2], "valid": 3, "last": int(k == 22)} for k in range(0, 24, 2)
    ]
    dut = AsStream(StreamMaster(PACKING, ROW, LANES, width=8, packet_limit=limit))
    run = run_streams(dut, {"i": payloads}, {"o": 9, "reports": 12})
    assert [p["tlast"] for p in run["o"].payloads] == [int(k % limit == 0) for k in range(1, 10)]
    assert [p["tdata"] for p in run["o"].payloads] == [w["tdata"] for w in packed(rows, 8)]


@pytest.mark.in_turn
@pytest.mark.parametrize("ends", [None, "join", "mark"])
@pytest.mark.parametrize("width", [4, 6, 16])
def test_cleared_in_any_cycle_the_packet_is_ended(width, ends):
    """All rows taken go out, no packet mixes rows from before and after the clear, and an offer
    stays."""
    rng = random.Random(f"{width} {ends}")
    keeps_beats = width == SIZE * LANES and ends != "join"  # beats pass unchanged
    dut = StreamMaster(PACKING, ROW, LANES, width=width, ends=ends)
    expected, packets, seen = [], [], {"cut": 0, "whole": 0}

    async def bench(ctx):
        offered, in_packet, unaccepted, quiet, cycle, packet = None, False, None, 0, 0, b""
        expected.append([])
        while quiet < 40:
            cycle += 1
            assert cycle < 4000
            running = cycle < 3000
            clears = running and rng.random() < 0.03
            # The end of a stream: with "mark" only between two packets.
            finish = bool(
                ends
                and ctx.get(dut.ready_to_finish)
                and not (ends == "mark" and in_packet)
                and not clears
                and (rng.random() < 0.05 or (not running and expected[-1]))
            )
            if offered is None and running and not finish and rng.random() < 0.7:
                last = int(rng.random() < 0.2)
                minimum = 0 if last or ends == "join" else LANES
                offered = random_tuples(rng, rng.randint(minimum, LANES)), last
            if not running and offered is None and in_packet and ends != "join":
                offered = random_tuples(rng, 1), 1
            sends = offered is not None and not finish
            if sends:
                lanes = offered[0] + [(0, 0)] * (LANES - len(offered[0]))
                ctx.set(dut.i.p.tuples, [{"a": a, "b": b} for a, b in lanes])
                ctx.set(dut.i.p.valid, (1 << len(offered[0])) - 1)
                ctx.set(dut.i.p.last, offered[1])
            ready = rng.random() < 0.6
            ctx.set(dut.i.valid, sends)
            ctx.set(dut.bus.tready, ready)
            ctx.set(dut.clear, clears)
            if ends:
                ctx.set(dut.finish, finish)
            ports = dut.i.ready, dut.bus.tvalid, dut.bus.tdata, dut.bus.tkeep, dut.bus.tlast
            _, _, ready_in, valid, value, keep, last, busy = await ctx.tick().sample(
                *ports, dut.busy
            )
            transfer = (value, keep, last)
            assert unaccepted is None or (valid and unaccepted == transfer)
            unaccepted = transfer if valid and not ready else None
            if valid and ready:
                count = keep.bit_count()
                assert keep == (1 << count) - 1
                assert last or count == width or keeps_beats
                packet += value.to_bytes(width, "little")[:count]
                if last:
                    packets.append(packet)
                    packet = b""
            if sends and ready_in:
                expected[-1] += offered[0]
                in_packet = not offered[1]
                if offered[1] and ends != "join":
                    expected.append([])
                offered = None
            if finish:
                seen["whole"] += 1
                expected.append([])
                in_packet = False
            if clears:
                offered = None
                cut = bool(expected[-1]) if ends == "join" else in_packet
                seen["cut"] += cut
                if cut:
                    expected.append([])
                in_packet = False
            quiet = quiet + 1 if not running and not busy and not in_packet else 0
        assert not packet

    simulate(dut, bench)
    rows = [b"".join(bytes((a & 255, a >> 8, b)) for a, b in packet) for packet in expected]
    assert packets == rows[:-1]
    assert not rows[-1]
    assert seen["cut"] > 15
    assert seen["whole"] > 20 or not ends


@pytest.mark.parametrize("options", [{"width": 4}, {"short": 1}])
def test_a_flag_beside_several_tuples_is_refused(options):
    """A gearbox would put a flagged tuple and another tuple into one beat, which has one flag."""
    with pytest.raises(ValueError, match=r"^lanes must be 1 with user and a gearbox, not 2$"):
        StreamSlave(PACKING, ROW, LANES, gaps=False, user=1, **options)


@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize("width", WIDTHS)
def test_flags_stay_with_their_bytes(width, stall_in, stall_out):
    """Parts of some tuples or some punctuations follow each other, each part in transfers of its
    own, as from datagrams; a transfer without a byte ends the stream."""
    rng = random.Random(f"flags {width} {stall_in}")
    words, expected = [], []
    for _ in range(30):
        for _ in range(rng.randrange(6)):
            flag, tuples = rng.randrange(2), random_tuples(rng, rng.choice((1, 1, 2, 3, 7)))
            part = [word | {"tlast": 0, "tuser": flag} for word in packed(tuples, width)]
            words += part
            expected += [(flag, int(not flag), 0, values) for values in tuples]
        words.append({"tdata": 0, "tkeep": 0, "tlast": 1, "tuser": 0})
        expected.append((0, 0, 1, None))
    dut = AsStream(StreamSlave(PACKING, ROW, 1, gaps=True, user=1, width=width, short=1))
    stalls = {"stall_in": stall_in, "stall_out": {"o": stall_out}, "seed": 7}
    run = run_streams(dut, {"i": words}, {"o": len(expected)}, **stalls)
    received = []
    for beat in run["o"].payloads:
        (values,) = ((word["a"], word["b"]) for word in beat["tuples"])
        end = beat["last"] and not beat["valid"]
        received.append((beat["user"], beat["valid"], beat["last"], None if end else values))
    assert received == expected


def test_a_row_is_offered_four_cycles_after_it_was_given():
    """Queue, gearbox and skid buffer, where a beat is as wide as two transfers or as half a
    transfer."""
    for width in (3, 12):
        dut = AsStream(StreamMaster(PACKING, ROW, LANES, width=width))
        tuples = [{"a": 1, "b": 2}] * 2
        beat = {"tuples": tuples, "valid": 3, "last": 1}
        run = run_streams(dut, {"i": [beat]}, {"o": 6 // width or 1, "reports": 1})
        assert run["o"].cycles[0] == StreamMaster.latency + 3
