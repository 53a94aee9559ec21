"""The parts of the network face, one by one, in amaranth's simulator."""

import random
from dataclasses import replace

import pytest
from amaranth.hdl import ResetInserter, Signal
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import checksum

from rtl.ethernet.arp_reply import ArpReply
from rtl.ethernet.datagrams import Datagrams
from rtl.ethernet.delay import Delay
from rtl.ethernet.echo import Echo
from rtl.ethernet.frame_arbiter import FrameArbiter
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.frame_check import FrameCheck
from rtl.ethernet.ip_writer import IpWriter
from rtl.ethernet.ones_sum import OnesSum
from rtl.ethernet.realign import Realign
from rtl.ethernet.receive import Receive
from rtl.ethernet.transmit import Transmit
from rtl.ethernet.udp_port import UdpPort
from sim.wire.run import beats
from tb.bench.unit import run_stream, run_streams, simulate
from tb.rtl.ethernet.model import Face, as_number, judge, packed
from tb.rtl.ethernet.pins import drive, joined, packets_of, pieces
from tb.rtl.ethernet.received import FACE, LATE, SENDERS, TAKEN, by_hand

OURS = {name: FACE.settings[name] for name in ("mac", "address", "port")}
SENDING = {name: n for name, n in FACE.settings.items() if not name.startswith("from_")}


# ---------------------------------------------------------------------- sums
def sums(frames):
    sent = [
        {name: piece[name] for name in ("data", "first", "last")}
        for frame in frames
        for piece in pieces(frame)
    ]
    run = run_streams(OnesSum(), {"i": sent}, {"o": len(frames)})
    last = [k for k, piece in enumerate(sent) if piece["last"]]
    assert [o - run["i"].cycles[k] for k, o in zip(last, run["o"].cycles, strict=True)] == [
        OnesSum.latency
    ] * len(frames)
    return [sum_.to_bytes(2, "little") for sum_ in run["o"].payloads]


def test_a_sum_by_hand():
    """The first is in RFC 1071: 0001 + f203 + f4f5 + f6f7 = 2ddf0, and ddf0 + 2 = ddf2.

    In the second, lower bytes first, ffff + ffff + 0001 = 1ffff; ffff + 1 = 10000; 0000 + 1 = 0001.
    """
    frames = [bytes.fromhex(text) for text in ("0001f203f4f5f6f7", "ffffffff0100")]
    assert sums(frames) == [bytes.fromhex("ddf2"), bytes.fromhex("0100")]


def test_sums_one_behind_the_other():
    rng = random.Random(1)
    frames = [rng.randbytes(rng.randrange(1, 60)) for _ in range(100)] + [b"\xff" * 3000]
    assert [int.from_bytes(s, "big") ^ 0xFFFF for s in sums(frames)] == [
        checksum(frame) for frame in frames
    ]


# ---------------------------------------------------------------------- frames to pieces
@pytest.mark.parametrize(("shortest", "longest"), [(20, 40), (24, 39), (17, 17), (60, 1518)])
def test_lengths(shortest, longest):
    sizes = [*range(shortest - 10, shortest + 10), *range(longest - 10, longest + 20)]
    frames = [bytes(range(1, 256)) * 7 for _ in sizes]
    frames = [frame[:size] for frame, size in zip(frames, sizes, strict=True)]
    dut = FrameCheck(shortest=shortest, longest=longest)
    _, counted, accepted = drive(dut, frames, out=None)
    assert accepted == list(range(sum(-(-size // 8) for size in sizes)))
    expected = ["giant" if s > longest else "runt" for s in sizes if not shortest <= s <= longest]
    assert [name for _, name in counted] == expected


def test_realign():
    """Frames that begin and end anywhere, moved by either shift, with skipped pieces."""
    rng = random.Random(2)
    shifts = (6, 3)
    sent, expected = [], []
    for _ in range(200):
        frame, skip, choice = (
            rng.randbytes(rng.randrange(1, 40)),
            rng.randrange(3),
            rng.randrange(2),
        )
        pieces_ = pieces(frame, choice=choice, tag=rng.randrange(16))
        for k, piece in enumerate(pieces_):
            piece["skip"] = k < skip
        if len(pieces_) > 1 and rng.random() < 0.3:  # an end that has nothing
            pieces_[-1]["last"] = False
            pieces_.append(
                {**pieces_[-1], "data": 0, "size": 0, "first": False, "last": True, "skip": 0}
            )
        sent += pieces_
        expected.append((frame[8 * skip + shifts[choice] :], pieces_[-1]["tag"]))
    for stall in (0, 0.4):
        dut = Realign(shifts, {"tag": 4})
        run = run_streams(dut, {"i": sent}, {"o": None}, stall_in=stall, max_cycles=4000)
        frames = joined(run["o"].payloads)
        assert [(data, piece["tag"]) for data, piece in frames] == expected
        ends = [c for c, p in zip(run["o"].cycles, run["o"].payloads, strict=True) if p["last"]]
        first_cycles = [
            c for c, p in zip(run["i"].cycles, run["i"].payloads, strict=True) if p["last"]
        ]
        assert [o - i for o, i in zip(ends, first_cycles, strict=True)] == [Realign.latency] * 200


def test_delay():
    run = run_streams(Delay(8, 3), {"i": list(range(50))}, {"o": 50}, stall_in=0.5)
    assert run["o"].payloads == list(range(50))
    assert [o - i for o, i in zip(run["o"].cycles, run["i"].cycles, strict=True)] == [3] * 50


# ---------------------------------------------------------------------- buffer
def buffered(frames, depth, stall, seed):
    """Returns the items that leave a buffer for frames, pairs of items and good; and whether each
    fitted."""
    rng, dut = random.Random(seed), FrameBuffer(8, depth)
    sent = [
        {"item": item or 0, "store": item is not None, "last": k == len(items) - 1, "good": good}
        for items, good in frames
        for k, item in enumerate(items)
    ]
    received, fitted = [], []

    async def testbench(ctx):
        index = quiet = 0
        while quiet < 4 * depth + 20:
            offers = index < len(sent) and rng.random() < 0.9
            ctx.set(dut.i.valid, offers)
            if offers:
                ctx.set(dut.i.p, sent[index])
            ctx.set(dut.o.ready, rng.random() >= (stall if index < len(sent) else 0))
            sampled = [dut.fits, dut.o.valid, dut.o.ready, dut.o.p]
            _, _, fits, valid, ready, item = await ctx.tick().sample(*sampled)
            if offers and sent[index]["last"]:
                fitted.append(bool(fits))
            if valid and ready:
                received.append(item)
            index, quiet = index + offers, quiet + 1 if index == len(sent) else 0

    simulate(dut, testbench, streams={"o": dut.o})
    return received, fitted


def some_frames(rng, count, longest):
    """Returns frames with pieces that store nothing, also at the end."""
    return [
        (
            [
                rng.randrange(256) if rng.random() < 0.9 else None
                for _ in range(rng.randrange(1, longest + 1))
            ],
            rng.random() < 0.6,
        )
        for _ in range(count)
    ]


def test_a_bad_frame_leaves_nothing():
    frames = some_frames(random.Random(3), 300, 8)
    received, fitted = buffered(frames, 2048, 0.2, 3)
    assert all(fitted)
    assert received == [
        item for items, good in frames if good for item in items if item is not None
    ]


@pytest.mark.parametrize("stall", [0.5, 0.7, 0.9])
def test_a_frame_comes_whole_or_not_at_all(stall):
    frames = some_frames(random.Random(4), 400, 12)
    received, fitted = buffered(frames, 16, stall, 4)
    assert len(fitted) == 400
    assert 10 < fitted.count(False) < 380
    complete = [items for (items, good), fits in zip(frames, fitted, strict=True) if good and fits]
    assert received == [item for items in complete for item in items if item is not None]


def test_as_much_as_there_is_room_for():
    """The output is stalled: one item leaves the memory, so 17 fit, whatever bad frames come
    between."""
    frames = [([k] * 3, k % 2 == 0) for k in range(20)]
    received, fitted = buffered(frames, 16, 1.0, 5)
    # Five good frames are 15 items, which leaves room for two: a bad frame of three does not fit.
    assert fitted == [True] * 9 + [False] * 11
    assert received == [k for k in range(0, 10, 2) for _ in range(3)]


# ---------------------------------------------------------------------- whole ways
def test_receive_by_hand():
    """The frames of the test with this name at a compiled face, which is slower to make."""
    named = by_hand()
    dut = Receive(16, longest_ping=256)
    received, counted, accepted = drive(dut, [frame for _, frame in named], ports=OURS)
    sizes = [-(-len(frame) // 8) for _, frame in named]
    assert accepted == list(range(sum(sizes)))
    ends = [sum(sizes[: k + 1]) - 1 for k in range(len(sizes))]
    expected = [(end + LATE[name], name) for end, (name, _) in zip(ends, named, strict=True)]
    assert sorted(counted) == sorted(expected)
    assert packets_of(received) == ([3 * bytes(range(32))], 4 * bytes(range(32)))


def test_receive_of_one_sender():
    """The settings of the compiled face's test, one after the other: the datagrams taken
    with each."""
    frames = [
        bytes(link / UDP(dport=FACE.port) / bytes(16)).ljust(60, b"\0")
        for link in (
            Ether(src=mac, dst=FACE.mac) / IP(src=address, dst=FACE.address)
            for mac, address in SENDERS[:3]
        )
    ]
    for sender, accepts in TAKEN.values():
        face = replace(FACE, **sender)
        ports = OURS | {name: face.settings[name] for name in ("from_mac", "from_address")}
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
    received, counted, _ = drive(Receive(4), frames, ports=OURS)
    assert [name for _, name in counted] == [reason for reason, _ in judged]
    bytes_ = b"".join(payload for reason, payload in judged if reason == "datagrams")
    assert packets_of(received) == ([], bytes_)


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


def frames_of(sent):
    """Returns frames from pieces to be sent."""
    return packets_of([(0, p["data"], p["keep"], p["last"]) for p in sent])


def test_arp_reply():
    """RFC 826, by hand."""
    asker = {"mac": 0x0200_0000_0007, "address": as_number("10.9.9.9")}
    ports = {"mac": 0x025E_1000_0001, "address": as_number("10.1.2.3")}
    run = run_stream(ArpReply(), [asker, asker], expected=16, ports=ports, stall_out=0.3)
    frame = bytes.fromhex(
        "020000000007 025e10000001 0806 0001 0800 06 04 0002"
        "025e10000001 0a010203 020000000007 0a090909"
    )
    assert frames_of(run.payloads) == ([frame + bytes(18)] * 2, b"")


def test_ip_writer():
    """Bodies that end in a frame's last piece, or in the piece before, or in neither."""
    rng, face = random.Random(6), Face()
    heads, body, expected = [], [], []
    for size in [*range(40), 1472]:
        data = bytes(ICMP(type=0, id=7, seq=size) / rng.randbytes(size))
        mac, address = "02:00:00:00:00:07", f"10.2.{size % 256}.1"
        heads.append(
            {
                "mac": int(mac.replace(":", ""), 16),
                "address": as_number(address),
                "protocol": 1,
                "length": len(data),
                "first": int.from_bytes(data[:8], "little"),
            }
        )
        body += [int.from_bytes(data[k : k + 8], "little") for k in range(8, len(data), 8)]
        ip = IP(src=face.address, dst=address, proto=1, flags="DF", id=0, ttl=64)
        expected.append(_frame(face, mac, ip / data))
    ports = {name: face.settings[name] for name in ("mac", "address")}
    count = sum(-(-len(frame) // 8) for frame in expected)
    run = run_streams(
        IpWriter(),
        {"head": heads, "body": body},
        {"o": count},
        ports=ports,
        stall_in={"body": 0.2},
        stall_out=0.2,
    )
    assert frames_of(run["o"].payloads) == (expected, b"")


def _frame(face, mac, packet):
    head = bytes.fromhex((mac + face.mac).replace(":", "")) + b"\x08\0"
    return (head + bytes(packet)).ljust(60, b"\0")


@pytest.mark.parametrize("ways", [2, 3])
def test_arbiter(ways):
    rng = random.Random(ways)
    inputs = {f"i{k}": [] for k in range(ways)}
    for name, beats_ in inputs.items():
        for frame in range(30):
            size = rng.randrange(1, 5)
            tag = int(name[1:]) << 16 | frame << 8
            beats_ += [{"data": tag | k, "keep": 255, "last": k == size - 1} for k in range(size)]
    count = sum(map(len, inputs.values()))
    run = run_streams(FrameArbiter(ways), inputs, {"o": count}, stall_in=0.2, stall_out=0.2)
    frames, frame = [], []
    for beat in run["o"].payloads:
        frame.append(beat)
        if beat["last"]:
            frames.append(frame)
            frame = []
    assert frame == []
    for k in range(ways):
        from_source = [beat for frame in frames if frame[0]["data"] >> 16 == k for beat in frame]
        assert from_source == inputs[f"i{k}"]
    full = run_streams(FrameArbiter(ways), inputs, {"o": count})["o"].payloads
    turns = [beat["data"] >> 16 for beat in full if beat["data"] & 0xFF == 0]
    assert turns[: 30 * ways] == [*range(1, ways), 0] * 30


def test_a_reset_in_a_frame_leaves_nothing_of_it():
    """Wherever the reset falls, the next frame is complete, and the first frame is not counted."""
    frame = next(frame for name, frame in by_hand() if name == "datagrams")
    for at in range(1, 26):
        reset, dut = Signal(), Receive(16)
        counted, received = [], []

        async def testbench(ctx, at=at, dut=dut, reset=reset, counted=counted, received=received):
            for name, value in OURS.items():
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
        # The first piece is not accepted, so it stays.
        assert set(received) == {int.from_bytes(bytes(range(8)), "little")}


@pytest.mark.parametrize("cycles", [1, 2, 5])
def test_the_rest_of_a_frame_behind_a_reset_is_no_frame(cycles):
    """The MAC is not reset: it continues a frame that contains a good frame, from any beat on.

    The outer frame may end before the reset is over, or be followed by other frames.
    """
    inner = next(frame for name, frame in by_hand() if name == "datagrams")
    for at in range(14):
        reset, dut, reports = Signal(), FrameCheck(), []
        frames = [bytes(8 * (at + cycles)) + inner, inner, bytes(100)[:40], inner]
        sent = beats(frames)

        async def testbench(ctx, dut=dut, reset=reset, reports=reports, sent=sent, at=at):
            for cycle in range(len(sent) + 8):
                beat = sent[cycle] if cycle < len(sent) else None
                ctx.set(reset, at <= cycle < at + cycles)
                ctx.set(dut.bus.tvalid, beat is not None)
                for name in ("data", "keep", "last") if beat is not None else ():
                    ctx.set(getattr(dut.bus, f"t{name}"), int(beat[name]))
                ports = (
                    dut.events.as_value(),
                    dut.o.valid,
                    dut.o.p.first,
                    dut.o.p.last,
                    dut.o.p.good,
                )
                _, _, events, valid, first, last, good = await ctx.tick().sample(*ports)
                reports.extend(["runt"] if events else [])
                reports.extend(["begin"] if valid and first and cycle > at + cycles else [])
                reports.extend(["good"] if valid and last and good else [])

        simulate(ResetInserter(reset)(dut), testbench)
        assert reports == ["begin", "good", "begin", "runt", "begin", "good"]


def test_frames_that_begin_within_a_reset_are_gone():
    """Ends and beginnings of frames are followed through the reset; the first frame after it is
    complete."""
    inner = next(frame for name, frame in by_hand() if name == "datagrams")
    sent, reset, dut, good = beats([inner] * 4), Signal(), FrameCheck(), []
    size = len(sent) // 4

    async def testbench(ctx):
        for cycle in range(len(sent) + 8):
            ctx.set(reset, 3 <= cycle < size + 3)
            ctx.set(dut.bus.tvalid, cycle < len(sent))
            for name in ("data", "keep", "last") if cycle < len(sent) else ():
                ctx.set(getattr(dut.bus, f"t{name}"), int(sent[cycle][name]))
            ports = dut.o.valid, dut.o.p.last, dut.o.p.good
            _, _, valid, last, is_good = await ctx.tick().sample(*ports)
            good.extend([cycle] if valid and last and is_good else [])

    simulate(ResetInserter(reset)(dut), testbench)
    assert good == [k * size - 1 + FrameCheck.latency for k in (3, 4)]


def test_without_a_mac_no_frame_is_ours():
    """Neither broadcast frames, nor frames to a MAC of zeros."""
    frames = [frame for name, frame in by_hand() if name in ("datagrams", "pings", "arps")]
    frames += [to + frame[6:] for to in (bytes(6), b"\xff" * 6) for frame in frames]
    _, counted, _ = drive(Receive(16), frames, ports=OURS | {"mac": 0})
    assert [name for _, name in counted] == ["other_mac"] * len(frames)


# ---------------------------------------------------------------------- what is refused
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Delay(8, 0), r"cycles must be an integer of at least 1, not 0"),
        (lambda: Realign((6, 8), {}), r"shifts must be two of 0 to 7, not \(6, 8\)"),
        (lambda: FrameCheck(shortest=13), r"shortest must be an integer of at least 14, not 13"),
        (lambda: FrameCheck(longest=59), r"longest must be 60 to 65535, not 59"),
        (lambda: FrameBuffer(8, 12), r"depth must be a power of two of at least 2, not 12"),
        (lambda: UdpPort(0), r"row_bytes must be an integer of at least 1, not 0"),
        (lambda: Echo(longest=4097), r"longest must be 8 to 4096, not 4097"),
        (lambda: Receive(16, depth=128), r"depth must be at least 190, not 128"),
        (lambda: Datagrams(0), r"row_bytes must be an integer of at least 1, not 0"),
        (lambda: Datagrams(16, payload_limit=8), r"payload_limit must be 16 to 2048, not 8"),
        (lambda: FrameArbiter(1), r"ways must be an integer of at least 2, not 1"),
    ],
)
def test_parameters(make, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
