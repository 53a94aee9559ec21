"""Packets of IPv4, as frames."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.ethernet.head import HEAD
from rtl.ethernet.ip_checksum import HEADER, HOPS, VERSION, WHOLE, IpChecksum
from rtl.ethernet.mac_header import IPV4
from rtl.ethernet.piece import BYTES, in_order
from rtl.ethernet.sent import SENT, SHORTEST, ethernet, pieces

#: Bytes in front of the body: both headers, and the first eight bytes, which come with the head.
IN_FRONT = 14 + HEADER + 8
#: Pieces that are full of these, and the bytes that are left over.
FULL, OVER = divmod(IN_FRONT, BYTES)


class IpWriter(wiring.Component):
    """Writes a frame for each head, with the body that belongs to it.

    Both headers and the first eight bytes are 42, which is five pieces and two bytes. So of each
    piece of the body six bytes go into a piece of the frame, and two into the next::

        | mac  mac | mac .. ipv4 | ipv4 | ipv4 | ipv4 first | 2 first, 6 body | 2 body, 6 body | ...

    A head comes when its body is there, and waits for the frame's last piece. Frames that are too
    short are filled up.

    Latency 4 cycles, initiation interval 1 cycle for a piece. Source: RFC 791, RFC 894.

    Members
    -------
    head : In(stream.Signature(HEAD))
    body : In(stream.Signature(64))
    o : Out(stream.Signature(SENT))
    mac : In(48)
    address : In(32)
        Ours.
    busy : Out(1)
        A head has been taken whose frame has not left.
    """

    latency = IpChecksum.latency
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "head": In(stream.Signature(HEAD)),
                "body": In(stream.Signature(64)),
                "o": Out(stream.Signature(SENT)),
                "mac": In(48),
                "address": In(32),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.checksum = checksum = IpChecksum()
        connect(m, flipped(self.head), checksum.i)
        m.d.comb += [checksum.address.eq(self.address), self.busy.eq(checksum.busy)]
        front = Array(pieces(self._front(checksum.o.p), FULL + 1))
        length, known = checksum.o.p.head.length, checksum.o
        at = Signal(range(FULL))
        left, wanted = Signal(16), Signal(16)  # bytes of the frame, and of the body, from here on
        over = Signal(8 * OVER)
        o, body, most = self.o, self.body, BYTES - OVER
        shortest = SHORTEST - IN_FRONT
        with m.FSM():
            with m.State("FRONT"):
                m.d.comb += [
                    o.valid.eq(known.valid),
                    o.p.data.eq(front[at]),
                    o.p.keep.eq((1 << BYTES) - 1),
                ]
                m.d.sync += [
                    over.eq(front[FULL]),
                    wanted.eq(length - BYTES),
                    left.eq(OVER + Mux(length < shortest + BYTES, shortest, length - BYTES)),
                ]
                with m.If(o.valid & o.ready):
                    m.d.sync += at.eq(at + 1)
                    with m.If(at == FULL - 1):
                        m.d.sync += at.eq(0)
                        m.next = "BODY"
            with m.State("BODY"):
                wants, last = Signal(), Signal()
                piece = Mux(wants, body.p, 0)
                m.d.comb += [
                    wants.eq(wanted.any()),
                    last.eq(left <= BYTES),
                    o.valid.eq(body.valid | ~wants),
                    o.p.data.eq(Cat(over, piece[: 8 * most])),
                    *(o.p.keep[k].eq(left > k) for k in range(BYTES)),
                    o.p.last.eq(last),
                    body.ready.eq(o.ready & wants),
                    known.ready.eq(o.valid & o.ready & last),
                ]
                with m.If(o.valid & o.ready):
                    m.d.sync += [
                        over.eq(piece[8 * most :]),
                        wanted.eq(Mux(wanted > BYTES, wanted - BYTES, 0)),
                        left.eq(left - BYTES),
                    ]
                    with m.If(last):
                        m.next = "FRONT"
        return m

    def _front(self, known):
        """What is in front of the body."""
        head = known.head
        return Cat(
            ethernet(head.mac, self.mac, IPV4),
            in_order(Const(VERSION, 16)),
            in_order((head.length + HEADER)[:16]),
            in_order(Const(WHOLE, 32)),
            in_order(Const(HOPS, 8)),
            head.protocol,
            in_order(known.checksum),
            in_order(self.address),
            in_order(head.address),
            head.first,
        )
