"""Removes the IPv4 header."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.delay import Delay
from rtl.ethernet.ip_header import READ, IpHeader
from rtl.ethernet.mac_header import FRAME_INFO
from rtl.ethernet.ones_sum import OnesSum
from rtl.ethernet.piece import count_first, flow, piece
from rtl.ethernet.realign import Realign

#: Fields of each piece of a packet's body: ``good`` and ``sum_right`` are valid with the last
#: piece. ``udp`` is 0 in packets of ICMP. ``mac`` and ``address`` are the sender's, ``to_all`` is
#: that of the frame, and ``length`` is the number of bytes of the body.
PACKET_INFO = {
    "good": 1,
    "sum_right": 1,
    "udp": 1,
    "mac": 48,
    "to_all": 1,
    "address": 32,
    "length": 16,
}

#: The sum of words that include their correct checksum.
RIGHT = 0xFFFF


class Ipv4(wiring.Component):
    """Removes the header, with its options, of each packet, and marks UDP and ICMP packets to us.

    The bodies of all packets leave. ``good`` is high at the end of a UDP or ICMP packet that is
    sent to us and has a correct header, and low at the end of every other packet, such as one of
    ARP. A packet is delayed until its sums are complete, and only then realigned::

        IpHeader --- Delay -----------+--- Realign --- o
           |                          |
           +-------- OnesSum, header -+
           +-------- OnesSum, body ---+

    Latency 8 cycles from a packet's end at ``i`` to its end at ``o``. Initiation interval 1 cycle.
    Source: RFC 791, RFC 1071.

    Members
    -------
    i : In(flow(piece(**FRAME_INFO)))
        A stream that is never stalled. Packets of ARP raise no event.
    o : Out(flow(piece(**PACKET_INFO)))
        Pieces of the bytes after the header, ``length`` bytes if the packet is good. ``sum_right``
        says that their checksum is correct, for UDP with the pseudo header.
    address : In(32)
        Our IPv4 address.
    events : Out(events(Ipv4.counters))
        For each packet of a good frame, the first event that applies.
    """

    latency = IpHeader.latency + OnesSum.latency + Realign.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_header",
            doc="packets with a header other than IPv4, or longer than their frame",
        ),
        Counter(name="bad_ip_checksum", doc="packets whose header's checksum is wrong"),
        Counter(name="other_address", doc="packets to another IPv4 address"),
        Counter(name="fragment", doc="packets that are fragments"),
        Counter(name="other_protocol", doc="packets of neither UDP nor ICMP"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**FRAME_INFO))),
                "o": Out(flow(piece(**PACKET_INFO))),
                "address": In(32),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        shape = piece(skip=1, choice=1, **FRAME_INFO, **READ)
        m.submodules.reader = reader = IpHeader()
        m.submodules.delay = delay = Delay(shape, OnesSum.latency)
        m.submodules.header_sum = header_sum = OnesSum()
        m.submodules.body_sum = body_sum = OnesSum()
        m.submodules.realign = realign = Realign((0, 4), PACKET_INFO)
        connect(m, flipped(self.i), reader.i)
        connect(m, reader.o, delay.i)
        connect(m, reader.header, header_sum.i)
        connect(m, reader.body, body_sum.i)
        delayed = delay.o.p
        to = realign.i
        good = Signal()
        m.d.comb += [
            reader.address.eq(self.address),
            good.eq(
                count_first(
                    m,
                    self.events,
                    delay.o.valid & delayed.last & delayed.good & ~delayed.arp,
                    [
                        ("bad_header", delayed.bad_header),
                        ("bad_ip_checksum", header_sum.o.p != RIGHT),
                        ("other_address", delayed.other_address),
                        ("fragment", delayed.fragment),
                        ("other_protocol", ~delayed.udp & ~delayed.icmp),
                    ],
                )
            ),
            to.valid.eq(delay.o.valid),
            *(to.p[name].eq(delayed[name]) for name in ("data", "size", "last", "skip", "choice")),
            *(
                to.p[name].eq(delayed[name])
                for name in ("udp", "mac", "to_all", "address", "length")
            ),
            to.p.good.eq(good),
            to.p.sum_right.eq(body_sum.o.p == RIGHT),
        ]
        connect(m, realign.o, flipped(self.o))
        return m
