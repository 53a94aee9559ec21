"""AXI4-Stream to beats and back: bytes by hand, keep, sign extension, and what is refused."""

import random

import pytest
from amaranth.hdl import Module, signed, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_stream import StreamMaster, StreamSlave
from rtl.contract.packing import Packing
from tb.harness.unit import run_stream, run_streams, simulate
from tb.rtl.beats import slots, sparse

LANES = 3
FIELDS = (("a", signed(9)), ("b", unsigned(5)), ("c", signed(3)))
ROW = data.StructLayout(dict(FIELDS))
PACKING = Packing(FIELDS)


def transfer(bus):
    """Layout of what passes a bus."""
    members = bus.signature.members
    names = [name for name in members if name not in ("tvalid", "tready")]
    return data.StructLayout({name: members[name].shape for name in names})


class AsStream(wiring.Component):
    """Puts an amaranth stream in front of the bus of a slave, or behind that of a master."""

    def __init__(self, part):
        self._part, self._slave = part, isinstance(part, StreamSlave)
        shape = transfer(part.bus)
        if self._slave:
            beat = part.o.payload.shape()
            outer = data.StructLayout({"beat": beat, "bad": 1})
            members = {"i": In(stream.Signature(shape)), "o": Out(stream.Signature(outer))}
        else:
            beat = part.i.payload.shape()
            members = {"i": In(stream.Signature(beat)), "o": Out(stream.Signature(shape))}
        super().__init__(members)

    def elaborate(self, platform):
        m = Module()
        m.submodules.part = part = self._part
        bus, names = part.bus, transfer(part.bus).members
        if self._slave:
            m.d.comb += [getattr(bus, name).eq(self.i.p[name]) for name in names]
            m.d.comb += [bus.tvalid.eq(self.i.valid), self.i.ready.eq(bus.tready)]
            m.d.comb += [self.o.p.beat.eq(part.o.p), self.o.p.bad.eq(part.bad)]
            m.d.comb += [self.o.valid.eq(part.o.valid), part.o.ready.eq(self.o.ready)]
        else:
            wiring.connect(m, wiring.flipped(self.i), part.i)
            m.d.comb += [self.o.p[name].eq(getattr(bus, name)) for name in names]
            m.d.comb += [self.o.valid.eq(bus.tvalid), bus.tready.eq(self.o.ready)]
        return m


def packed(row):
    """Bytes of a row, each field extended to whole bytes, little-endian."""
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
    """A transfer with the bytes that ``tkeep`` leaves out set to 0."""
    kept = sum(0xFF << 8 * k for k in range(4 * LANES) if word["tkeep"] >> k & 1)
    return word | {"tdata": word["tdata"] & kept}


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
        {"o": 80},
        stall_in=stall_in,
        stall_out=stall_out,
        seed=2,
    )
    got = run["o"].payloads
    assert [slots(g["beat"]) for g in got] == [slots(b) for b in sent]
    assert [g["beat"]["last"] for g in got] == [b["last"] for b in sent]
    assert not any(g["bad"] for g in got)
    if not stall_in and not stall_out:
        assert run["i"].cycles == list(range(80))
        assert run["o"].cycles == [k + StreamSlave.latency for k in range(80)]


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3), (0.2, 0.6)])
def test_master(stall_in, stall_out):
    sent = beats(3)
    dut = AsStream(StreamMaster(PACKING, ROW, LANES))
    run = run_streams(dut, {"i": sent}, {"o": 80}, stall_in=stall_in, stall_out=stall_out, seed=4)
    assert [masked(word) for word in run["o"].payloads] == [on_bus(b) for b in sent]
    if not stall_in and not stall_out:
        assert run["i"].cycles == list(range(80))
        assert run["o"].cycles == [k + StreamMaster.latency for k in range(80)]


def test_bytes_by_hand():
    """-2 in 9 bits is FE FF, 17 is 11, -1 in 3 bits is FF; lane 1 holds it, lane 0 nothing."""
    beat = {"tuples": [{"a": 0, "b": 0, "c": 0}, {"a": -2, "b": 17, "c": -1}], "valid": 2}
    beat["tuples"].append(beat["tuples"][0])
    word = run_stream(
        AsStream(StreamMaster(PACKING, ROW, LANES)), [beat | {"last": 1}], expected=1
    ).payloads[0]
    assert word["tdata"].to_bytes(12, "little")[4:8] == bytes([0xFE, 0xFF, 0x11, 0xFF])
    assert word["tkeep"] == 0x0F0
    assert word["tlast"] == 1


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
        assert run_stream(dut, [word], expected=1).payloads[0]["bad"] == expected


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.5, 0.3)])
@pytest.mark.parametrize("gaps", [False, True])
def test_punctuations_have_bytes_but_no_tuple_and_are_never_bad(gaps, stall_in, stall_out):
    """Uneven, empty, short and full ones; the tuples between them are judged as ever."""
    row = {"a": -3, "b": 7, "c": -1}
    word = {"tdata": packed(row), "tkeep": 0xFFF, "tlast": 0, "tuser": 0}
    short = word | {"tkeep": 0x00F, "tlast": 1}
    keeps = (0xFFF, 0x00F, 0x003, 0x0F0, 0x000)
    words = [word, *(word | {"tkeep": keep, "tuser": 1} for keep in keeps), word]
    words += [word | {"tkeep": 0x00F}, word | {"tlast": 1, "tuser": 1}, short]
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=gaps, user=1))
    stalls = {"stall_in": stall_in, "stall_out": stall_out, "seed": 6}
    got = run_streams(dut, {"i": words}, {"o": len(words)}, **stalls)["o"].payloads
    assert [g["beat"]["user"] for g in got] == [0, 1, 1, 1, 1, 1, 0, 0, 1, 0]
    assert [g["beat"]["valid"] for g in got] == [7, 0, 0, 0, 0, 0, 7, 1, 0, 1]
    assert [g["beat"]["last"] for g in got] == [0] * 8 + [1, 1]
    assert [g["bad"] for g in got] == [0] * 7 + [int(not gaps), 0, 0]
    assert all(g["beat"]["tuples"][0] == row for g in got)


def test_a_wide_tuser_goes_along_beside_the_context():
    dut = AsStream(StreamSlave(PACKING, ROW, LANES, gaps=True, context=3, user=4))
    words = [{"tdata": 0, "tkeep": 0xFFF, "tlast": 0, "tuser": user} for user in range(16)]
    got = run_stream(dut, words, expected=16).payloads
    assert [g["beat"]["user"] for g in got] == list(range(16))
    assert [g["beat"]["valid"] for g in got] == [7] + [0] * 15


def test_context_is_sampled_with_the_first_beat_of_each_stream():
    """The port changes in every cycle; a stream keeps what it was when its first beat was taken."""
    rng, dut = random.Random(8), StreamSlave(PACKING, ROW, LANES, gaps=True, context=4)
    lasts, taken, expected, got = [rng.randrange(3) == 0 for _ in range(60)], 0, [], []

    async def bench(ctx):
        nonlocal taken
        while len(got) < len(lasts):
            valid, ready, context = taken < len(lasts), rng.random() < 0.6, rng.randrange(16)
            ctx.set(dut.context, context)
            ctx.set(dut.bus.tvalid, valid)
            ctx.set(dut.bus.tlast, valid and lasts[taken])
            ctx.set(dut.o.ready, ready)
            _, _, *seen = await ctx.tick().sample(dut.bus.tready, dut.o.valid, dut.o.p.context)
            if valid and seen[0]:
                begins = taken == 0 or lasts[taken - 1]
                expected.append(context if begins else expected[-1])
                taken += 1
            if seen[1] and ready:
                got.append(seen[2])

    simulate(dut, bench)
    assert got == expected
