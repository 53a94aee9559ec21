"""Frames by hand for the receiving half of a face, and the check of frames by the model."""

from collections import Counter

from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import checksum

from sim.wire.run import beats, packets
from tb.rtl.ethernet.model import BROADCAST, Face, judge

FACE = Face(longest_ping=256)
#: Settings by which a face knows the frames that are for it.
OWN_PORTS = {name: FACE.settings[name] for name in ("mac", "address", "port")}
OVERFLOWS = {"overflow", "ping_overflow", "arp_overflow"}

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
COUNT_DELAYS = {name: cycles for cycles, names in COUNTED.items() for name in names}


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
    late = [
        (end + COUNT_DELAYS[reason], reason) for end, (reason, _) in zip(ends, judged, strict=True)
    ]
    assert sorted(outcome.events) == sorted(late)
    payloads = [payload for reason, payload in judged if reason == "datagrams"]
    assert packets(outcome.tuples) == streams(payloads)
    replies = {kind: [p for r, p in judged if r == kind] for kind in ("pings", "arps")}
    sent, _ = packets(outcome.tx)
    assert [f for f in sent if f[12:14] == b"\x08\x06"] == replies["arps"]
    pings = [frame for frame in sent if frame[12:14] == b"\x08\x00"]
    assert [unsummed(frame) for frame in pings] == [unsummed(frame) for frame in replies["pings"]]
    return Counter(reason for reason, _ in judged)


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


#: Senders of datagrams by MAC and address, and which of four are taken with each setting.
SENDERS = [
    ("02:00:00:00:00:07", "10.9.9.9"),
    ("02:00:00:00:00:07", "10.9.9.8"),
    ("02:00:00:00:00:06", "10.9.9.9"),
    ("03:00:00:00:00:07", "10.9.9.9"),
]
ACCEPTED_SENDERS = {
    "any": ({}, [1, 1, 1, 0]),
    "MAC": ({"from_mac": "02:00:00:00:00:07"}, [1, 1, 0, 0]),
    "address": ({"from_address": "10.9.9.9"}, [1, 0, 1, 0]),
    "both": ({"from_mac": "02:00:00:00:00:07", "from_address": "10.9.9.9"}, [1, 0, 0, 0]),
}
