"""Cuts packets of rows into datagrams, and computes their checksums."""

from math import lcm

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFOBuffered
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.delay import Delay
from rtl.ethernet.head import HEAD, RECEIVER
from rtl.ethernet.ip_header import UDP
from rtl.ethernet.ones_sum import OnesSum, folded
from rtl.ethernet.piece import BYTES, in_order, lowest_bytes
from rtl.ethernet.udp_port import HEADER
from rtl.stream.axi_stream import axi_stream_members
from rtl.stream.queue import StreamQueue

#: Bytes of the piece with the number of a datagram: 4 of the number, 4 of ``info``.
NUMBER_BYTES = 8

#: Capacity of the queue of heads, in datagrams.
DATAGRAMS = 8

#: Pieces in the queue of bodies: the largest datagram fits twice.
PIECES = 512


class Datagrams(wiring.Component):
    """Cuts packets of rows into datagrams of whole rows, in order.

    A packet is cut so that each datagram has as many bytes as possible, while a row and a piece end
    together at the cut: for rows of 12 bytes and at most 1,472 bytes, after every 1,464 bytes. The
    remainder is a datagram too. With ``end_marks`` a datagram without bytes marks the end of a
    packet, as :class:`~rtl.ethernet.udp_port.UdpPort` expects. Without ``end_marks`` a packet
    without rows produces no datagram.

    Length and checksum are in the header of a datagram, so its head is offered only when all of its
    bytes are in the queue of bodies::

        bus -+- queue of pieces ----------------------------- body
             +- OnesSum -- + header and addresses -- fold -- queue of heads -- head

    With ``numbers`` and ``numbered`` each datagram begins with a piece of its own: the datagram's
    number, from 0 on, its lowest byte first, and ``info``. So a receiver notices a lost datagram.
    The piece takes 8 bytes of ``payload_limit``, and a cycle in which ``bus`` is stalled. With
    ``numbers`` a beat that is not full, without ``tlast``, ends the datagram but not the packet;
    such a beat without bytes is ignored if the datagram has no row yet.

    Latency 10 cycles from a datagram's end to its head, initiation interval 1 cycle. ``bus`` is
    stalled when either queue is full, and after a packet with an end mark for a cycle, or two with
    ``numbered``. Source: RFC 768.

    Parameters
    ----------
    row_bytes : int
    payload_limit : int
        Maximum number of bytes of a datagram, without its header.
    end_marks : bool
    numbers : bool
        The datagrams can have numbers.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        A stream of rows, in beats that are full except a packet's last beat, which may be empty,
        and except the beats that end a datagram, with ``numbers``.
    head : Out(stream.Signature(HEAD))
    body : Out(stream.Signature(64))
    address : In(32)
        Our IPv4 address.
    port : In(16)
        Our UDP port.
    to_mac : In(48)
        The receiver's MAC.
    to_address : In(32)
        The receiver's IPv4 address.
    to_port : In(16)
        The receiver's UDP port. No address or port may change while ``busy``.
    numbered : In(1), or none
        Datagrams have numbers. It may not change while ``busy``. While it is low the next number is
        0.
    info : In(32), or none
        Sampled when a datagram begins.
    number : Out(32), or none
        Number of the next datagram, modulo 2**32.
    ends : Out(1), or none
        High in the cycle in which a datagram is complete, with all of its rows or the end mark.
    busy : Out(1)
        A datagram has begun, or an end mark is pending, whose head has not been accepted at
        ``head``.
    events : Out(events(Datagrams.counters))
    """

    latency = OnesSum.latency + 4 + StreamQueue.latency
    initiation_interval = 1

    counters = (Counter(name="sent", doc="datagrams sent"),)

    def __init__(self, row_bytes, *, payload_limit=1472, end_marks=True, numbers=False):
        if not isinstance(row_bytes, int) or row_bytes < 1:
            raise ValueError(f"row_bytes must be an integer of at least 1, not {row_bytes!r}")
        step = lcm(row_bytes, BYTES)
        least = step + NUMBER_BYTES * numbers
        if not isinstance(payload_limit, int) or not least <= payload_limit <= BYTES * PIECES // 2:
            raise ValueError(
                f"payload_limit must be {least} to {BYTES * PIECES // 2}, not {payload_limit!r}"
            )
        self._pieces = payload_limit // step * step // BYTES
        self._end_marks = end_marks
        self._numbers = numbers
        self._numbered_pieces = (payload_limit - NUMBER_BYTES) // step * step // BYTES
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
            | (
                {"numbered": In(1), "info": In(32), "number": Out(32), "ends": Out(1)}
                if numbers
                else {}
            )
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = queue = SyncFIFOBuffered(width=64, depth=PIECES)
        m.submodules.sum = total = OnesSum()
        m.submodules.length = delayed_length = Delay(16, OnesSum.latency)
        bus = self.bus
        size = Signal(range(BYTES + 1))
        piece_index = Signal(range(self._pieces))
        mark = Signal()
        room = Signal()
        bus_fires = Signal()
        ends = Signal()
        empty = Signal()
        is_cut, is_ignored = self._cut(m, size, piece_index)
        # Without end marks an empty packet makes no datagram, so it must not take a number.
        is_dropped = Const(0) if self._end_marks else empty
        can_open = ((bus.tvalid & ~is_ignored & ~is_dropped) | mark) & room & queue.w_rdy
        opens, needs_number = self._open(m, can_open)
        last_piece = self._pieces - 1
        if self._numbers:
            last_piece = Mux(self.numbered, self._numbered_pieces - 1, self._pieces - 1)
        m.d.comb += [
            size.eq(sum(bus.tkeep[k] for k in range(BYTES))),
            bus.tready.eq(room & queue.w_rdy & ~mark & (~needs_number | is_ignored | is_dropped)),
            bus_fires.eq(bus.tvalid & bus.tready),
            empty.eq(bus.tlast & (size == 0) & (piece_index == 0)),
            ends.eq(bus.tlast | is_cut | (piece_index == last_piece)),
            queue.w_data.eq(Mux(opens, self._number_piece(), lowest_bytes(bus.tdata, size))),
            queue.w_en.eq(opens | (bus_fires & size.any())),
            self.body.p.eq(queue.r_data),
            self.body.valid.eq(queue.r_rdy),
            queue.r_en.eq(self.body.ready),
        ]
        sends_mark = mark & room & ~needs_number
        if self._end_marks:
            m.d.sync += mark.eq((mark & ~sends_mark) | (bus_fires & bus.tlast & ~empty))
        with m.If(bus_fires):
            m.d.sync += piece_index.eq(Mux(ends, 0, piece_index + 1))
        adds_beat = (bus_fires if self._end_marks else bus_fires & ~empty) & ~is_ignored
        m.d.comb += [
            total.i.valid.eq(adds_beat | sends_mark | opens),
            total.i.p.data.eq(Mux(sends_mark, 0, queue.w_data)),
            total.i.p.first.eq(opens | (((piece_index == 0) | sends_mark) & ~self._is_open)),
            total.i.p.last.eq((ends | sends_mark) & ~opens),
            delayed_length.i.valid.eq(total.i.valid & total.i.p.last),
            delayed_length.i.p.eq(
                Mux(sends_mark, 0, piece_index * BYTES + size) + self._is_open * NUMBER_BYTES
            ),
        ]
        heads_pending = self._finish(
            m, total.o.p, delayed_length.o, reserved=delayed_length.i.valid, room=room
        )
        with m.If((bus_fires & ends) | sends_mark):
            m.d.sync += self._is_open.eq(0)
        if self._numbers:
            m.d.comb += self.ends.eq(delayed_length.i.valid)
        m.d.comb += self.busy.eq(piece_index.any() | mark | heads_pending | self._is_open)
        return m

    def _cut(self, m, size, piece_index):
        """Returns two bits: the beat ends the datagram but not the packet; and the beat is ignored,
        because neither the beat nor the datagram has a row."""
        if not self._numbers:
            return Const(0), Const(0)
        is_cut = Signal(name="is_cut")
        is_ignored = Signal(name="is_ignored")
        m.d.comb += [
            is_cut.eq(~self.bus.tlast & (size != BYTES)),
            is_ignored.eq(is_cut & (size == 0) & (piece_index == 0)),
        ]
        return is_cut, is_ignored

    def _open(self, m, can_open):
        """Writes the number of a datagram before its first row; returns two bits: the number is
        written in this cycle; and the datagram lacks its number, so no row is accepted."""
        self._is_open = Signal(name="is_open")
        if not self._numbers:
            return Const(0), Const(0)
        needs_number = self.numbered & ~self._is_open
        opens = Signal(name="opens")
        m.d.comb += opens.eq(needs_number & can_open)
        with m.If(opens):
            m.d.sync += [self._is_open.eq(1), self.number.eq(self.number + 1)]
        with m.If(~self.numbered):
            m.d.sync += self.number.eq(0)
        return opens, needs_number

    def _number_piece(self):
        return Cat(self.number, self.info) if self._numbers else 0

    def _finish(self, m, total, length, *, reserved, room):
        """Makes heads from the sums of the bytes; ``reserved`` takes a place in the queue of heads,
        and ``room`` is high while a place is free. Returns a bit: a place is reserved or used."""
        m.submodules.heads = heads = StreamQueue(HEAD, DATAGRAMS)
        places = Signal(range(DATAGRAMS + 1), init=DATAGRAMS)
        udp_length = length.p + HEADER
        own_sum = Signal(18)
        other_sum = Signal(18)
        fixed = Signal(19)
        valid = Signal(4)
        lengths = [Signal(16, name=f"length{k}") for k in range(4)]
        partial = Signal(18)
        all_words = Signal(20)
        once = Signal(17)
        checksum = Signal(16)
        twice = folded(once)[:16]
        m.d.sync += [
            places.eq(places - reserved + (self.head.valid & self.head.ready)),
            own_sum.eq(folded(self.address) + self.port),
            other_sum.eq(folded(self.to_address) + self.to_port),
            fixed.eq(own_sum + other_sum + UDP),
            valid.eq(Cat(length.valid, valid[:-1])),
            *(b.eq(a) for a, b in zip([udp_length, *lengths], lengths, strict=False)),
            partial.eq(in_order(total) + (udp_length << 1)),  # the length is in both headers
            all_words.eq(partial + fixed),
            once.eq(folded(all_words)),
            checksum.eq(Mux(twice == 0xFFFF, twice, ~twice)),  # 0 would mean "no checksum"
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
        return places != DATAGRAMS
