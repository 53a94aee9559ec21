"""Received frames: every good tuple comes once and in order, every other frame is counted."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import checksum, rdpcap

from rtl.ethernet.receive import Receive
from sim.wire.run import beats, packets
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.frames_file import recorded
from tb.rtl.ethernet.model import BROADCAST, Face, judge, packed

pytestmark = pytest.mark.hdl

FACE = Face(longest_ping=256)
PCAP = Path(__file__).parent / "frames.pcap"
OVERFLOWS = {"overflow", "ping_overflow", "arp_overflow"}
UNSET = {"other_sender"}  # counts only if a sender is set

#: Cycles from a frame's last beat to its count, by the part that counts it.
COUNTED = {
    2: ("bad_fcs", "giant", "runt"),
    3: ("other_mac", "group_sender", "other_type"),
    6: ("bad_arp", "other_arp", "arps"),
    11: ("bad_header", "bad_ip_checksum", "other_address", "fragment", "other_protocol"),
    14: (
        *("bad_icmp", "other_icmp", "group_ping", "long_ping", "pings"),
        *("bad_udp_length", "other_port", "other_sender", "bad_udp_checksum", "partial_tuple"),
        "datagrams",
    ),
}
LATE = {name: cycles for cycles, names in COUNTED.items() for name in names}


def run(wire, face, frames, gaps=None, **options):
    """Runs ``frames``, pairs of bytes and True for a bad FCS, with no gap by default."""
    fed = beats([frame for frame, _ in frames], [bad for _, bad in frames], gaps)
    outcome = wire(face).run(fed, settings=face.settings, **options)
    assert outcome.refused == outcome.broken == 0
    return fed, outcome


def streams(payloads):
    """Returns the streams in the payloads of datagrams: an empty payload ends a stream; and the
    unfinished rest."""
    complete, current = [], b""
    for payload in payloads:
        current += payload
        if not payload:
            complete.append(current)
            current = b""
    return complete, current


def unsummed(ping):
    """Returns a reply without its checksum, after checking the checksum: 0 and 0xFFFF are
    equivalent."""
    assert checksum(ping[34 : 14 + IP(ping[14:34]).len]) == 0
    return ping[:36] + ping[38:]


def check(fed, outcome, face, frames):
    """Checks that each frame is counted once, at the right time, as in the model, and that all
    tuples came.

    Returns the number of frames for each counter.
    """
    judged = [judge(frame, bad, face) for frame, bad in frames]
    ends = fed["last"].nonzero()[0].tolist()
    late = [(end + LATE[reason], reason) for end, (reason, _) in zip(ends, judged, strict=True)]
    assert sorted(outcome.counts) == sorted(late)
    payloads = [payload for reason, payload in judged if reason == "datagrams"]
    assert packets(outcome.tuples) == streams(payloads)
    replies = {kind: [p for r, p in judged if r == kind] for kind in ("pings", "arps")}
    sent, _ = packets(outcome.tx)
    assert [f for f in sent if f[12:14] == b"\x08\x06"] == replies["arps"]
    pings = [frame for frame in sent if frame[12:14] == b"\x08\x00"]
    assert [unsummed(frame) for frame in pings] == [unsummed(frame) for frame in replies["pings"]]
    return Counter(reason for reason, _ in judged)


def line_rate(wire, count, seed):
    rng = random.Random(seed)
    frames_made = Frames(FACE, rng).some(count)
    frames = [(frame, bad) for frame, bad, _ in frames_made]
    fed, outcome = run(wire, FACE, frames)
    assert fed["valid"].all()  # a beat in each cycle
    counts = check(fed, outcome, FACE, frames)
    assert counts == Counter(
        reason for _, _, reason in frames_made
    )  # frames are as they were meant
    assert set(counts) | OVERFLOWS | UNSET == {counter.name for counter in Receive.counters}
    bad = 1 - sum(counts[kind] for kind in ("datagrams", "pings", "arps")) / count
    assert 0.3 < bad < 0.37


@pytest.mark.long
def test_line_rate(wire):
    line_rate(wire, 10_000, seed=1)


@pytest.mark.regress
def test_line_rate_for_long(wire):
    line_rate(wire, 100_000, seed=2)


def test_tuples_at_line_rate(wire):
    """The largest frames, back to back: a tuple in every two cycles while payload comes."""
    rng = random.Random(3)
    frame = Ether(src="02:00:00:00:00:01", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
    frames_made = [bytes(frame / UDP(dport=FACE.port) / rng.randbytes(1472)) for _ in range(20)]
    fed, outcome = run(wire, FACE, [(frame, False) for frame in frames_made])
    assert len(fed) == 20 * 190
    assert packets(outcome.tuples) == ([], b"".join(frame[42:] for frame in frames_made))
    cycles = outcome.tuples["cycle"].tolist()
    for k in range(20):
        first, *_, last = cycles[184 * k : 184 * (k + 1)]
        assert (first, last - first) == (cycles[0] + 190 * k, 183)
    assert cycles[0] - 189 == Receive.latency


@pytest.mark.parametrize("seed", range(3))
def test_gaps_and_stalls(wire, seed):
    """A MAC that pauses within frames, and an engine that stalls briefly."""
    rng = random.Random(seed)
    frames = [frame_made[:2] for frame_made in Frames(FACE, rng).some(300)]
    count = len(beats([frame for frame, _ in frames]))
    gaps = [rng.randrange(4) if rng.random() < 0.4 else 0 for _ in range(count)]
    fed, outcome = run(wire, FACE, frames, gaps, stall_tuples=0.3, stall_tx=0.2, seed=seed)
    check(fed, outcome, FACE, frames)


def test_an_engine_that_stalls_loses_whole_datagrams(wire):
    """The engine stalls at first: the buffer takes datagrams until it is full, and the others are
    counted."""
    rng = random.Random(5)
    face = replace(FACE, row_bytes=16)
    generator = Frames(face, rng)
    frames = [(generator.datagram(max_tuples=20), False) for _ in range(200)]
    fed = beats([frame for frame, _ in frames])
    outcome = wire(face, depth=256).run(fed, settings=face.settings, hold=len(fed) // 2)
    assert (outcome.refused, outcome.broken) == (0, 0)
    assert set(outcome.totals) == {"datagrams", "overflow"}
    assert outcome.totals["overflow"] > 50
    counts = sorted(outcome.counts)
    assert len(counts) == 200
    payloads = [judge(*frame, face)[1] for frame in frames]
    accepted = [p for p, (_, event) in zip(payloads, counts, strict=True) if event == "datagrams"]
    assert packets(outcome.tuples) == streams(accepted)
    # As many as fit were stored; a small datagram may fit after a larger one did not.
    stored, missed = 0, False
    for payload, (cycle, event) in zip(payloads, counts, strict=True):
        if cycle >= len(fed) // 2:
            break
        items = max(1, len(payload) // 8)
        assert (event == "datagrams") == (stored + items <= 256 + 1)  # one has left the memory
        stored, missed = stored + items * (event == "datagrams"), missed | (event == "overflow")
    assert missed


def test_a_slow_engine_gets_whole_datagrams(wire):
    """Some good datagrams among the lost ones, many times round the buffer."""
    generator = Frames(FACE, random.Random(6))
    frames = [generator.datagram(max_tuples=20) for _ in range(1000)]
    outcome = wire(FACE, depth=256).run(beats(frames), settings=FACE.settings, stall_tuples=0.7)
    assert (outcome.refused, outcome.broken) == (0, 0)
    counts = [event for _, event in sorted(outcome.counts)]
    assert Counter(counts).keys() == {"datagrams", "overflow"}
    assert 200 < counts.count("overflow") < 800
    payloads = [judge(frame, False, FACE)[1] for frame in frames]
    accepted = [p for p, event in zip(payloads, counts, strict=True) if event == "datagrams"]
    assert packets(outcome.tuples) == streams(accepted)


@pytest.mark.parametrize("row_bytes", [1, 5, 8, 12, 24])
def test_other_tuples(wire, row_bytes):
    """Datagrams of tuples that do not fill a beat: the next datagram begins a new beat."""
    rng, face = random.Random(row_bytes), replace(FACE, row_bytes=row_bytes)
    generator = Frames(face, rng)
    if row_bytes == 1:
        generator.bad.remove("partial_tuple")
    frames = [frame_made[:2] for frame_made in generator.some(300)]
    fed, outcome = run(wire, face, frames)
    counts = check(fed, outcome, face, frames)
    assert (counts["partial_tuple"] > 0) == (row_bytes > 1)


def test_short_frames_are_read_as_far_as_they_go(wire):
    """Without a minimum length: frames cut anywhere, back to back; missing bytes never come from
    the next frame."""
    face, rng = replace(FACE, shortest=14), random.Random(7)
    generator = Frames(face, rng)
    frames = []
    for _ in range(1000):
        full_frame = rng.choice([generator.datagram, generator.ping, generator.arp])()
        cut = rng.randrange(1, len(full_frame)) if rng.random() < 0.8 else len(full_frame)
        frames.append((full_frame[:cut], rng.random() < 0.02))
    fed, outcome = run(wire, face, frames)
    counts = check(fed, outcome, face, frames)
    assert set(counts) >= {"runt", "other_type", "bad_arp", "bad_header", "datagrams"}


def by_hand():
    """Returns each counter with a frame for it, with nothing random."""
    mac, ip = Ether(src="02:00:00:00:00:07", dst=FACE.mac), IP(src="10.9.9.9", dst=FACE.address)
    udp, data = UDP(sport=5, dport=FACE.port), bytes(range(32))
    echo = ICMP(id=1, seq=2)
    request = ARP(hwsrc="02:00:00:00:00:07", psrc="10.9.9.9", pdst=FACE.address)
    good = bytes(mac / ip / udp / data)
    tagged = bytes(mac / Dot1Q(vlan=5) / ip / udp / data)

    def at(place, value, frame=good):
        return frame[:place] + value + frame[place + len(value) :]

    return [
        ("datagrams", good),
        ("datagrams", tagged),
        ("datagrams", at(40, b"\0\0")),  # no checksum
        ("datagrams", bytes(mac / ip / udp).ljust(60, b"\xaa")),  # the end of a stream
        ("datagrams", bytes(Ether(src=mac.src, dst=BROADCAST) / ip / udp / data)),
        ("runt", good[:59]),
        ("giant", good.ljust(1519, b"\0")),
        ("datagrams", good.ljust(1518, b"\0")),
        ("other_mac", at(0, b"\x02\x5e\x10\x00\x00\x02")),
        ("other_mac", at(0, b"\x01\x00\x5e\x00\x00\x01")),
        ("group_sender", at(6, b"\x01")),  # the group bit alone
        ("group_sender", at(6, b"\xff" * 6)),
        ("group_sender", at(6, b"\xff" * 6, bytes(mac / ip / echo / data))),
        ("group_sender", at(6, b"\x33\x33", bytes(mac / request).ljust(60, b"\0"))),
        ("datagrams", at(6, b"\xfe" * 6)),
        ("other_type", at(12, b"\x86\xdd")),
        ("other_type", tagged[:12] + b"\x81\x00\0\0" + tagged[12:]),
        ("arps", bytes(mac / request).ljust(60, b"\0")),
        ("bad_arp", at(14, b"\0\6", bytes(mac / request).ljust(60, b"\0"))),
        ("bad_arp", at(22, b"\xff" * 6, bytes(mac / request).ljust(60, b"\0"))),
        ("bad_arp", at(22, b"\x03", bytes(mac / request).ljust(60, b"\0"))),
        ("arps", bytes(Ether(src=mac.src, dst=BROADCAST) / request).ljust(60, b"\0")),
        ("other_arp", at(20, b"\0\2", bytes(mac / request).ljust(60, b"\0"))),
        ("other_arp", at(41, b"\x04", bytes(mac / request).ljust(60, b"\0"))),
        ("bad_header", at(14, b"\x65")),
        ("bad_header", at(14, b"\x44")),
        ("bad_header", at(16, b"\0\x3d")),  # one byte longer than the frame
        ("bad_ip_checksum", at(24, b"\0\0")),
        ("other_address", bytes(mac / IP(src="10.9.9.9", dst="10.1.2.4") / udp / data)),
        ("fragment", bytes(mac / IP(dst=FACE.address, flags="MF") / udp / data)),
        ("fragment", bytes(mac / IP(dst=FACE.address, frag=185) / udp / data)),
        ("other_protocol", bytes(mac / IP(dst=FACE.address, proto=6) / data)),
        ("pings", bytes(mac / ip / echo / data)),
        ("pings", bytes(mac / ip / echo / bytes(248))),
        ("group_ping", bytes(Ether(src=mac.src, dst=BROADCAST) / ip / echo / data)),
        *(
            (name, bytes(mac / IP(src=src, dst=FACE.address) / echo / data))
            for name, sources in (
                ("group_ping", ("0.0.0.0", "0.255.0.1", "127.0.0.1", "127.9.9.9", "224.0.0.1")),
                ("group_ping", ("239.255.255.250", "240.0.0.0", "255.255.255.255")),
                ("pings", ("126.255.255.255", "223.255.255.254")),  # four in all can wait
            )
            for src in sources
        ),
        ("datagrams", bytes(mac / IP(src="255.255.255.255", dst=FACE.address) / udp / data)),
        ("long_ping", bytes(mac / ip / echo / bytes(249))),
        ("bad_icmp", at(36, b"\0\0", bytes(mac / ip / echo / data))),
        ("other_icmp", bytes(mac / ip / ICMP(type=0, id=1) / data)),
        ("bad_udp_length", bytes(mac / ip / UDP(dport=FACE.port, len=39, chksum=0) / data)),
        ("other_port", bytes(mac / ip / UDP(dport=FACE.port + 1) / data)),
        ("bad_udp_checksum", at(40, b"\1\1")),
        ("partial_tuple", bytes(mac / ip / udp / data[:31]).ljust(60, b"\0")),
    ]


def test_by_hand(wire):
    named = by_hand()
    fed, outcome = run(wire, FACE, [(frame, False) for _, frame in named])
    ends = fed["last"].nonzero()[0].tolist()
    expected = [(end + LATE[name], name) for end, (name, _) in zip(ends, named, strict=True)]
    assert sorted(outcome.counts) == sorted(expected)
    data = bytes(range(32))
    assert packets(outcome.tuples) == ([3 * data], 4 * data)
    sent, _ = packets(outcome.tx)
    names = [name for name, _ in named]
    assert len(sent) == names.count("pings") + names.count("arps") == 6
    assert not any(frame[0] & 1 for frame in sent)  # no answer to a group


#: Senders of datagrams by MAC and address, and which of four are taken with each setting.
SENDERS = [
    ("02:00:00:00:00:07", "10.9.9.9"),
    ("02:00:00:00:00:07", "10.9.9.8"),
    ("02:00:00:00:00:06", "10.9.9.9"),
    ("03:00:00:00:00:07", "10.9.9.9"),
]
TAKEN = {
    "any": ({}, [1, 1, 1, 0]),
    "MAC": ({"from_mac": "02:00:00:00:00:07"}, [1, 1, 0, 0]),
    "address": ({"from_address": "10.9.9.9"}, [1, 0, 1, 0]),
    "both": ({"from_mac": "02:00:00:00:00:07", "from_address": "10.9.9.9"}, [1, 0, 0, 0]),
}


@pytest.mark.parametrize("name", TAKEN)
def test_one_sender(wire, name):
    """Datagrams of other senders are counted, even if they would end the stream; pings are
    answered."""
    sender, accepts = TAKEN[name]
    face, echo = replace(FACE, **sender), ICMP(id=1, seq=2)
    frames, expected = [], []
    for (mac, address), good in zip(SENDERS, accepts, strict=True):
        link = Ether(src=mac, dst=face.mac) / IP(src=address, dst=face.address)
        group = mac.startswith("03")
        for body in (UDP(dport=face.port) / bytes(16), UDP(dport=face.port), echo):
            frames.append((bytes(link / body).ljust(60, b"\0"), False))
            counter = "pings" if body is echo else "datagrams" if good else "other_sender"
            expected.append("group_sender" if group else counter)
    fed, outcome = run(wire, face, frames)
    assert check(fed, outcome, face, frames) == Counter(expected)
    assert packets(outcome.tuples) == ([bytes(16)] * sum(accepts), b"")


def test_precedence(wire):
    """A frame with everything wrong, corrected step by step, is counted for its first error."""
    mac, data = Ether(src="ff:ff:ff:ff:ff:ff", dst="02:00:00:00:00:08", type=5), bytes(31)
    ip = IP(dst="10.0.0.1", version=4, ihl=5, len=70, chksum=1, flags="MF", proto=6, id=0)
    udp = UDP(dport=1, len=38, chksum=1)
    steps = [
        ("giant", {}, bytes(1500)),
        ("other_mac", {}, b""),
        ("group_sender", {"dst": FACE.mac}, b""),
        ("other_type", {"src": "02:00:00:00:00:07"}, b""),
        ("bad_header", {"type": 0x0800}, b""),
        ("bad_ip_checksum", {"len": 59}, b""),
        ("other_address", {"ip_chksum": None}, b""),
        ("fragment", {"ip_dst": FACE.address}, b""),
        ("other_protocol", {"flags": 0}, b""),
        ("bad_udp_length", {"proto": 17}, b""),
        ("other_port", {"udp_len": 39}, b""),
        ("bad_udp_checksum", {"dport": FACE.port}, b""),
        ("partial_tuple", {"udp_chksum": None}, b""),
    ]
    frames, layers = [], {"type": mac, "dst": mac, "src": mac, "len": ip, "flags": ip, "proto": ip}
    layers |= {"ip_chksum": ip, "ip_dst": ip, "udp_len": udp, "dport": udp, "udp_chksum": udp}
    for _, changes, padding in steps:
        for name, value in changes.items():
            setattr(layers[name], name.removeprefix("ip_").removeprefix("udp_"), value)
        frames.append(bytes(mac / ip / udp / data) + padding)
    frames = [frames[0], *frames]  # the first with a bad FCS as well
    fed = beats(frames, [True] + [False] * len(steps))
    outcome = wire(FACE).run(fed, settings=FACE.settings)
    assert outcome.totals == Counter(["bad_fcs", *(name for name, _, _ in steps)])
    ends = fed["last"].nonzero()[0].tolist()
    names = ["bad_fcs", *(name for name, _, _ in steps)]
    assert sorted(outcome.counts) == sorted(
        (end + LATE[name], name) for end, name in zip(ends, names, strict=True)
    )


def test_recorded_frames(wire):
    """The frames of the file that frames_file.py writes."""
    frames = [(bytes(packet), False) for packet in rdpcap(str(PCAP))]
    assert [frame for frame, _ in frames] == recorded()
    fed, outcome = run(wire, FACE, frames)
    counts = check(fed, outcome, FACE, frames)
    assert counts == {"datagrams": 12, "pings": 2, "arps": 2, "fragment": 2, "other_port": 1} | {
        "other_type": 1,
        "bad_udp_checksum": 1,
        "partial_tuple": 1,
        "runt": 1,
        "giant": 1,
    }
    complete, rest = packets(outcome.tuples)
    assert [len(stream) % 16 for stream in complete] == [0]
    assert rest == b""


def test_pings_of_every_size(wire):
    frames = []
    for size in range(249):
        body = ICMP(id=size, seq=1) / bytes(k * 7 % 256 for k in range(size))
        frame = Ether(src="02:00:00:00:00:07", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
        frames.append((bytes(frame / body).ljust(60, b"\0"), False))
    fed, outcome = run(wire, FACE, frames, [3] * len(beats([f for f, _ in frames])))
    assert check(fed, outcome, FACE, frames) == {"pings": 249}
    sent, _ = packets(outcome.tx)
    assert sent[40] == packed(
        ICMP(type=0, id=40, seq=1) / bytes(k * 7 % 256 for k in range(40)),
        "02:00:00:00:00:07",
        "10.0.0.9",
        FACE,
    )


def test_a_flood_of_pings_and_arp(wire):
    """While nothing can be sent, four of each can wait, and the others are counted."""
    generator = Frames(FACE, random.Random(13))
    frames = [generator.ping() for _ in range(20)] + [generator.arp() for _ in range(20)]
    outcome = wire(FACE).run(beats(frames), settings=FACE.settings, stall_tx=0.995, drain=20000)
    totals = outcome.totals
    assert totals["pings"] + totals["ping_overflow"] == 20
    assert totals["arps"] + totals["arp_overflow"] == 20
    assert 4 <= totals["pings"] < 15
    assert 4 <= totals["arps"] < 15
    sent, _ = packets(outcome.tx)
    for kind, requests, start in (
        ("pings", frames[:20], b"\x08\x00"),
        ("arps", frames[20:], b"\x08\x06"),
    ):
        counts = [event for _, event in outcome.counts if event.startswith(kind[:-1])]
        answered = [frame for frame, event in zip(requests, counts, strict=True) if event == kind]
        expected = [judge(frame, False, FACE)[1] for frame in answered]
        assert [frame for frame in sent if frame[12:14] == start] == expected
