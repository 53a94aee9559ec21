"""The receiving half of a face: headers, senders, counters, and a reset within a frame."""

from dataclasses import replace

import pytest
from amaranth.hdl import ResetInserter, Signal
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from rtl.ethernet.echo import Echo
from rtl.ethernet.receive import Receive
from rtl.ethernet.udp_port import UdpPort
from sim.wire.run import beats
from tb.bench.unit import simulate
from tb.rtl.ethernet.model import judge
from tb.rtl.ethernet.pins import drive, packets_of
from tb.rtl.ethernet.received import (
    ACCEPTED_SENDERS,
    COUNT_DELAYS,
    FACE,
    OWN_PORTS,
    SENDERS,
    by_hand,
)


def test_receive_by_hand():
    """Runs the frames of ``test_by_hand`` without compiling a network face, which takes longer."""
    named = by_hand()
    dut = Receive(16, longest_ping=256)
    received, counted, accepted = drive(dut, [frame for _, frame in named], ports=OWN_PORTS)
    sizes = [-(-len(frame) // 8) for _, frame in named]
    assert accepted == list(range(sum(sizes)))
    ends = [sum(sizes[: k + 1]) - 1 for k in range(len(sizes))]
    expected = [
        (end + COUNT_DELAYS[name], name) for end, (name, _) in zip(ends, named, strict=True)
    ]
    assert sorted(counted) == sorted(expected)
    assert packets_of(received) == ([3 * bytes(range(32))], 4 * bytes(range(32)))


@pytest.mark.in_turn(5)
def test_receive_of_one_sender():
    """The datagrams that each setting accepts, as in ``test_one_sender`` of the compiled face."""
    frames = [
        bytes(link / UDP(dport=FACE.port) / bytes(16)).ljust(60, b"\0")
        for link in (
            Ether(src=mac, dst=FACE.mac) / IP(src=address, dst=FACE.address)
            for mac, address in SENDERS[:3]  # the fourth has a group MAC: ``group_sender``
        )
    ]
    for sender, accepts in ACCEPTED_SENDERS.values():
        face = replace(FACE, **sender)
        ports = OWN_PORTS | {name: face.settings[name] for name in ("from_mac", "from_address")}
        _, counted, _ = drive(Receive(16), frames, ports=ports)
        names = [name for _, name in counted]
        assert names == ["datagrams" if good else "other_sender" for good in accepts[:3]]


def test_receive_options():
    """Headers of all lengths, with and without a tag, and with a datagram of every short length."""
    face = replace(FACE, row_bytes=4)
    frames = []
    for options in range(11):
        for size in range(12, 24):
            ip = IP(src="10.0.0.1", dst=face.address, options=[b"\1" * 4 * options])
            packet = bytes(ip / UDP(dport=face.port) / bytes(range(size)))
            tag = b"\x81\0\0\1" * (size % 2)
            head = bytes.fromhex("025e100000010200000000aa") + tag + b"\x08\0"
            frames.append((head + packet).ljust(60, b"\xee"))
    judged = [judge(frame, False, face) for frame in frames]
    assert {reason for reason, _ in judged} == {"datagrams", "partial_tuple"}
    received, counted, _ = drive(Receive(4), frames, ports=OWN_PORTS)
    assert [name for _, name in counted] == [reason for reason, _ in judged]
    bytes_ = b"".join(payload for reason, payload in judged if reason == "datagrams")
    assert packets_of(received) == ([], bytes_)


@pytest.mark.in_turn
def test_a_reset_in_a_frame_leaves_nothing_of_it():
    """Wherever the reset falls, the next frame is complete, and the first frame is not counted."""
    frame = next(frame for name, frame in by_hand() if name == "datagrams")
    for at in range(1, 26):
        reset, dut = Signal(), Receive(16)
        counted, received = [], []

        async def testbench(ctx, at=at, dut=dut, reset=reset, counted=counted, received=received):
            for name, value in OWN_PORTS.items():
                ctx.set(getattr(dut, name), value)
            sent = beats([frame])
            # A cycle without a beat after the reset means that the MAC was reset, too.
            cycles = [*sent, *[None] * 30][:at] + [None, None] + [*sent] + [None] * 30
            for cycle, beat in enumerate(cycles):
                ctx.set(reset, cycle == at)
                ctx.set(dut.bus.tvalid, beat is not None)
                for name in ("data", "keep", "last") if beat is not None else ():
                    ctx.set(getattr(dut.bus, f"t{name}"), int(beat[name]))
                sampled = [dut.events.as_value(), dut.o.tvalid, dut.o.tdata]
                _, _, events, valid, data = await ctx.tick().sample(*sampled)
                if cycle > at:
                    counted.extend([events] if events else [])
                    received.extend([data] if valid else [])

        simulate(ResetInserter(reset)(dut), testbench)
        names = [counter.name for counter in Receive.counters]
        assert counted == [1 << names.index("datagrams")]
        # ``o.tready`` is 0, so the first 8 bytes of the datagram stay at ``o``.
        assert set(received) == {int.from_bytes(bytes(range(8)), "little")}


def test_without_a_mac_no_frame_is_ours():
    """With the MAC 0 the part accepts neither broadcast frames nor frames to a MAC of zeros."""
    frames = [frame for name, frame in by_hand() if name in ("datagrams", "pings", "arps")]
    frames += [to + frame[6:] for to in (bytes(6), b"\xff" * 6) for frame in frames]
    _, counted, _ = drive(Receive(16), frames, ports=OWN_PORTS | {"mac": 0})
    assert [name for _, name in counted] == ["other_mac"] * len(frames)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UdpPort(0), r"row_bytes must be an integer of at least 1, not 0"),
        (lambda: Echo(longest=4097), r"longest must be 8 to 4096, not 4097"),
        (lambda: Echo(longest=7), r"longest must be 8 to 4096, not 7"),
        (lambda: Receive(16, depth=189), r"depth must be at least 190, not 189"),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
