"""Answers echo requests of ICMP (pings)."""

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.head import HEAD
from rtl.ethernet.ip_header import ICMP
from rtl.ethernet.ipv4 import PACKET_INFO
from rtl.ethernet.ones_sum import folded
from rtl.ethernet.piece import BYTES, count_first, flow, in_order, number, piece
from rtl.stream.queue import StreamQueue

#: Bytes of the header of an echo, which are one piece.
HEADER = 8

#: Type of a request, as the first word of its message; the type of a reply is 0.
REQUEST = 0x0800

#: Requests that may wait to be answered.
REQUESTS = 4


class Echo(wiring.Component):
    """Answers the echo requests of ICMP.

    A reply equals its request, except for the type, which is 0 instead of 8. So the sum of its
    words is less by 0x0800, and the checksum, the complement, is greater by 0x0800. The sum of a
    checksum and 0x0800 in ones' complement is never 0, but may be 0xFFFF. Both represent zero, and
    only 0xFFFF is a valid checksum of every message: 0 is wrong for a message of zeros.

    A request gets no reply if it is not good, is too long, or finds no room. A request to the
    broadcast MAC gets no reply, nor does a request from an address that no single machine has:
    0.0.0.0/8, 127.0.0.0/8, and the addresses from 224.0.0.0 on, which are groups, reserved, and
    255.255.255.255.

    Latency 3 cycles from the end of a request to the first piece of its body, initiation interval 1
    cycle. Source: RFC 792, RFC 1624.

    Parameters
    ----------
    longest : int
        Maximum number of bytes of a request that is answered, including its header of 8.
    depth : int
        Pieces that may wait to be sent, a power of two.

    Members
    -------
    i : In(flow(piece(**PACKET_INFO)))
        A stream that is never stalled.
    head : Out(stream.Signature(HEAD))
    body : Out(stream.Signature(64))
        The bytes after the header, piece by piece.
    events : Out(events(Echo.counters))
        For each good ICMP packet, the first event that applies.
    """

    latency = 1 + FrameBuffer.latency
    initiation_interval = 1

    counters = (
        Counter(name="bad_icmp", doc="ICMP messages that are short, or have a wrong checksum"),
        Counter(name="other_icmp", doc="ICMP messages that are not echo requests"),
        Counter(
            name="group_ping",
            doc="echo requests to all machines, or from an address that no single machine has",
        ),
        Counter(name="long_ping", doc="echo requests too long to be answered"),
        Counter(
            name="ping_overflow",
            doc="echo requests dropped because too many others waited for a reply",
        ),
        Counter(name="pings", doc="echo requests answered"),
    )

    def __init__(self, *, longest=1480, depth=512):
        if not isinstance(longest, int) or not HEADER <= longest <= BYTES * depth:
            raise ValueError(f"longest must be {HEADER} to {BYTES * depth}, not {longest!r}")
        self._longest = longest
        self._depth = depth
        super().__init__(
            {
                "i": In(flow(piece(**PACKET_INFO))),
                "head": Out(stream.Signature(HEAD)),
                "body": Out(stream.Signature(64)),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = buffer = FrameBuffer(64, self._depth)
        m.submodules.heads = heads = StreamQueue(HEAD, REQUESTS)
        i = self.i.p
        beat = Signal(self.i.p.shape(), reset_less=True)
        valid = Signal()
        other = Signal()
        group = Signal()
        head = Signal(HEAD, reset_less=True)
        m.d.sync += valid.eq(self.i.valid)
        with m.If(self.i.valid):
            m.d.sync += beat.eq(i)
            with m.If(i.first):
                reply_sum = number(i.data, 2, 2) + Const(REQUEST, 16)
                m.d.sync += [
                    other.eq(number(i.data, 0, 2) != REQUEST),
                    group.eq(i.to_all | ~_is_single_machine(i.address)),
                    head.mac.eq(i.mac),
                    head.address.eq(i.address),
                    head.protocol.eq(ICMP),
                    head.length.eq(i.length),
                    head.first.eq(Cat(Const(0, 16), in_order(folded(reply_sum)[:16]), i.data[32:])),
                ]
        fits = Signal()
        count_first(
            m,
            self.events,
            valid & beat.last & beat.good & ~beat.udp,
            [
                ("bad_icmp", ~beat.sum_right | (head.length < HEADER)),
                ("other_icmp", other),
                ("group_ping", group),
                ("long_ping", head.length > self._longest),
                ("ping_overflow", ~fits),
                ("pings", 1),
            ],
        )
        m.d.comb += [
            fits.eq(buffer.fits & heads.i.ready),
            buffer.i.valid.eq(valid),
            buffer.i.p.item.eq(beat.data),
            buffer.i.p.store.eq(beat.size.any() & ~beat.first),
            buffer.i.p.last.eq(beat.last),
            buffer.i.p.good.eq(self.events.pings),
            heads.i.valid.eq(self.events.pings),
            heads.i.p.eq(head),
        ]
        connect(m, heads.o, flipped(self.head))
        connect(m, buffer.o, flipped(self.body))
        return m


def _is_single_machine(address):
    """Returns a bit: a single machine may send from this IPv4 address. The first byte decides."""
    first = address[24:]
    return first.any() & (first != 127) & ~first[5:].all()
