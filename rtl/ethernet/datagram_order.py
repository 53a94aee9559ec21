"""Says of each numbered datagram of tuples whether it is in order, repeated or ahead."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import Counter
from rtl.ethernet.ipv4 import PACKET_INFO
from rtl.ethernet.piece import flow, piece

#: Bytes of the piece with the number.
NUMBER_BYTES = 8
#: Flag in the fifth byte of this piece: the sender gives up the missing numbers before this one.
SKIP = 0x01
#: Flag in the same byte: the datagram has punctuations in the place of tuples.
PUNCTUATIONS = 0x02

#: Reasons to drop a datagram, and the count of numbers that were given up.
ORDER_COUNTERS = (
    Counter(
        name="repeated",
        doc="datagrams of tuples dropped because a datagram with this number, or a later one, was "
        "taken before",
    ),
    Counter(
        name="ahead",
        doc="datagrams of tuples dropped because the datagram before them had not come: send again "
        "from the number in received on",
    ),
)
MISSING = Counter(
    name="missing",
    doc="numbers of datagrams of tuples that were given up, by a later datagram with the flag skip",
    max_increment=(1 << 31) - 1,
)


class DatagramOrder(wiring.Component):
    """Compares the number of each datagram with ``received``, the number after the last one taken.

    A datagram with a number has a piece of its own after the UDP header: the number in four bytes,
    the lowest first, a byte of flags, and three bytes that are not read. Numbers count modulo
    2**32: a number up to 2**31 - 1 above ``received`` is ahead, and one up to 2**31 below it is
    repeated. For instance with a ``received`` of 5 the number 5 is in order, 7 is ahead, 4 is
    repeated, and 7 with the flag ``SKIP`` is in order and gives up 5 and 6.

    Latency 1 cycle from the piece with the number to ``repeated`` and ``ahead``, which then stay to
    the first piece of the next datagram. Initiation interval 1 cycle.

    Parameters
    ----------
    punctuations : bool
        Whether the flag ``PUNCTUATIONS`` is read; otherwise it has no effect.

    Members
    -------
    i : In(flow(piece(**PACKET_INFO)))
        A stream that is never stalled.
    numbered : In(1)
        Datagrams have numbers. Sampled at the first piece of each datagram.
    taken : In(1)
        The datagram whose last piece came in the cycle before is taken; only while ``repeated`` and
        ``ahead`` are low.
    is_number : Out(1)
        The piece at ``i`` has the number.
    repeated, ahead : Out(1)
        The datagram must be dropped. Both are low for a datagram without a number.
    received : Out(32)
        Number of the next datagram that is in order; 0 after a cycle in which ``numbered`` is low.
    missing : Out(31)
        Count of the numbers that are given up, in the cycle of ``taken``; otherwise 0.
    has_punctuations : Out(1), or none
        The datagram has the flag ``PUNCTUATIONS``, from the cycle after its number on. 0 for a
        datagram without a number.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, *, punctuations=False):
        self._punctuations = punctuations
        super().__init__(
            {
                "i": In(flow(piece(**PACKET_INFO))),
                "numbered": In(1),
                "taken": In(1),
                "is_number": Out(1),
                "repeated": Out(1),
                "ahead": Out(1),
                "received": Out(32),
                "missing": Out(31),
            }
            | ({"has_punctuations": Out(1)} if punctuations else {})
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i.p
        has_number = Signal()
        is_second = Signal()
        distance = Signal(32)
        next_number = Signal(32)
        skips = Signal()
        with m.If(self.i.valid):
            m.d.sync += is_second.eq(i.first)
            with m.If(i.first):
                m.d.sync += [has_number.eq(self.numbered), distance.eq(0)]
            with m.Elif(self.is_number):
                number = i.data[:32]
                m.d.sync += [
                    distance.eq(number - self.received),
                    next_number.eq(number + 1),
                    skips.eq((i.data[32:40] & SKIP).any()),
                ]
        m.d.comb += [
            self.is_number.eq(has_number & is_second & ~i.first),
            self.repeated.eq(distance[31]),
            self.ahead.eq(distance.any() & ~distance[31] & ~skips),
            self.missing.eq(Mux(self.taken, distance, 0)),
        ]
        with m.If(self.taken & has_number):
            m.d.sync += self.received.eq(next_number)
        with m.If(~self.numbered):
            m.d.sync += self.received.eq(0)
        if self._punctuations:
            with m.If(self.i.valid & i.first):
                m.d.sync += self.has_punctuations.eq(0)
            with m.Elif(self.i.valid & self.is_number):
                m.d.sync += self.has_punctuations.eq((i.data[32:40] & PUNCTUATIONS).any())
        return m
