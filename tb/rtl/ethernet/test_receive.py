"""Frames on the wire: every good tuple comes once and in order, every other frame is counted."""

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
UNSET = {"other_sender"}  # as long as no sender is set

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
    """Runs ``frames``, pairs of bytes and whether the FCS is bad, with no gap by default."""
    given = beats([frame for frame, _ in frames], [bad for _, bad in frames], gaps)
    found = wire(face).run(given, settings=face.settings, **options)
    assert found.refused == found.broken == 0
    return given, found


def streams(payloads):
    """What comes of datagrams: those with no bytes end a stream; and what no one has ended."""
    ended, begun = [], b""
    for payload in payloads:
        begun += payload
        if not payload:
            ended.append(begun)
            begun = b""
    return ended, begun


def unsummed(ping):
    """A reply without its checksum, which is right: 0 and 0xFFFF are the same."""
    assert checksum(ping[34 : 14 + IP(ping[14:34]).len]) == 0
    return ping[:36] + ping[38:]


def check(given, found, face, frames):
    """Each frame is counted once, at its time, for what the model says; and all tuples came."""
    told = [judge(frame, bad, face) for frame, bad in frames]
    ends = given["last"].nonzero()[0].tolist()
    late = [(end + LATE[reason], reason) for end, (reason, _) in zip(ends, told, strict=True)]
    assert sorted(found.counts) == sorted(late)
    payloads = [payload for reason, payload in told if reason == "datagrams"]
    assert packets(found.tuples) == streams(payloads)
    replies = {kind: [p for r, p in told if r == kind] for kind in ("pings", "arps")}
    sent, _ = packets(found.tx)
    assert [f for f in sent if f[12:14] == b"\x08\x06"] == replies["arps"]
    pings = [frame for frame in sent if frame[12:14] == b"\x08\x00"]
    assert [unsummed(frame) for frame in pings] == [unsummed(frame) for frame in replies["pings"]]
    return Counter(reason for reason, _ in told)


def line_rate(wire, count, seed):
    rng = random.Random(seed)
    made = Frames(FACE, rng).some(count)
    frames = [(frame, bad) for frame, bad, _ in made]
    given, found = run(wire, FACE, frames)
    assert given["valid"].all()  # a beat in each cycle
    told = check(given, found, FACE, frames)
    assert told == Counter(reason for _, _, reason in made)  # what was meant is what it is
    assert set(told) | OVERFLOWS | UNSET == {counter.name for counter in Receive.counters}
    bad = 1 - sum(told[kind] for kind in ("datagrams", "pings", "arps")) / count
    assert 0.3 < bad < 0.37


@pytest.mark.long
def test_line_rate(wire):
    line_rate(wire, 10_000, seed=1)


@pytest.mark.regress
def test_line_rate_for_long(wire):
    line_rate(wire, 100_000, seed=2)


def test_tuples_at_line_rate(wire):
    """The largest frames, one behind the other: a tuple in every two cycles while payload comes."""
    rng = random.Random(3)
    frame = Ether(src="02:00:00:00:00:01", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
    made = [bytes(frame / UDP(dport=FACE.port) / rng.randbytes(1472)) for _ in range(20)]
    given, found = run(wire, FACE, [(frame, False) for frame in made])
    assert len(given) == 20 * 190
    assert packets(found.tuples) == ([], b"".join(frame[42:] for frame in made))
    cycles = found.tuples["cycle"].tolist()
    for k in range(20):
        first, *_, last = cycles[184 * k : 184 * (k + 1)]
        assert (first, last - first) == (cycles[0] + 190 * k, 183)
    assert cycles[0] - 189 == Receive.latency


@pytest.mark.parametrize("seed", range(3))
def test_gaps_and_stalls(wire, seed):
    """A MAC that pauses within frames, and an engine that stalls, but not for long."""
    rng = random.Random(seed)
    frames = [made[:2] for made in Frames(FACE, rng).some(300)]
    count = len(beats([frame for frame, _ in frames]))
    gaps = [rng.randrange(4) if rng.random() < 0.4 else 0 for _ in range(count)]
    given, found = run(wire, FACE, frames, gaps, stall_tuples=0.3, stall_tx=0.2, seed=seed)
    check(given, found, FACE, frames)


def test_an_engine_that_stalls_loses_whole_datagrams(wire):
    """Nothing is taken at first: what fits is kept, all else counted; and then it goes on."""
    rng = random.Random(5)
    face = replace(FACE, row_bytes=16)
    makes = Frames(face, rng)
    frames = [(makes.datagram(most=20), False) for _ in range(200)]
    given = beats([frame for frame, _ in frames])
    found = wire(face, depth=256).run(given, settings=face.settings, hold=len(given) // 2)
    assert (found.refused, found.broken) == (0, 0)
    assert set(found.totals) == {"datagrams", "overflow"}
    assert found.totals["overflow"] > 50
    counts = sorted(found.counts)
    assert len(counts) == 200
    payloads = [judge(*frame, face)[1] for frame in frames]
    taken = [p for p, (_, what) in zip(payloads, counts, strict=True) if what == "datagrams"]
    assert packets(found.tuples) == streams(taken)
    # As many as fit were kept; a smaller one may have found room behind a larger.
    kept, missed = 0, False
    for payload, (cycle, what) in zip(payloads, counts, strict=True):
        if cycle >= len(given) // 2:
            break
        items = max(1, len(payload) // 8)
        assert (what == "datagrams") == (kept + items <= 256 + 1)  # one has left the memory
        kept, missed = kept + items * (what == "datagrams"), missed | (what == "overflow")
    assert missed


def test_a_slow_engine_gets_whole_datagrams(wire):
    """With some good ones among the lost, many times round the buffer."""
    makes = Frames(FACE, random.Random(6))
    frames = [makes.datagram(most=20) for _ in range(1000)]
    found = wire(FACE, depth=256).run(beats(frames), settings=FACE.settings, stall_tuples=0.7)
    assert (found.refused, found.broken) == (0, 0)
    counts = [what for _, what in sorted(found.counts)]
    assert Counter(counts).keys() == {"datagrams", "overflow"}
    assert 200 < counts.count("overflow") < 800
    payloads = [judge(frame, False, FACE)[1] for frame in frames]
    taken = [p for p, what in zip(payloads, counts, strict=True) if what == "datagrams"]
    assert packets(found.tuples) == streams(taken)


@pytest.mark.parametrize("row_bytes", [1, 5, 8, 12, 24])
def test_other_tuples(wire, row_bytes):
    """Datagrams of tuples that need not fill a beat: the next one begins with a new one."""
    rng, face = random.Random(row_bytes), replace(FACE, row_bytes=row_bytes)
    makes = Frames(face, rng)
    if row_bytes == 1:
        makes.bad.remove("partial_tuple")
    frames = [made[:2] for made in makes.some(300)]
    given, found = run(wire, face, frames)
    told = check(given, found, face, frames)
    assert (told["partial_tuple"] > 0) == (row_bytes > 1)


def test_short_frames_are_read_as_far_as_they_go(wire):
    """With a MAC that gives any: cut anywhere, back to back, what is missing is nobody's else."""
    face, rng = replace(FACE, shortest=14), random.Random(7)
    makes = Frames(face, rng)
    frames = []
    for _ in range(1000):
        whole = rng.choice([makes.datagram, makes.ping, makes.arp])()
        cut = rng.randrange(1, len(whole)) if rng.random() < 0.8 else len(whole)
        frames.append((whole[:cut], rng.random() < 0.02))
    given, found = run(wire, face, frames)
    told = check(given, found, face, frames)
    assert set(told) >= {"runt", "other_type", "bad_arp", "bad_header", "datagrams"}


def by_hand():
    """Each reason, and what is wrong about the frame, with nothing random."""
    mac, ip = Ether(src="02:00:00:00:00:07", dst=FACE.mac), IP(src="10.9.9.9", dst=FACE.address)
    udp, data = UDP(sport=5, dport=FACE.port), bytes(range(32))
    echo = ICMP(id=1, seq=2)
    asks = ARP(hwsrc="02:00:00:00:00:07", psrc="10.9.9.9", pdst=FACE.address)
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
        ("group_sender", at(6, b"\x33\x33", bytes(mac / asks).ljust(60, b"\0"))),
        ("datagrams", at(6, b"\xfe" * 6)),
        ("other_type", at(12, b"\x86\xdd")),
        ("other_type", tagged[:12] + b"\x81\x00\0\0" + tagged[12:]),
        ("arps", bytes(mac / asks).ljust(60, b"\0")),
        ("bad_arp", at(14, b"\0\6", bytes(mac / asks).ljust(60, b"\0"))),
        ("bad_arp", at(22, b"\xff" * 6, bytes(mac / asks).ljust(60, b"\0"))),
        ("bad_arp", at(22, b"\x03", bytes(mac / asks).ljust(60, b"\0"))),
        ("arps", bytes(Ether(src=mac.src, dst=BROADCAST) / asks).ljust(60, b"\0")),
        ("other_arp", at(20, b"\0\2", bytes(mac / asks).ljust(60, b"\0"))),
        ("other_arp", at(41, b"\x04", bytes(mac / asks).ljust(60, b"\0"))),
        ("bad_header", at(14, b"\x65")),
        ("bad_header", at(14, b"\x44")),
        ("bad_header", at(16, b"\0\x3d")),  # a byte more than came
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
                ("pings", ("126.255.255.255", "223.255.255.254")),  # four in all may wait
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
    given, found = run(wire, FACE, [(frame, False) for _, frame in named])
    ends = given["last"].nonzero()[0].tolist()
    wanted = [(end + LATE[name], name) for end, (name, _) in zip(ends, named, strict=True)]
    assert sorted(found.counts) == sorted(wanted)
    data = bytes(range(32))
    assert packets(found.tuples) == ([3 * data], 4 * data)
    sent, _ = packets(found.tx)
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
    """Datagrams of others are counted, also one that would end the stream; pings are answered."""
    sender, taken = TAKEN[name]
    face, echo = replace(FACE, **sender), ICMP(id=1, seq=2)
    frames, wanted = [], []
    for (mac, address), good in zip(SENDERS, taken, strict=True):
        link = Ether(src=mac, dst=face.mac) / IP(src=address, dst=face.address)
        group = mac.startswith("03")
        for body in (UDP(dport=face.port) / bytes(16), UDP(dport=face.port), echo):
            frames.append((bytes(link / body).ljust(60, b"\0"), False))
            kept = "pings" if body is echo else "datagrams" if good else "other_sender"
            wanted.append("group_sender" if group else kept)
    given, found = run(wire, face, frames)
    assert check(given, found, face, frames) == Counter(wanted)
    assert packets(found.tuples) == ([bytes(16)] * sum(taken), b"")


def test_precedence(wire):
    """A frame with everything wrong, put right step by step, is counted for what comes first."""
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
    for _, changes, more in steps:
        for name, value in changes.items():
            setattr(layers[name], name.removeprefix("ip_").removeprefix("udp_"), value)
        frames.append(bytes(mac / ip / udp / data) + more)
    frames = [frames[0], *frames]  # the first with a bad FCS as well
    given = beats(frames, [True] + [False] * len(steps))
    found = wire(FACE).run(given, settings=FACE.settings)
    assert found.totals == Counter(["bad_fcs", *(name for name, _, _ in steps)])
    ends = given["last"].nonzero()[0].tolist()
    names = ["bad_fcs", *(name for name, _, _ in steps)]
    assert sorted(found.counts) == sorted(
        (end + LATE[name], name) for end, name in zip(ends, names, strict=True)
    )


def test_recorded_frames(wire):
    """A file of frames, as they were written down: see frames_file.py."""
    frames = [(bytes(packet), False) for packet in rdpcap(str(PCAP))]
    assert [frame for frame, _ in frames] == recorded()
    given, found = run(wire, FACE, frames)
    told = check(given, found, FACE, frames)
    assert told == {"datagrams": 12, "pings": 2, "arps": 2, "fragment": 2, "other_port": 1} | {
        "other_type": 1,
        "bad_udp_checksum": 1,
        "partial_tuple": 1,
        "runt": 1,
        "giant": 1,
    }
    ended, rest = packets(found.tuples)
    assert [len(stream) % 16 for stream in ended] == [0]
    assert rest == b""


def test_pings_of_every_size(wire):
    frames = []
    for size in range(249):
        body = ICMP(id=size, seq=1) / bytes(k * 7 % 256 for k in range(size))
        frame = Ether(src="02:00:00:00:00:07", dst=FACE.mac) / IP(src="10.0.0.9", dst=FACE.address)
        frames.append((bytes(frame / body).ljust(60, b"\0"), False))
    given, found = run(wire, FACE, frames, [3] * len(beats([f for f, _ in frames])))
    assert check(given, found, FACE, frames) == {"pings": 249}
    sent, _ = packets(found.tx)
    assert sent[40] == packed(
        ICMP(type=0, id=40, seq=1) / bytes(k * 7 % 256 for k in range(40)),
        "02:00:00:00:00:07",
        "10.0.0.9",
        FACE,
    )


def test_a_flood_of_pings_and_arp(wire):
    """While nothing can be sent, four of each wait, and the others are counted."""
    makes = Frames(FACE, random.Random(13))
    frames = [makes.ping() for _ in range(20)] + [makes.arp() for _ in range(20)]
    found = wire(FACE).run(beats(frames), settings=FACE.settings, stall_tx=0.995, drain=20000)
    totals = found.totals
    assert totals["pings"] + totals["ping_overflow"] == 20
    assert totals["arps"] + totals["arp_overflow"] == 20
    assert 4 <= totals["pings"] < 15
    assert 4 <= totals["arps"] < 15
    sent, _ = packets(found.tx)
    for kind, made, start in (
        ("pings", frames[:20], b"\x08\x00"),
        ("arps", frames[20:], b"\x08\x06"),
    ):
        counts = [what for _, what in found.counts if what.startswith(kind[:-1])]
        answered = [frame for frame, what in zip(made, counts, strict=True) if what == kind]
        wanted = [judge(frame, False, FACE)[1] for frame in answered]
        assert [frame for frame in sent if frame[12:14] == start] == wanted
