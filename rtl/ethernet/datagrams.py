"""Cuts packets of rows into datagrams, and sums them up."""

from math import lcm

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFOBuffered
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.delay import Delay
from rtl.ethernet.head import HEAD, RECEIVER
from rtl.ethernet.ip_header import UDP
from rtl.ethernet.ones_sum import OnesSum, folded
from rtl.ethernet.piece import BYTES, below, in_order
from rtl.ethernet.udp_port import HEADER
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.queue import StreamQueue

#: Datagrams that may wait to be sent.
WAITING = 8

#: Pieces of them, at least so many that the largest fits twice.
PIECES = 512


class Datagrams(wiring.Component):
    """Datagrams of whole rows out of packets of them, in order.

    A packet is cut wherever a row and a piece end together and no more would fit; for rows of 12
    bytes and at most 1,472 that is every 1,464. The rest is a datagram too. With ``end_marks`` the
    end of a packet is told by a datagram of no bytes, as
    :class:`~rtl.ethernet.udp_port.UdpPort` takes it; without, a packet of no rows is nothing.

    The length and the checksum come first in a datagram, so its head is given when all of it is
    in the body's queue::

        bus -+- queue of pieces ----------------------------- body
             +- OnesSum -- + header and addresses -- fold -- queue of heads -- head

    Latency 10 cycles from a datagram's end to its head, initiation interval 1 cycle. ``bus`` waits
    when either queue is full, and a cycle behind a packet that gets an end mark.
    Source: RFC 768.

    Parameters
    ----------
    row_bytes : int
    most : int
        Bytes of a datagram without its header.
    end_marks : bool

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        A stream of rows, in beats that are full but for a packet's last, which may be empty.
    head : Out(stream.Signature(HEAD))
    body : Out(stream.Signature(64))
    address : In(32)
    port : In(16)
        Ours.
    to_mac : In(48)
    to_address : In(32)
    to_port : In(16)
        Whom they go to. None may change while ``busy``.
    busy : Out(1)
        Rows have been taken, or the end of a packet, of which no head has been given.
    events : Out(events(Datagrams.counters))
    """

    latency = OnesSum.latency + 4 + StreamQueue.latency
    initiation_interval = 1

    counters = (Counter(name="sent", doc="datagrams sent"),)

    def __init__(self, row_bytes, *, most=1472, end_marks=True):
        if not isinstance(row_bytes, int) or row_bytes < 1:
            raise ValueError(f"row_bytes must be an integer of at least 1, not {row_bytes!r}")
        step = lcm(row_bytes, BYTES)
        if not isinstance(most, int) or not step <= most <= BYTES * PIECES // 2:
            raise ValueError(f"most must be {step} to {BYTES * PIECES // 2}, not {most!r}")
        self._pieces, self._end_marks = most // step * step // BYTES, end_marks
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(BYTES, In))),
                "head": Out(stream.Signature(HEAD)),
                "body": Out(stream.Signature(64)),
                "address": In(32),
                "port": In(16),
                **RECEIVER,
                "busy": Out(1),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = queue = SyncFIFOBuffered(width=64, depth=PIECES)
        m.submodules.sum = total = OnesSum()
        m.submodules.length = late = Delay(16, OnesSum.latency)
        bus, size = self.bus, Signal(range(BYTES + 1))
        before, mark, room = Signal(range(self._pieces)), Signal(), Signal()
        taken, ends, empty = Signal(), Signal(), Signal()
        m.d.comb += [
            size.eq(sum(bus.tkeep[k] for k in range(BYTES))),
            bus.tready.eq(room & queue.w_rdy & ~mark),
            taken.eq(bus.tvalid & bus.tready),
            empty.eq(bus.tlast & (size == 0) & (before == 0)),
            ends.eq(bus.tlast | (before == self._pieces - 1)),
            queue.w_data.eq(below(bus.tdata, size)),
            queue.w_en.eq(taken & size.any()),
            self.body.p.eq(queue.r_data),
            self.body.valid.eq(queue.r_rdy),
            queue.r_en.eq(self.body.ready),
        ]
        marked = mark & room
        if self._end_marks:
            m.d.sync += mark.eq((mark & ~room) | (taken & bus.tlast & ~empty))
        with m.If(taken):
            m.d.sync += before.eq(Mux(ends, 0, before + 1))
        given = taken if self._end_marks else taken & ~empty
        m.d.comb += [
            total.i.valid.eq(given | marked),
            total.i.p.data.eq(Mux(marked, 0, queue.w_data)),
            total.i.p.first.eq((before == 0) | marked),
            total.i.p.last.eq(ends | marked),
            late.i.valid.eq(total.i.valid & total.i.p.last),
            late.i.p.eq(Mux(marked, 0, before * BYTES + size)),
        ]
        waits = self._finish(m, total.o.p, late.o, begun=late.i.valid, room=room)
        m.d.comb += self.busy.eq(before.any() | mark | waits)
        return m

    def _finish(self, m, total, length, *, begun, room):
        """Heads, out of the sums of what was given; ``begun`` datagrams have their places. Returns
        whether there are any."""
        m.submodules.heads = heads = StreamQueue(HEAD, WAITING)
        places = Signal(range(WAITING + 1), init=WAITING)
        whole = length.p + HEADER
        own, other, fixed = Signal(18), Signal(18), Signal(19)
        valid, lengths = Signal(4), [Signal(16, name=f"length{k}") for k in range(4)]
        some, more, once, checksum = (
            Signal(width, name=name)
            for name, width in (("some", 18), ("more", 20), ("once", 17), ("checksum", 16))
        )
        twice = folded(once)[:16]
        m.d.sync += [
            places.eq(places - begun + (self.head.valid & self.head.ready)),
            own.eq(folded(self.address) + self.port),
            other.eq(folded(self.to_address) + self.to_port),
            fixed.eq(own + other + UDP),
            valid.eq(Cat(length.valid, valid[:-1])),
            *(b.eq(a) for a, b in zip([whole, *lengths], lengths, strict=False)),
            some.eq(in_order(total) + (whole << 1)),  # the length is in both headers
            more.eq(some + fixed),
            once.eq(folded(more)),
            checksum.eq(Mux(twice == 0xFFFF, twice, ~twice)),  # a 0 would say that there is none
        ]
        head = heads.i.p
        m.d.comb += [
            room.eq(places != 0),
            heads.i.valid.eq(valid[-1]),
            head.mac.eq(self.to_mac),
            head.address.eq(self.to_address),
            head.protocol.eq(UDP),
            head.length.eq(lengths[-1]),
            head.first.eq(Cat(*map(in_order, (self.port, self.to_port, lengths[-1], checksum)))),
            self.events.sent.eq(self.head.valid & self.head.ready),
        ]
        connect(m, heads.o, flipped(self.head))
        return places != WAITING
