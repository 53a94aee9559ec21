"""Reads the header of an IPv4 packet, and prepares the bytes that each checksum covers."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.mac_header import FRAME_INFO
from rtl.ethernet.ones_sum import SUMMED
from rtl.ethernet.piece import flow, in_order, lowest_bytes, number, piece

#: Protocols in IPv4, by their number.
ICMP = 1
UDP = 17

#: Fields read from a header. ``length`` is the number of bytes after the header, and ``address`` is
#: the sender's. ``bad_header``, ``other_address`` and ``fragment`` are named as the counters of
#: :class:`~rtl.ethernet.ipv4.Ipv4`.
READ = {
    "udp": 1,
    "icmp": 1,
    "bad_header": 1,
    "other_address": 1,
    "fragment": 1,
    "length": 16,
    "address": 32,
}


class IpHeader(wiring.Component):
    """Reads the header of each packet, and cuts off the bytes that pad a short frame.

    ``header`` and ``body`` carry the pieces for two checksums, with 0 for bytes that a checksum
    does not cover. For instance a header of 6 words of four bytes, so with one option, in UDP::

        o.data   | version ... fragment | ttl prot  sum   src | dst option | body ...
        header   |         all          |         all         |    all     |  0
        body     |          0           |  0  prot length src | dst    0   |  all

    The checksum of UDP also covers a pseudo header of both addresses, the protocol and the length.
    The IPv4 header has these fields in the same places, if 0 replaces the time to live and the
    length replaces the checksum. The checksum of ICMP covers no pseudo header: there ``body`` has
    zeros for the whole header.

    ``skip`` marks pieces of the header alone, and ``choice`` a header of an odd number of words, so
    :class:`~rtl.ethernet.realign.Realign` with shifts 0 and 4 finds the body. A field is valid from
    the piece that contains it to the end of the packet. ``bad_header`` is valid with the last
    piece. It is high if the header is of another version, shorter than 5 words or longer than the
    packet, or if the packet is longer than its frame.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. Source: RFC 791, RFC 768, RFC 792.

    Members
    -------
    i : In(flow(piece(**FRAME_INFO)))
        Packets of frames, in a stream that is never stalled.
    o : Out(flow(piece(skip=1, choice=1, **FRAME_INFO, **READ)))
    header, body : Out(flow(SUMMED))
        Valid with ``o``.
    address : In(32)
        Our IPv4 address, the first byte highest.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**FRAME_INFO))),
                "o": Out(flow(piece(skip=1, choice=1, **FRAME_INFO, **READ))),
                "header": Out(flow(SUMMED)),
                "body": Out(flow(SUMMED)),
                "address": In(32),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i.p
        o = Signal(self.o.p.shape(), reset_less=True)
        header = Signal(64, name="header_data")
        body = Signal(64, name="body_data")
        valid = Signal()
        size = Signal(i.size.shape())
        words, remaining = self._remaining(m)
        m.d.comb += size.eq(Mux(remaining < i.size, remaining[:4], i.size))
        packet = lowest_bytes(i.data, size)
        first = packet[:32]
        second = packet[32:]
        m.d.sync += valid.eq(self.i.valid & (i.last | size.any()))
        with m.If(self.i.valid):
            m.d.sync += [
                *(o[name].eq(i[name]) for name in ("first", "last", *FRAME_INFO)),
                o.data.eq(packet),
                o.size.eq(size),
                o.skip.eq(words >= 2),
                header.eq(Cat(Mux(words == 0, 0, first), Mux(words < 2, 0, second))),
                body.eq(Cat(Mux(words == 0, first, 0), Mux(words < 2, second, 0))),
            ]
            self._read(m, o, body)
            with m.If(i.last & (remaining > i.size)):
                m.d.sync += o.bad_header.eq(1)
        m.d.comb += [self.o.valid.eq(valid), self.o.p.eq(o)]
        for to, summed in ((self.header, header), (self.body, body)):
            m.d.comb += [to.valid.eq(valid), to.p.data.eq(summed)]
            m.d.comb += [to.p.first.eq(o.first), to.p.last.eq(o.last)]
        return m

    def _remaining(self, m):
        """Returns the remaining words of the header and the remaining bytes of the packet.

        Both numbers include those of the current piece.
        """
        i = self.i.p
        words = Signal(4)
        next_words = Signal(4)
        remaining = Signal(16)
        next_remaining = Signal(16)
        m.d.comb += [
            words.eq(Mux(i.first, i.data[:4], next_words)),
            remaining.eq(Mux(i.first, number(i.data, 2, 2), next_remaining)),
        ]
        with m.If(self.i.valid):
            m.d.sync += [
                next_words.eq(Mux(words >= 2, words - 2, 0)),
                next_remaining.eq(Mux(remaining > i.size, remaining - i.size, 0)),
            ]
        return words, remaining

    def _read(self, m, o, body):
        """Reads the fields of the header from its first three pieces, and replaces bytes of
        ``body`` by the pseudo header."""
        data = self.i.p.data
        second = Signal()  # the current piece is the second of its frame
        third = Signal()  # the current piece is the third of its frame
        protocol = number(data, 1, 1)
        m.d.sync += [second.eq(self.i.p.first), third.eq(second & ~self.i.p.first)]
        with m.If(self.i.p.first):
            version = data[4:8]
            words = data[:4]
            total = number(data, 2, 2)
            m.d.sync += [
                o.bad_header.eq((version != 4) | (words < 5) | (total < words * 4)),
                o.choice.eq(words[0]),
                o.length.eq(total - words * 4),
                o.fragment.eq((number(data, 6, 2) & 0x3FFF).any()),  # offset, or more to come
            ]
        with m.Elif(second):
            udp = protocol == UDP
            pseudo = Cat(Const(0, 8), data[8:16], in_order(o.length), data[32:])
            m.d.sync += [
                o.udp.eq(udp),
                o.icmp.eq(protocol == ICMP),
                o.address.eq(number(data, 4, 4)),
                body.eq(Mux(udp, pseudo, 0)),
            ]
        with m.Elif(third):
            m.d.sync += o.other_address.eq(number(data, 0, 4) != self.address)
            m.d.sync += body[:32].eq(Mux(o.udp, data[:32], 0))
