"""Checks bytes to beats and back: frames of many lengths, with stalls, and without a byte."""

import random

import pytest

from rtl.serial.beats import BeatReader, BeatWriter
from sim.wire.run import beats
from tb.bench.unit import simulate
from tb.rtl.ethernet.pins import packets_of

SIZES = [*range(1, 18), 60, 200]


def frames_of(rng):
    return [rng.randbytes(size) for size in SIZES]


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_bytes_to_beats(stall):
    """Each frame has its bytes and its mark, and all its beats but the last are full.

    An offered beat does not change.
    """
    rng = random.Random(1)
    frames = [b"", *frames_of(rng), b""]
    marks = [rng.random() < 0.5 for _ in frames]
    items = []
    for frame, mark in zip(frames, marks, strict=True):
        items += [{"data": byte, "end": 0, "bad": 0} for byte in frame]
        items.append({"data": 0, "end": 1, "bad": mark})
    dut = BeatWriter()
    received = []

    async def testbench(ctx):
        bus, position, offers, offered = dut.bus, 0, False, None
        while sum(beat[3] for beat in received) < len(frames):
            offers = position < len(items) and (offers or rng.random() >= stall)
            ctx.set(dut.i.valid, offers)
            if offers:
                ctx.set(dut.i.payload, items[position])
            ctx.set(bus.tready, rng.random() >= stall)
            ports = (bus.tdata, bus.tkeep, bus.tlast, bus.tuser)
            _, _, accepted, valid, ready, *beat = await ctx.tick().sample(
                dut.i.ready, bus.tvalid, bus.tready, *ports
            )
            assert offered is None or (valid and beat == offered)
            offered = beat if valid and not ready else None
            if offers and accepted:
                position, offers = position + 1, False
            if valid and ready:
                received.append((0, *beat))

    simulate(dut, testbench, streams={"i": dut.i})
    assert packets_of([beat[:4] for beat in received]) == (frames, b"")
    assert all(keep == 0xFF for _, _, keep, last, _ in received if not last)
    assert [bool(user) for *_, last, user in received if last] == marks


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_beats_to_bytes(stall):
    rng = random.Random(2)
    frames = frames_of(rng)
    sent = beats(frames)
    dut = BeatReader()
    received = []

    async def testbench(ctx):
        bus, position, offers = dut.bus, 0, False
        while len(received) < sum(SIZES):
            offers = position < len(sent) and (offers or rng.random() >= stall)
            ctx.set(bus.tvalid, offers)
            if offers:
                for name in ("data", "keep", "last"):
                    ctx.set(getattr(bus, f"t{name}"), int(sent[position][name]))
            ctx.set(dut.o.ready, rng.random() >= stall)
            _, _, accepted, valid, ready, byte = await ctx.tick().sample(
                bus.tready, dut.o.valid, dut.o.ready, dut.o.payload
            )
            if offers and accepted:
                position, offers = position + 1, False
            if valid and ready:
                received.append((byte["data"], byte["last"]))

    simulate(dut, testbench, streams={"o": dut.o})
    assert bytes(byte for byte, _ in received) == b"".join(frames)
    ends = [k + 1 for k, (_, last) in enumerate(received) if last]
    assert ends == [sum(SIZES[: k + 1]) for k in range(len(SIZES))]
