"""Checks settings of the face that change beside rows, and the numbers that it reports together."""

import pytest
from amaranth.sim import Simulator

from rtl.ethernet.face import NetworkFace

SETTINGS = {
    "mac": 0x02_00_00_00_00_01,
    "address": 0x0A_00_00_01,
    "port": 4001,
    "to_mac": 0x02_00_00_00_00_02,
    "to_address": 0x0A_00_00_02,
    "to_port": 4002,
}
ROWS = [bytes([0x11 * (k + 1)] * 8) for k in range(4)]
#: The rows as one packet: data of a beat, and whether it is the last one.
BEATS = [(row, row is ROWS[-1]) for row in ROWS]
BEGIN, CYCLES = 20, 160


def simulate(dut, script):
    simulator = Simulator(dut)
    simulator.add_clock(1e-6)
    simulator.add_testbench(script)
    simulator.run()


def sent(changes, beats=BEATS, *, end_marks=True):
    """Returns the UDP payloads for beats of rows; ``changes`` are settings by their cycle.

    The first beat is offered in cycle 20. Asserts that all frames go to ``to_mac`` of
    :data:`SETTINGS`, and that their checksums are right.
    """
    dut, frames = NetworkFace(8, 8, depth=512, host_link=True, end_marks=end_marks), []

    async def script(ctx):
        for name, value in (SETTINGS | {"numbered": 0}).items():
            ctx.set(getattr(dut, name), value)
        ctx.set(dut.tx.tready, 1)
        await ctx.tick().repeat(10)
        row, frame = 0, b""
        for cycle in range(CYCLES):
            for name, value in changes.get(cycle, {}).items():
                ctx.set(getattr(dut, name), value)
            offers = cycle >= BEGIN and row < len(beats)
            data, last = beats[min(row, len(beats) - 1)]
            ctx.set(dut.rows.tvalid, offers)
            ctx.set(dut.rows.tdata, int.from_bytes(data, "little"))
            ctx.set(dut.rows.tkeep, (1 << len(data)) - 1)
            ctx.set(dut.rows.tlast, last)
            is_accepted = offers and ctx.get(dut.rows.tready)
            if ctx.get(dut.tx.tvalid):
                size = ctx.get(dut.tx.tkeep).bit_count()
                frame += ctx.get(dut.tx.tdata).to_bytes(8, "little")[:size]
                if ctx.get(dut.tx.tlast):
                    frames.append(frame)
                    frame = b""
            await ctx.tick()
            row += is_accepted
        assert row == len(beats)
        assert not ctx.get(dut.busy)

    simulate(dut, script)
    assert {frame[:6] for frame in frames} == {SETTINGS["to_mac"].to_bytes(6, "big")}
    return [payload_of(frame) for frame in frames]


def payload_of(frame):
    udp = frame[34:]
    udp = udp[: int.from_bytes(udp[4:6], "big")]
    data = frame[26:34] + bytes([0, 17]) + udp[4:6] + udp
    total = sum(
        int.from_bytes(data[k : k + 2].ljust(2, b"\0"), "big") for k in range(0, len(data), 2)
    )
    assert total % 0xFFFF == 0
    return udp[8:]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("cycle", range(BEGIN - 1, BEGIN + 2))
def test_no_receiver_from_any_cycle_on(cycle):
    """Rows wait for a receiver. Rows that have begun leave to the old receiver, with an end mark.

    No frame has the MAC 0.
    """
    changes = {cycle: {"to_mac": 0}, BEGIN + 40: {"to_mac": SETTINGS["to_mac"]}}
    assert sent(changes) == [b"".join(ROWS), b""]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("cycle", range(BEGIN - 1, BEGIN + 2))
def test_numbers_from_any_cycle_on(cycle, number):
    """A setting counts for a packet if it changes before the first row is offered.

    A change in the cycle of the first row, or later, leaves the rows and the end mark as they are.
    """
    payloads = sent({0: {"numbered": 1 - number}, cycle: {"numbered": number}})
    is_numbered = number if cycle < BEGIN else 1 - number
    assert [len(payload) for payload in payloads] == [32 + 8 * is_numbered, 8 * is_numbered]
    assert payloads[0][-32:] == b"".join(ROWS)
    if is_numbered:
        assert [payload[:4] for payload in payloads] == [bytes(4), b"\1\0\0\0"]


def test_an_empty_packet_takes_no_number_without_end_marks():
    """The packets are a row, no row, a row and a row: three datagrams with the numbers 0 to 2."""
    beats = [(ROWS[0], True), (b"", True), (ROWS[1], True), (ROWS[2], True)]
    payloads = sent({0: {"numbered": 3}}, beats, end_marks=False)
    assert [payload[:4] for payload in payloads] == [bytes([n, 0, 0, 0]) for n in range(3)]
    assert [payload[8:] for payload in payloads] == ROWS[:3]


def frame_of(number):
    """Returns a frame with a VLAN tag, of a numbered datagram of 10 bytes."""
    udp = b"\x0f\xa2\x0f\xa1" + (26).to_bytes(2, "big") + bytes(2)
    udp += number.to_bytes(4, "little") + bytes(4) + bytes([number] * 10)
    ip = bytearray(b"\x45\0" + (20 + len(udp)).to_bytes(2, "big") + b"\0\0\x40\0\x40\x11\0\0")
    ip += bytes([10, 0, 0, 2, 10, 0, 0, 1])
    total = sum(int.from_bytes(ip[k : k + 2], "big") for k in range(0, 20, 2))
    ip[10:12] = (0xFFFF - (total % 0xFFFF)).to_bytes(2, "big")
    head = bytes.fromhex("020000000001020000000002") + b"\x81\0\0\5\x08\0"
    return (head + bytes(ip) + udp).ljust(60, b"\0")


def test_room_is_at_most_that_behind_the_received_datagrams():
    """The engine takes no tuple, so each received datagram leaves less room.

    A datagram of 10 bytes takes two pieces of the buffer, of 8 bytes each. So ``room`` is smaller
    by 16 bytes in the cycle in which ``received`` counts the datagram.
    """
    dut, seen = NetworkFace(2, 8, depth=512, host_link=True), {}

    async def script(ctx):
        for name, value in (SETTINGS | {"numbered": 3}).items():
            ctx.set(getattr(dut, name), value)
        await ctx.tick().repeat(10)
        frames = [frame_of(number) for number in range(4)]
        beats = [(f[k : k + 8], k + 8 >= len(f)) for f in frames for k in range(0, len(f), 8)]
        for cycle in range(len(beats) + 20):
            data, last = beats[cycle] if cycle < len(beats) else (b"", False)
            ctx.set(dut.rx.tvalid, cycle < len(beats))
            ctx.set(dut.rx.tdata, int.from_bytes(data, "little"))
            ctx.set(dut.rx.tkeep, (1 << len(data)) - 1)
            ctx.set(dut.rx.tlast, last)
            seen.setdefault(ctx.get(dut.received), ctx.get(dut.room))
            await ctx.tick()
        seen["end"] = ctx.get(dut.room)

    simulate(dut, script)
    assert [seen[number] - seen["end"] for number in (2, 3, 4)] == [32, 16, 0]
