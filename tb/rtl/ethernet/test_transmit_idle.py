"""When the sending half is busy or idle, in every cycle, by what has come and what has left."""

import random

import pytest

from rtl.ethernet.transmit import Transmit
from tb.bench.unit import simulate

ADDRESSES = {"mac": 0x02_00_00_00_00_01, "address": 0x0A00_0001, "port": 4000}
ADDRESSES |= {"to_mac": 0x02_00_00_00_00_02, "to_address": 0x0A00_0002, "to_port": 4001}
ASKER = {"mac": 0x02_00_00_00_00_03, "address": 0x0A00_0003}


PING = {"mac": 0x02_00_00_00_00_04, "address": 0x0A00_0004, "protocol": 1, "length": 24, "first": 0}


def run(seed, *, beats=0, asks=None, stall=0.0):
    """Sends one packet of so many beats of 8 bytes, or one request: ``asker`` or ``echo``.

    Returns for each cycle ``busy``, ``idle``, whether rows are inside, and whether anything is. A
    packet leaves as two frames, its rows and its end mark; a request is there until it is taken.
    """
    dut, rng, seen = Transmit(8), random.Random(seed), []
    frames = 2 if beats else 1

    async def bench(ctx):
        for name, value in ADDRESSES.items():
            ctx.set(getattr(dut, name), value)
        ctx.set(dut.asker.p, ASKER)
        ctx.set(dut.echo.p, PING)
        ctx.set(dut.echo_body.valid, 1)  # two pieces of it are taken
        ctx.set(dut.i.tkeep, 0xFF)
        request = getattr(dut, asks or "asker")
        taken = answered = left = quiet = 0
        while quiet < 8:
            ctx.set(request.valid, asks is not None and not answered and len(seen) > 3)
            ctx.set(dut.i.tvalid, taken < beats)
            ctx.set(dut.i.tlast, taken == beats - 1)
            ctx.set(dut.bus.tready, rng.random() >= stall)
            pins = (dut.i.tvalid & dut.i.tready, request.valid, request.ready)
            pins += (dut.bus.tvalid & dut.bus.tready & dut.bus.tlast, dut.busy, dut.idle)
            _, _, takes, asked, ready, leaves, busy, idle = await ctx.tick().sample(*pins)
            begun = taken or asked or answered
            inside = bool(begun and left < frames)
            seen.append((busy, idle, bool(taken) and inside, inside))
            taken, answered, left = taken + takes, answered or (asked and ready), left + leaves
            quiet = quiet + 1 if left == frames else 0
            assert len(seen) < 2_000

    simulate(dut, bench)
    return seen


@pytest.mark.parametrize("stall", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("beats", [1, 2, 7])
def test_busy_until_the_last_beat_of_the_rows_has_left(beats, stall):
    """Also while it waits at the pins for a MAC that stalls: a reset then would cut the frame."""
    seen = run(f"{beats} {stall}", beats=beats, stall=stall)
    assert [busy for busy, *_ in seen] == [rows for _, _, rows, _ in seen]
    assert [idle for _, idle, *_ in seen] == [not inside for *_, inside in seen]
    assert seen[-1][:2] == (0, 1)


@pytest.mark.parametrize("stall", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("asks", ["asker", "echo"])
def test_not_idle_from_a_request_to_the_end_of_its_answer(asks, stall):
    """The addresses must not change meanwhile, and the answer is made from them piece by piece."""
    seen = run(f"{asks} {stall}", asks=asks, stall=stall)
    assert [idle for _, idle, *_ in seen] == [not inside for *_, inside in seen]
    assert sum(inside for *_, inside in seen) >= 8
    assert seen[-1][:2] == (0, 1)
