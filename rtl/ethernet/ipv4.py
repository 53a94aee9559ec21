"""Takes the IPv4 header off."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.delay import Delay
from rtl.ethernet.ip_header import READ, IpHeader
from rtl.ethernet.mac_header import ABOUT as BEFORE
from rtl.ethernet.ones_sum import OnesSum
from rtl.ethernet.piece import count_first, flow, piece
from rtl.ethernet.realign import Realign

#: What goes along with what is behind the header: ``good`` and ``sum_right`` with the last piece.
#: ``mac`` and ``address`` are the sender's, ``to_all`` as in a frame.
ABOUT = {
    "good": 1,
    "sum_right": 1,
    "udp": 1,
    "mac": 48,
    "to_all": 1,
    "address": 32,
    "length": 16,
}

#: A sum with its checksum in it.
RIGHT = 0xFFFF


class Ipv4(wiring.Component):
    """What is in the packets to us, with options skipped, of UDP or ICMP.

    The packet waits until the sums over it are known, and only then is moved::

        IpHeader --- Delay -----------+--- Realign --- o
           |                          |
           +-------- OnesSum, header -+
           +-------- OnesSum, body ---+

    Latency 8 cycles from end to end, initiation interval 1 cycle. Source: RFC 791, RFC 1071.

    Members
    -------
    i : In(flow(piece(**BEFORE)))
        A stream that is never stalled. Of ARP nothing is counted.
    o : Out(flow(piece(**ABOUT)))
        The pieces of what is behind the header, ``length`` bytes if it is good. ``sum_right`` says
        that the sum over it is, with the pseudo header if it is of UDP.
    address : In(32)
        Ours.
    events : Out(events(Ipv4.counters))
        The first of them that holds, of packets that came as good ones.
    """

    latency = IpHeader.latency + OnesSum.latency + Realign.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_header",
            doc="packets whose header is not of IPv4, or that are longer than their frame",
        ),
        Counter(name="bad_ip_checksum", doc="packets whose header's checksum is wrong"),
        Counter(name="other_address", doc="packets to another IPv4 address"),
        Counter(name="fragment", doc="packets that are a part of one"),
        Counter(name="other_protocol", doc="packets of neither UDP nor ICMP"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**BEFORE))),
                "o": Out(flow(piece(**ABOUT))),
                "address": In(32),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        shape = piece(skip=1, choice=1, **BEFORE, **READ)
        m.submodules.reader = reader = IpHeader()
        m.submodules.delay = delay = Delay(shape, OnesSum.latency)
        m.submodules.header_sum = header_sum = OnesSum()
        m.submodules.body_sum = body_sum = OnesSum()
        m.submodules.realign = realign = Realign((0, 4), ABOUT)
        connect(m, flipped(self.i), reader.i)
        connect(m, reader.o, delay.i)
        connect(m, reader.header, header_sum.i)
        connect(m, reader.body, body_sum.i)
        late, to, good = delay.o.p, realign.i, Signal()
        m.d.comb += [
            reader.address.eq(self.address),
            good.eq(
                count_first(
                    m,
                    self.events,
                    delay.o.valid & late.last & late.good & ~late.arp,
                    [
                        ("bad_header", late.bad_header),
                        ("bad_ip_checksum", header_sum.o.p != RIGHT),
                        ("other_address", late.other_address),
                        ("fragment", late.fragment),
                        ("other_protocol", ~late.udp & ~late.icmp),
                    ],
                )
            ),
            to.valid.eq(delay.o.valid),
            *(to.p[name].eq(late[name]) for name in ("data", "size", "last", "skip", "choice")),
            *(to.p[name].eq(late[name]) for name in ("udp", "mac", "to_all", "address", "length")),
            to.p.good.eq(good),
            to.p.sum_right.eq(body_sum.o.p == RIGHT),
        ]
        connect(m, realign.o, flipped(self.o))
        return m
