"""Makes random Ethernet frames by scapy, good and bad, each with the counter that must count it."""

from scapy.layers.inet import ICMP, IP, UDP, IPOption_NOP, IPOption_RR
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import checksum

from tb.rtl.ethernet.model import BROADCAST

#: Bytes to which a shorter frame is padded, without FCS.
FILLED = 60
#: MACs of groups of machines, the broadcast MAC included.
GROUPS = (BROADCAST, "01:00:5e:00:00:01", "33:33:00:00:00:01", "01:80:c2:00:00:0e")
#: Addresses that no single machine has.
NO_MACHINES = (
    *("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.0.9"),
    *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
)


class Frames:
    """Makes frames for a network face, from one generator of random numbers.

    A method ``bad_...`` makes a frame with one fault, named after the counter of the fault. ``bad``
    has the faults that :meth:`one` chooses from. A caller removes the faults that its face cannot
    have: ``partial_tuple`` with tuples of one byte, and ``long_ping`` with a ``longest_ping`` of
    1,307 or more.
    """

    def __init__(self, face, rng):
        self.face, self.rng = face, rng
        room = face.longest - 110  # without headers, options, and padding
        self.payload_limit = room - room % face.row_bytes
        self.bad = sorted(name[4:] for name in dir(self) if name.startswith("bad_"))

    def some(self, count, bad=1 / 3, max_tuples=6, large=0.01):
        """Returns ``count`` results of :meth:`one`."""
        return [self.one(bad, max_tuples, large) for _ in range(count)]

    def one(self, bad=1 / 3, max_tuples=6, large=0.01):
        """Returns a frame, True if its FCS is bad, and the name of its counter.

        ``bad`` is the probability of a bad frame. A good datagram has up to ``max_tuples`` tuples,
        or with the probability ``large`` up to 90.
        """
        if self.rng.random() < bad:
            reason = self.rng.choice(self.bad)
            frame = getattr(self, f"bad_{reason}")()
            return frame, reason == "fcs", self.counter_of(reason)
        kind = self.rng.choices(["datagrams", "pings", "arps"], [30, 1, 1])[0]
        frame = {"datagrams": self.datagram, "pings": self.ping, "arps": self.arp}[kind]
        arguments = {}
        if kind == "datagrams":
            arguments["max_tuples"] = 90 if self.rng.random() < large else max_tuples
        return frame(**arguments), False, kind

    @staticmethod
    def counter_of(reason):
        """Returns the counter of a fault: ``bad_arp`` for ``arp``, but ``runt`` for ``runt``."""
        unchanged = ("giant", "runt", "fragment", "partial_tuple", "long_ping")
        unchanged += ("group_sender", "group_ping")
        return reason if reason in unchanged or reason.startswith("other_") else f"bad_{reason}"

    # ------------------------------------------------------------------ good frames
    def mac(self):
        return ":".join(["02", *(f"{self.rng.randrange(256):02x}" for _ in range(5))])

    def address(self):
        return (
            f"10.{self.rng.randrange(256)}.{self.rng.randrange(256)}.{self.rng.randrange(1, 255)}"
        )

    def ether(self, dst=None, tags=None, src=None):
        tags = self.rng.random() < 0.15 if tags is None else tags
        layer = Ether(
            src=src or self.mac(), dst=dst or self.rng.choice([self.face.mac] * 9 + [BROADCAST])
        )
        for _ in range(tags):
            layer = layer / Dot1Q(vlan=self.rng.randrange(4096), prio=self.rng.randrange(8))
        return layer

    def ip(self, **changes):
        options = []
        if self.rng.random() < 0.1:
            options = [IPOption_NOP()] * self.rng.randrange(40)
            if self.rng.random() < 0.5:
                options = [IPOption_RR(routers=["1.2.3.4"] * self.rng.randrange(1, 8))]
        fields = {
            "src": self.address(),
            "dst": self.face.address,
            "id": self.rng.randrange(1 << 16),
            "ttl": self.rng.randrange(1, 256),
            "tos": self.rng.randrange(256),
            "flags": self.rng.choice([0, "DF"]),
            "options": options,
        }
        return IP(**fields | changes)

    def payload(self, max_tuples=6):
        return self.rng.randbytes(self.face.row_bytes * self.rng.randrange(1, max_tuples + 1))

    def udp(self, **changes):
        fields = {"sport": self.rng.randrange(1 << 16), "dport": self.face.port}
        if self.rng.random() < 0.2:
            fields["chksum"] = 0
        return UDP(**fields | changes)

    def bytes(self, frame):
        """Returns the bytes of a frame, with random padding to 60 bytes, sometimes beyond."""
        frame = bytes(frame)
        padding = self.rng.randrange(1, 20) if self.rng.random() < 0.05 else 0
        return frame + self.rng.randbytes(max(FILLED - len(frame), padding))

    def datagram(self, max_tuples=6):
        body = self.payload(max_tuples) if self.rng.random() < 0.98 else b""
        body = body[: self.payload_limit]
        return self.bytes(self.ether() / self.ip() / self.udp() / body)

    def echo(self, size=None, **changes):
        size = self.rng.randrange(100) if size is None else size
        fields = {"id": self.rng.randrange(1 << 16), "seq": self.rng.randrange(1 << 16)}
        return ICMP(**fields | changes) / self.rng.randbytes(size)

    def ping(self):
        return self.bytes(self.ether(self.face.mac) / self.ip() / self.echo())

    def arp_request(self, **changes):
        fields = {"op": 1, "hwsrc": self.mac(), "psrc": self.address(), "pdst": self.face.address}
        return ARP(**fields | changes)

    def arp_of(self, body):
        """Returns a frame with ``body``, 28 bytes, as its ARP packet."""
        return bytes(self.ether() / ARP())[:-28] + body

    def arp(self):
        return self.bytes(self.ether() / self.arp_request())

    # ------------------------------------------------------------------ bad frames
    def one_bit(self, frame, first, last):
        """Returns the frame with one bit changed in the bytes from ``first`` to before ``last``."""
        changed, bit = bytearray(frame), self.rng.randrange(8 * first, 8 * last)
        changed[bit // 8] ^= 1 << bit % 8
        return bytes(changed)

    def bad_fcs(self):
        """Returns a good frame; :meth:`one` says that its FCS is bad."""
        return self.rng.choice([self.datagram, self.arp, self.ping])()

    def bad_giant(self):
        return self.datagram() + bytes(self.face.longest)

    def bad_runt(self):
        return self.datagram()[: self.rng.randrange(1, self.face.shortest)]

    def bad_other_mac(self):
        frame = self.ether() / self.ip() / self.udp() / self.payload()
        return self.one_bit(self.bytes(frame), 0, 6)

    def bad_group_sender(self):
        src = self.rng.choice([*GROUPS, "03" + self.mac()[2:]])
        kinds = [
            self.ip() / self.echo(),
            self.arp_request(),
            self.ip() / self.udp() / self.payload(),
        ]
        return self.bytes(self.ether(src=src) / self.rng.choice(kinds))

    def bad_other_type(self):
        if self.rng.random() < 0.5:
            return self.bytes(self.ether(tags=2) / self.ip() / self.udp() / self.payload())
        kind = self.rng.choice([0x86DD, 0x88CC, 0x0801, 0x8100 ^ 1, 46])
        frame = Ether(dst=self.face.mac, src=self.mac(), type=kind)
        return self.bytes(frame) + self.rng.randbytes(40)

    def bad_arp(self):
        if self.rng.random() < 0.3:
            return self.bytes(self.ether() / self.arp_request(hwsrc=self.rng.choice(GROUPS)))
        arp_request = self.one_bit(bytes(self.arp_request()), 0, 6)
        return self.bytes(self.arp_of(arp_request))

    def bad_other_arp(self):
        if self.rng.random() < 0.5:
            return self.bytes(self.ether() / self.arp_request(op=self.rng.choice([0, 2, 3, 0x101])))
        unchanged = bytes(self.arp_request())
        return self.bytes(self.arp_of(self.one_bit(unchanged, 24, 28)))

    def bad_header(self):
        udp = self.udp() / self.payload()
        short, ip = len(bytes(udp)) + 19, self.ip(options=[])
        ip = self.rng.choice(
            [
                lambda: replace_fields(ip, version=self.rng.choice([0, 5, 6, 15])),
                lambda: replace_fields(ip, ihl=self.rng.randrange(5)),
                lambda: replace_fields(ip, ihl=15, len=self.rng.randrange(60)),
                lambda: replace_fields(ip, len=self.rng.randrange(20)),
                lambda: replace_fields(ip, len=short + self.rng.randrange(1000, 60000)),
            ]
        )()
        return self.bytes(self.ether() / ip / udp)

    def bad_ip_checksum(self):
        frame = self.ether(tags=0) / self.ip() / self.udp() / self.payload()
        return self.one_bit(self.bytes(frame), 22, 34)

    def bad_other_address(self):
        dst = self.rng.choice(["10.1.2.2", "11.1.2.3", "10.129.2.3", "10.1.3.3", "224.0.0.1"])
        return self.bytes(self.ether() / self.ip(dst=dst) / self.udp() / self.payload())

    def bad_fragment(self):
        flags, frag = self.rng.choice([("MF", 0), ("MF", 100), (0, 1), (0, 4096), (0, 8191)])
        ip = self.ip(flags=flags, frag=frag)
        return self.bytes(self.ether() / ip / self.udp() / self.payload())

    def bad_other_protocol(self):
        ip = self.ip(proto=self.rng.choice([0, 2, 6, 16, 18, 19, 49, 145]))
        return self.bytes(self.ether() / ip / self.payload())

    def bad_icmp(self):
        if self.rng.random() < 0.3:
            body = bytes(self.echo(size=0))[: self.rng.randrange(8)]
        else:
            body = bytes(self.echo())
            body = self.one_bit(body, 0, len(body))
        return self.bytes(self.ether() / self.ip(proto=1) / body)

    def bad_other_icmp(self):
        type_, code = self.rng.choice([(0, 0), (8, 1), (9, 0), (13, 0), (24, 0), (136, 0)])
        body = bytes(ICMP(type=8) / self.rng.randbytes(self.rng.randrange(60)))
        body = bytes([type_, code, 0, 0]) + body[4:]
        body = body[:2] + checksum(body).to_bytes(2, "big") + body[4:]
        return self.bytes(self.ether() / self.ip(proto=1) / body)

    def bad_group_ping(self):
        if self.rng.random() < 0.3:
            return self.bytes(self.ether(BROADCAST) / self.ip() / self.echo())
        source = self.ip(src=self.rng.choice(NO_MACHINES))
        return self.bytes(self.ether(self.face.mac) / source / self.echo())

    def bad_long_ping(self):
        size = self.rng.randrange(self.face.longest_ping - 7, 1300)
        return self.bytes(self.ether(self.face.mac) / self.ip() / self.echo(size))

    def bad_udp_length(self):
        payload = self.payload()
        right = 8 + len(payload)
        lengths = [0, 7, right - 16, right - 1, right + 1, right + 16, right | 0x8000]
        udp = self.udp(len=self.rng.choice([n for n in lengths if n >= 0]))
        return self.bytes(self.ether() / self.ip() / udp / payload)

    def bad_other_port(self):
        port = self.face.port ^ (1 << self.rng.randrange(16))
        return self.bytes(self.ether() / self.ip() / self.udp(dport=port) / self.payload())

    def bad_udp_checksum(self):
        packet = self.ip(options=[]) / UDP(sport=1234, dport=self.face.port) / self.payload()
        packet = bytes(packet)
        ip, body = IP(packet[:20]), packet[20:]
        changed = self.one_bit(body, 8, len(body)) if self.rng.random() < 0.5 else body
        if changed == body:  # change the checksum, but not to 0, which means no checksum
            checksum_sent = int.from_bytes(body[6:8], "big") ^ (1 << self.rng.randrange(16))
            changed = body[:6] + (checksum_sent or 0xFFFE).to_bytes(2, "big") + body[8:]
        return self.bytes(self.ether() / ip / changed)

    def bad_partial_tuple(self):
        extra = self.rng.randrange(1, self.face.row_bytes)
        payload = (self.payload() if self.rng.random() < 0.8 else b"") + self.rng.randbytes(extra)
        return self.bytes(self.ether() / self.ip() / self.udp() / payload)


def replace_fields(layer, **fields):
    changed = layer.copy()
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
