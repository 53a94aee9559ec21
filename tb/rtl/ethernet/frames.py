"""Random frames, good and bad, made by scapy; each with what is wrong in it."""

from scapy.layers.inet import ICMP, IP, UDP, IPOption_NOP, IPOption_RR
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import checksum

from tb.rtl.ethernet.model import BROADCAST

FILLED = 60
#: MACs of many machines.
GROUPS = (BROADCAST, "01:00:5e:00:00:01", "33:33:00:00:00:01", "01:80:c2:00:00:0e")
#: Addresses that no single machine has.
NO_MACHINES = (
    *("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.0.9"),
    *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
)


class Frames:
    """Makes frames for a face, out of one generator of random numbers."""

    def __init__(self, face, rng):
        self.face, self.rng = face, rng
        room = face.longest - 110  # less headers, options, and rubbish
        self.most = room - room % face.row_bytes
        self.bad = sorted(name[4:] for name in dir(self) if name.startswith("bad_"))

    def some(self, count, bad=1 / 3, most=6, large=0.01):
        """``count`` of ``(frame, whether its FCS is bad, what becomes of it)``."""
        return [self.one(bad, most, large) for _ in range(count)]

    def one(self, bad=1 / 3, most=6, large=0.01):
        if self.rng.random() < bad:
            reason = self.rng.choice(self.bad)
            frame = getattr(self, f"bad_{reason}")()
            return frame, reason == "fcs", self.told(reason)
        kind = self.rng.choices(["datagrams", "pings", "arps"], [30, 1, 1])[0]
        frame = {"datagrams": self.datagram, "pings": self.ping, "arps": self.arp}[kind]
        given = {"most": 90 if self.rng.random() < large else most} if kind == "datagrams" else {}
        return frame(**given), False, kind

    @staticmethod
    def told(reason):
        """The counter of a ``bad_`` of ours: what it is called, or that with bad before it."""
        plain = ("giant", "runt", "fragment", "partial_tuple", "long_ping")
        plain += ("group_sender", "group_ping")
        return reason if reason in plain or reason.startswith("other_") else f"bad_{reason}"

    # ------------------------------------------------------------------ good ones
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
        given = {
            "src": self.address(),
            "dst": self.face.address,
            "id": self.rng.randrange(1 << 16),
            "ttl": self.rng.randrange(1, 256),
            "tos": self.rng.randrange(256),
            "flags": self.rng.choice([0, "DF"]),
            "options": options,
        }
        return IP(**given | changes)

    def payload(self, most=6):
        return self.rng.randbytes(self.face.row_bytes * self.rng.randrange(1, most + 1))

    def udp(self, **changes):
        given = {"sport": self.rng.randrange(1 << 16), "dport": self.face.port}
        if self.rng.random() < 0.2:
            given["chksum"] = 0
        return UDP(**given | changes)

    def bytes(self, frame):
        """Filled up with rubbish, as some do."""
        frame = bytes(frame)
        more = self.rng.randrange(1, 20) if self.rng.random() < 0.05 else 0
        return frame + self.rng.randbytes(max(FILLED - len(frame), more))

    def datagram(self, most=6):
        body = self.payload(most) if self.rng.random() < 0.98 else b""
        body = body[: self.most]
        return self.bytes(self.ether() / self.ip() / self.udp() / body)

    def echo(self, size=None, **changes):
        size = self.rng.randrange(100) if size is None else size
        given = {"id": self.rng.randrange(1 << 16), "seq": self.rng.randrange(1 << 16)}
        return ICMP(**given | changes) / self.rng.randbytes(size)

    def ping(self):
        return self.bytes(self.ether(self.face.mac) / self.ip() / self.echo())

    def asks(self, **changes):
        given = {"op": 1, "hwsrc": self.mac(), "psrc": self.address(), "pdst": self.face.address}
        return ARP(**given | changes)

    def arp_of(self, body):
        return bytes(self.ether() / ARP())[:-28] + body

    def arp(self):
        return self.bytes(self.ether() / self.asks())

    # ------------------------------------------------------------------ bad ones
    def one_bit(self, frame, first, last):
        """With one bit changed in the bytes from ``first`` to before ``last``."""
        made, bit = bytearray(frame), self.rng.randrange(8 * first, 8 * last)
        made[bit // 8] ^= 1 << bit % 8
        return bytes(made)

    def bad_fcs(self):
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
        kinds = [self.ip() / self.echo(), self.asks(), self.ip() / self.udp() / self.payload()]
        return self.bytes(self.ether(src=src) / self.rng.choice(kinds))

    def bad_other_type(self):
        if self.rng.random() < 0.5:
            return self.bytes(self.ether(tags=2) / self.ip() / self.udp() / self.payload())
        kind = self.rng.choice([0x86DD, 0x88CC, 0x0801, 0x8100 ^ 1, 46])
        frame = Ether(dst=self.face.mac, src=self.mac(), type=kind)
        return self.bytes(frame) + self.rng.randbytes(40)

    def bad_arp(self):
        if self.rng.random() < 0.3:
            return self.bytes(self.ether() / self.asks(hwsrc=self.rng.choice(GROUPS)))
        asks = self.one_bit(bytes(self.asks()), 0, 6)
        return self.bytes(self.arp_of(asks))

    def bad_other_arp(self):
        if self.rng.random() < 0.5:
            return self.bytes(self.ether() / self.asks(op=self.rng.choice([0, 2, 3, 0x101])))
        plain = bytes(self.asks())
        return self.bytes(self.arp_of(self.one_bit(plain, 24, 28)))

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
        kind, code = self.rng.choice([(0, 0), (8, 1), (9, 0), (13, 0), (24, 0), (136, 0)])
        body = bytes(ICMP(type=8) / self.rng.randbytes(self.rng.randrange(60)))
        body = bytes([kind, code, 0, 0]) + body[4:]
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
        wrong = [0, 7, right - 16, right - 1, right + 1, right + 16, right | 0x8000]
        udp = self.udp(len=self.rng.choice([n for n in wrong if n >= 0]))
        return self.bytes(self.ether() / self.ip() / udp / payload)

    def bad_other_port(self):
        port = self.face.port ^ (1 << self.rng.randrange(16))
        return self.bytes(self.ether() / self.ip() / self.udp(dport=port) / self.payload())

    def bad_udp_checksum(self):
        udp = bytes(self.ip(options=[]) / UDP(sport=1234, dport=self.face.port) / self.payload())
        ip, body = IP(udp[:20]), udp[20:]
        changed = self.one_bit(body, 8, len(body)) if self.rng.random() < 0.5 else body
        if changed == body:  # in the checksum: no 0, which would be none
            wrong = int.from_bytes(body[6:8], "big") ^ (1 << self.rng.randrange(16))
            changed = body[:6] + (wrong or 0xFFFE).to_bytes(2, "big") + body[8:]
        return self.bytes(self.ether() / ip / changed)

    def bad_partial_tuple(self):
        over = self.rng.randrange(1, self.face.row_bytes)
        payload = (self.payload() if self.rng.random() < 0.8 else b"") + self.rng.randbytes(over)
        return self.bytes(self.ether() / self.ip() / self.udp() / payload)


def replace_fields(layer, **fields):
    made = layer.copy()
    for name, value in fields.items():
        setattr(made, name, value)
    return made
