"""What comes in datagrams to one port."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.head import SENDER
from rtl.ethernet.ipv4 import ABOUT
from rtl.ethernet.piece import BYTES, count_first, flow, number, piece

#: Bytes of the header of a datagram, which are one piece.
HEADER = 8

#: A piece on its way to the engine.
PAYLOAD = data.StructLayout({"data": 8 * BYTES, "size": range(BYTES + 1), "last": 1})


class UdpPort(wiring.Component):
    """The payload of datagrams to ``port``, each of them whole or not at all.

    A datagram must have whole tuples, and fill its packet. One without any is good, too: it
    ends the stream, by a piece of no bytes with ``last``. With ``from_mac`` or ``from_address`` the
    datagrams of one sender are taken, and of no other.

    A remainder by ``row_bytes`` is kept while pieces come: for tuples of 12 bytes 8, 4, 0, 8, 4, 0.

    Latency 3 cycles from the end of a datagram to its first piece, initiation interval 1 cycle.
    Source: RFC 768.

    Parameters
    ----------
    row_bytes : int
        Of a tuple.
    depth : int
        Pieces that wait to be taken, a power of two.

    Members
    -------
    i : In(flow(piece(**ABOUT)))
        A stream that is never stalled.
    o : Out(stream.Signature(PAYLOAD))
    port : In(16)
    from_mac : In(48)
    from_address : In(32)
        The one sender of datagrams; 0 is any.
    events : Out(events(UdpPort.counters))
        The first of them that holds, of good packets of UDP.
    """

    latency = 1 + FrameBuffer.latency
    initiation_interval = 1

    counters = (
        Counter(name="bad_udp_length", doc="datagrams that do not just fill their packet"),
        Counter(name="other_port", doc="datagrams to another port"),
        Counter(name="other_sender", doc="datagrams from another sender than the one that is set"),
        Counter(name="bad_udp_checksum", doc="datagrams that have a checksum, a wrong one"),
        Counter(name="partial_tuple", doc="datagrams of a number of bytes that no tuples have"),
        Counter(name="overflow", doc="datagrams that came before others were taken"),
        Counter(name="datagrams", doc="datagrams taken"),
    )

    def __init__(self, row_bytes, depth=2048):
        if not isinstance(row_bytes, int) or row_bytes < 1:
            raise ValueError(f"row_bytes must be an integer of at least 1, not {row_bytes!r}")
        self._row_bytes, self._depth = row_bytes, depth
        super().__init__(
            {
                "i": In(flow(piece(**ABOUT))),
                "o": Out(stream.Signature(PAYLOAD)),
                "port": In(16),
                **SENDER,
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = buffer = FrameBuffer(PAYLOAD, self._depth)
        beat, valid = Signal(self.i.p.shape(), reset_less=True), Signal()
        foreign, uneven, unsummed, empty = (
            Signal(name=name) for name in ("foreign", "uneven", "unsummed", "empty")
        )
        # A setting and what is compared with it are two steps: together they would be too deep.
        one_mac, one_address, other_mac, other_address = (
            Signal(name=name) for name in ("one_mac", "one_address", "other_mac", "other_address")
        )
        m.d.sync += [one_mac.eq(self.from_mac.any()), one_address.eq(self.from_address.any())]
        rest = Signal(range(self._row_bytes))
        i = self.i.p
        m.d.sync += valid.eq(self.i.valid)
        with m.If(self.i.valid):
            m.d.sync += beat.eq(i)
            with m.If(i.first):
                length = number(i.data, 4, 2)
                m.d.sync += [
                    foreign.eq(number(i.data, 2, 2) != self.port),
                    other_mac.eq(one_mac & (i.mac != self.from_mac)),
                    other_address.eq(one_address & (i.address != self.from_address)),
                    uneven.eq((length < HEADER) | (length != i.length)),
                    unsummed.eq(number(i.data, 6, 2) == 0),
                    empty.eq(length == HEADER),
                    rest.eq(0),
                ]
            with m.Else():
                m.d.sync += rest.eq(self._remainder(m, rest + i.size))
        count_first(
            m,
            self.events,
            valid & beat.last & beat.good & beat.udp,
            [
                ("bad_udp_length", uneven),
                ("other_port", foreign),
                ("other_sender", other_mac | other_address),
                ("bad_udp_checksum", ~beat.sum_right & ~unsummed),
                ("partial_tuple", rest != 0),
                ("overflow", ~buffer.fits),
                ("datagrams", 1),
            ],
        )
        to = buffer.i.p
        m.d.comb += [
            buffer.i.valid.eq(valid),
            to.item.data.eq(beat.data),
            to.item.size.eq(Mux(empty, 0, beat.size)),
            to.item.last.eq(empty),
            to.store.eq(Mux(empty, beat.last, beat.size.any() & ~beat.first)),
            to.last.eq(beat.last),
            to.good.eq(self.events.datagrams),
        ]
        connect(m, buffer.o, flipped(self.o))
        return m

    def _remainder(self, m, total):
        """Of a number that is less than ``row_bytes`` and a piece together."""
        rest = Signal(len(total), name="remainder")
        m.d.comb += rest.eq(total)
        for most in range(self._row_bytes, self._row_bytes + BYTES, self._row_bytes):
            with m.If(total >= most):
                m.d.comb += rest.eq(total - most)
        return rest
