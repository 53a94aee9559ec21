"""Receives the payload of datagrams to one UDP port."""

from amaranth.hdl import Const, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.datagram_order import MISSING, NUMBER_BYTES, ORDER_COUNTERS, DatagramOrder
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.head import SENDER
from rtl.ethernet.ipv4 import PACKET_INFO
from rtl.ethernet.piece import BYTES, count_first, flow, number, piece

#: Bytes of a datagram's header, which is one piece.
HEADER = 8


def payload(punctuations=False):
    """Returns the layout of a piece on its way to the engine.

    With ``punctuations`` a bit says that the piece belongs to punctuations instead of tuples.
    """
    flag = {"is_punctuation": 1} if punctuations else {}
    return data.StructLayout({"data": 8 * BYTES, "size": range(BYTES + 1), "last": 1} | flag)


class UdpPort(wiring.Component):
    """Passes the payload of datagrams to ``port``; each datagram passes as a whole or is dropped.

    A datagram must have whole tuples, and fill its packet. An empty datagram is good, too: it ends
    the stream, by a piece without bytes with ``last``. With ``from_mac`` or ``from_address`` only
    the datagrams of one sender are taken.

    The remainder of the size by ``row_bytes`` is updated with each piece: for tuples of 12 bytes it
    is 8, 4, 0, 8, 4, 0.

    With ``numbered`` each datagram of tuples begins with a piece of its own, its number, and is
    taken only if it is in order: see :class:`~rtl.ethernet.datagram_order.DatagramOrder`. So tuples
    come in order, each once, if the sender repeats the datagrams that were dropped.

    With ``punctuations`` a datagram whose number has the flag ``PUNCTUATIONS`` has a punctuation in
    the place of each tuple, and its pieces have ``is_punctuation``. For instance the datagrams 0
    with three tuples, 1 with the flag and one punctuation, and 2 with two tuples are a stream of
    five tuples with a punctuation before the fourth.

    Latency 3 cycles from the end of a datagram to its first piece, initiation interval 1 cycle.
    Source: RFC 768.

    Parameters
    ----------
    row_bytes : int
        Bytes of a tuple.
    depth : int
        Pieces that may wait to be taken, a power of two.
    host_link : bool
        A second port receives requests to registers, which another part takes.
    punctuations : bool
        With ``host_link``: datagrams may have punctuations.

    Members
    -------
    i : In(flow(piece(**PACKET_INFO)))
        A stream that is never stalled.
    o : Out(stream.Signature(payload(punctuations)))
    port : In(16)
        Destination of tuples.
    from_mac : In(48)
        MAC of the only sender of datagrams; 0 is any sender.
    from_address : In(32)
        IPv4 address of the only sender of datagrams; 0 is any sender.
    registers_port : In(16), or none
        Destination of requests to registers, which are no datagrams of tuples even if ``port`` is
        the same; 0 is no port.
    to_registers : Out(1), or none
        High in the cycle after the last piece of a good datagram to ``registers_port``.
    room : Out(range(depth + 1)), or none
        Number of pieces for which there is room.
    numbered : In(1), or none
        Datagrams of tuples have numbers. Sampled at the beginning of each.
    received : Out(32), or none
        Number of the next datagram that is in order.
    events : Out(events(UdpPort.counters_of(host_link)))
        For each good UDP packet, the first event that applies; ``missing`` comes in addition to
        ``datagrams``. A datagram to ``registers_port`` that is good has no event.
    """

    latency = 1 + FrameBuffer.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_udp_length", doc="datagrams whose length is not the length of their packet"
        ),
        Counter(name="other_port", doc="datagrams to another port"),
        Counter(name="other_sender", doc="datagrams from another sender than the one that is set"),
        Counter(name="bad_udp_checksum", doc="datagrams with a wrong checksum"),
        Counter(name="partial_tuple", doc="datagrams whose bytes are not whole tuples"),
        Counter(name="overflow", doc="datagrams dropped because the buffer was full"),
        Counter(name="datagrams", doc="datagrams taken"),
    )

    def __init__(self, row_bytes, depth=2048, *, host_link=False, punctuations=False):
        if not isinstance(row_bytes, int) or row_bytes < 1:
            raise ValueError(f"row_bytes must be an integer of at least 1, not {row_bytes!r}")
        if punctuations and not host_link:
            raise ValueError(
                "host_link must be true with punctuations: their flag is in a datagram's number"
            )
        self._row_bytes = row_bytes
        self._depth = depth
        self._host_link = host_link
        self._punctuations = punctuations
        super().__init__(
            {
                "i": In(flow(piece(**PACKET_INFO))),
                "o": Out(stream.Signature(payload(punctuations))),
                "port": In(16),
                **SENDER,
                "events": Out(events(self.counters_of(host_link))),
            }
            | (_link_members(depth) if host_link else {})
        )

    @staticmethod
    def counters_of(host_link=False):
        """Returns the counters; ``missing`` counts numbers, and the others datagrams."""
        if not host_link:
            return UdpPort.counters
        *checks, overflow, datagrams = UdpPort.counters
        return (*checks, *ORDER_COUNTERS, overflow, datagrams, MISSING)

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = buffer = FrameBuffer(payload(self._punctuations), self._depth)
        beat = Signal(self.i.p.shape(), reset_less=True)
        valid = Signal()
        is_number, number_bytes, disorders, has_punctuations = self._order(m)
        was_number = Signal()
        m.d.sync += valid.eq(self.i.valid)
        with m.If(self.i.valid):
            m.d.sync += [beat.eq(self.i.p), was_number.eq(is_number)]
        is_request = self._request(m)
        ends = valid & beat.last & beat.good & beat.udp
        good = count_first(m, self.events, ends, self._header_faults(m, beat, is_request))
        if self._host_link:
            m.d.comb += [self.to_registers.eq(good & is_request), self.room.eq(buffer.room)]
        empty, partial = self._tuples(m, is_number, number_bytes)
        outcomes = [
            ("partial_tuple", partial),
            *disorders,
            ("overflow", ~buffer.fits),
            ("datagrams", 1),
        ]
        count_first(m, self.events, good & ~is_request, outcomes)
        to = buffer.i.p
        m.d.comb += [
            buffer.i.valid.eq(valid),
            to.item.data.eq(beat.data),
            to.item.size.eq(Mux(empty, 0, beat.size)),
            to.item.last.eq(empty),
            to.store.eq(Mux(empty, beat.last, beat.size.any() & ~beat.first & ~was_number)),
            to.last.eq(beat.last),
            to.good.eq(self.events.datagrams),
        ]
        if self._punctuations:
            m.d.comb += to.item.is_punctuation.eq(has_punctuations & ~empty)
        connect(m, buffer.o, flipped(self.o))
        return m

    def _header_faults(self, m, beat, is_request):
        """Checks the header of a datagram at its first piece.

        Returns pairs of a counter's name and a bit, in the order in which they count; the bits are
        valid with ``beat``, the piece after its register.
        """
        i = self.i.p
        is_other_port = Signal()
        bad_length = Signal()
        no_checksum = Signal()
        # The test of a setting for 0 is a step before the comparison: both together are too deep.
        one_mac = Signal()
        one_address = Signal()
        other_mac = Signal()
        other_address = Signal()
        m.d.sync += [one_mac.eq(self.from_mac.any()), one_address.eq(self.from_address.any())]
        with m.If(self.i.valid & i.first):
            length = number(i.data, 4, 2)
            m.d.sync += [
                is_other_port.eq(number(i.data, 2, 2) != self.port),
                other_mac.eq(one_mac & (i.mac != self.from_mac)),
                other_address.eq(one_address & (i.address != self.from_address)),
                bad_length.eq((length < HEADER) | (length != i.length)),
                no_checksum.eq(number(i.data, 6, 2) == 0),
            ]
        return [
            ("bad_udp_length", bad_length),
            ("other_port", is_other_port & ~is_request),
            ("other_sender", other_mac | other_address),
            ("bad_udp_checksum", ~beat.sum_right & ~no_checksum),
        ]

    def _tuples(self, m, is_number, number_bytes):
        """Counts the bytes of a datagram's tuples.

        Returns two bits, valid in the cycle after a piece: the datagram has no tuples, and the
        pieces so far end inside a tuple.
        """
        i = self.i.p
        empty = Signal()
        short = Signal()  # the datagram is too short for its number
        remainder = Signal(range(self._row_bytes))  # bytes of the tuple that has begun
        with m.If(self.i.valid & i.first):
            length = number(i.data, 4, 2)
            m.d.sync += [
                empty.eq(length == HEADER + number_bytes),
                short.eq(length < HEADER + number_bytes),
                remainder.eq(0),
            ]
        with m.Elif(self.i.valid & ~is_number):
            m.d.sync += remainder.eq(self._remainder(m, remainder + i.size))
        return empty, remainder.any() | short

    def _order(self, m):
        """Checks the order of the datagrams.

        Returns
        -------
        is_number : Value
            Bit: the piece at ``i`` is a datagram's number.
        number_bytes : Value or int
            Bytes of a number, 0 without numbers.
        disorders : tuple of (str, Value)
            Events of datagrams that are not in order, and are dropped.
        has_punctuations : Value
            Bit: the datagram has punctuations.
        """
        if not self._host_link:
            return Const(0), 0, (), Const(0)
        m.submodules.order = order = DatagramOrder(punctuations=self._punctuations)
        m.d.comb += [
            order.i.valid.eq(self.i.valid),
            order.i.p.eq(self.i.p),
            order.numbered.eq(self.numbered),
            order.taken.eq(self.events.datagrams),
            self.received.eq(order.received),
            self.events.missing.eq(order.missing),
        ]
        disorders = (("repeated", order.repeated), ("ahead", order.ahead))
        has_punctuations = order.has_punctuations if self._punctuations else Const(0)
        number_bytes = Mux(self.numbered, NUMBER_BYTES, 0)
        return order.is_number, number_bytes, disorders, has_punctuations

    def _request(self, m):
        """Returns a bit: the datagram's port is that of the registers.

        It is valid from the cycle after the datagram's first piece on.
        """
        if not self._host_link:
            return Const(0)
        is_request = Signal()
        has_port = Signal()
        m.d.sync += has_port.eq(self.registers_port.any())
        with m.If(self.i.valid & self.i.p.first):
            port = number(self.i.p.data, 2, 2)
            m.d.sync += is_request.eq((port == self.registers_port) & has_port)
        return is_request

    def _remainder(self, m, total):
        """Returns the remainder of ``total`` by ``row_bytes``.

        ``total`` is less than ``row_bytes`` plus the bytes of a piece.
        """
        remainder = Signal(len(total), name="remainder")
        m.d.comb += remainder.eq(total)
        for multiple in range(self._row_bytes, self._row_bytes + BYTES, self._row_bytes):
            with m.If(total >= multiple):
                m.d.comb += remainder.eq(total - multiple)
        return remainder


def _link_members(depth):
    return {
        "registers_port": In(16),
        "to_registers": Out(1),
        "room": Out(range(depth + 1)),
        "numbered": In(1),
        "received": Out(32),
    }
