"""Checks the frames of Transmit, and ``busy`` and ``idle`` in every cycle."""

import random

import pytest
from scapy.layers.inet import UDP

from rtl.ethernet.datagrams import Datagrams
from rtl.ethernet.transmit import Transmit
from tb.bench.unit import simulate
from tb.rtl.ethernet.model import packed
from tb.rtl.ethernet.pins import drive, packets_of
from tb.rtl.ethernet.received import FACE

ADDRESSES = {"mac": 0x02_00_00_00_00_01, "address": 0x0A00_0001, "port": 4000}
ADDRESSES |= {"to_mac": 0x02_00_00_00_00_02, "to_address": 0x0A00_0002, "to_port": 4001}
ASKER = {"mac": 0x02_00_00_00_00_03, "address": 0x0A00_0003}
PING = {"mac": 0x02_00_00_00_00_04, "address": 0x0A00_0004, "protocol": 1, "length": 24, "first": 0}
SENDING = {name: n for name, n in FACE.settings.items() if not name.startswith("from_")}


def run(seed, *, beats=0, requester=None, stall=0.0):
    """Sends one packet of ``beats`` beats of 8 bytes, or one request: an ARP request
    (``asker``), a ping (``echo``) or the answer of registers (``answer``).

    Returns for each cycle ``busy``, ``idle``, whether rows are inside, and whether rows or an
    answer are inside. A packet leaves as two frames, its rows and its end mark; a request is
    offered until it is taken.
    """
    dut, rng, seen = Transmit(8, host_link=requester == "answer"), random.Random(seed), []
    frames = 2 if beats else 1

    async def bench(ctx):
        for name, value in ADDRESSES.items():
            ctx.set(getattr(dut, name), value)
        ctx.set(dut.asker.p, ASKER)
        ctx.set(dut.echo.p, PING)
        ctx.set(dut.echo_body.valid, 1)  # two pieces of it are taken
        if requester == "answer":
            ctx.set(dut.answer.p, PING | {"protocol": 17})
            ctx.set(dut.answer_body.valid, 1)
        ctx.set(dut.i.tkeep, 0xFF)
        request = getattr(dut, requester or "asker")
        beats_taken = answered = frames_left = quiet = 0
        while quiet < 8:
            ctx.set(request.valid, requester is not None and not answered and len(seen) > 3)
            ctx.set(dut.i.tvalid, beats_taken < beats)
            ctx.set(dut.i.tlast, beats_taken == beats - 1)
            ctx.set(dut.bus.tready, rng.random() >= stall)
            pins = (dut.i.tvalid & dut.i.tready, request.valid, request.ready)
            pins += (dut.bus.tvalid & dut.bus.tready & dut.bus.tlast, dut.busy, dut.idle)
            pins += (dut.bus.tvalid & ~dut.busy,)
            _, _, *sampled = await ctx.tick().sample(*pins)
            beat_fires, requested, ready, leaves, busy, idle, offers_without_busy = sampled
            assert not offers_without_busy
            has_begun = beats_taken or requested or answered
            is_inside = bool(has_begun and frames_left < frames)
            seen.append((busy, idle, bool(beats_taken) and is_inside, is_inside))
            beats_taken, answered, frames_left = (
                beats_taken + beat_fires,
                answered or (requested and ready),
                frames_left + leaves,
            )
            quiet = quiet + 1 if frames_left == frames else 0
            assert len(seen) < 2_000

    simulate(dut, bench)
    return seen


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stall", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("beats", [1, 2, 7])
def test_busy_until_the_last_beat_of_the_rows_has_left(beats, stall):
    """Also while the beat waits for a MAC that stalls: a reset would cut the frame."""
    seen = run(f"{beats} {stall}", beats=beats, stall=stall)
    assert [busy for busy, *_ in seen] == [rows for _, _, rows, _ in seen]
    assert [idle for _, idle, *_ in seen] == [not is_inside for *_, is_inside in seen]
    assert seen[-1][:2] == (0, 1)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stall", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("requester", ["asker", "echo", "answer"])
def test_not_idle_from_a_request_to_the_end_of_its_answer(requester, stall):
    """The addresses must not change in this time: the answer is made from them piece by piece."""
    seen = run(f"{requester} {stall}", requester=requester, stall=stall)
    assert [idle for _, idle, *_ in seen] == [not is_inside for *_, is_inside in seen]
    assert sum(is_inside for *_, is_inside in seen) >= 8
    assert seen[-1][:2] == (0, 1)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("size", [0, 10, 22, 23, 30, 100, 1472, 1600])
def test_transmit(size):
    payload = random.Random(size).randbytes(size)
    received, counted, _ = drive(
        Transmit(1), [payload], bus="i", out="bus", ports=SENDING, tail=300
    )
    udp = UDP(sport=FACE.port, dport=FACE.to_port)
    cut = [payload[k : k + 1472] for k in range(0, size, 1472)] + [b""]
    expected = [packed(udp / part, FACE.to_mac, FACE.to_address, FACE) for part in cut]
    assert packets_of(received) == (expected, b"")
    assert [name for _, name in counted] == ["sent"] * len(expected)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("size", [0, 1, 10, 1464, 1465, 3000])
def test_transmit_with_numbers(size):
    """Each datagram begins with its number and the word ``info``, also an end mark."""
    payload, info = random.Random(size).randbytes(size), 0x1234_5678
    ports = SENDING | {"numbered": 1, "info": info}
    received, _, _ = drive(
        Transmit(1, host_link=True), [payload], bus="i", out="bus", ports=ports, tail=300
    )
    udp = UDP(sport=FACE.port, dport=FACE.to_port)
    cut = [payload[k : k + 1464] for k in range(0, size, 1464)] + [b""]
    numbered = [
        number.to_bytes(4, "little") + info.to_bytes(4, "little") + part
        for number, part in enumerate(cut)
    ]
    expected = [packed(udp / part, FACE.to_mac, FACE.to_address, FACE) for part in numbered]
    assert packets_of(received) == (expected, b"")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Datagrams(0), r"row_bytes must be an integer of at least 1, not 0"),
        (lambda: Datagrams(16, payload_limit=8), r"payload_limit must be 16 to 2048, not 8"),
        (
            lambda: Datagrams(16, payload_limit=16, numbers=True),
            r"payload_limit must be 24 to 2048, not 16",
        ),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
