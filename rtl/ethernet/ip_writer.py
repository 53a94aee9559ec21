"""Writes each IPv4 packet as an Ethernet frame."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.ethernet.frame_layout import SENT_PIECE, SHORTEST, ethernet, pieces
from rtl.ethernet.head import HEAD
from rtl.ethernet.ip_checksum import DONT_FRAGMENT, HEADER, HOPS, VERSION, IpChecksum
from rtl.ethernet.mac_header import IPV4
from rtl.ethernet.piece import BYTES, in_order

#: Bytes before the body: both headers, and the first eight bytes, which come with the head.
FRONT_BYTES = 14 + HEADER + 8
#: Full pieces of these bytes, and the bytes that remain for the next piece.
FULL, REMAINDER = divmod(FRONT_BYTES, BYTES)


class IpWriter(wiring.Component):
    """Writes a frame for each head, with the body that belongs to it.

    Both headers and the first eight bytes of the packet's data, which come in ``head``, are
    14 + 20 + 8 = 42 bytes: five pieces and two bytes. So six bytes of each piece of the body go
    into one piece of the frame, and two bytes into the next::

        | mac  mac | mac .. ipv4 | ipv4 | ipv4 | ipv4 first | 2 first, 6 body | 2 body, 6 body | ...

    A head comes when its whole body is available, and stays until the frame's last piece. Short
    frames are padded with zeros.

    Latency 4 cycles from a head to the first piece of its frame. Initiation interval 1 cycle for a
    piece. Source: RFC 791, RFC 894.

    Members
    -------
    head : In(stream.Signature(HEAD))
    body : In(stream.Signature(64))
        The data after ``head.first``, the first byte lowest, in pieces of 8 bytes. Bytes after the
        end of the data are 0, because they become the padding.
    o : Out(stream.Signature(SENT_PIECE))
    mac : In(48)
        Our MAC.
    address : In(32)
        Our IPv4 address.
    busy : Out(1)
        A head has been accepted, and its frame has not left completely.
    """

    latency = IpChecksum.latency
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "head": In(stream.Signature(HEAD)),
                "body": In(stream.Signature(64)),
                "o": Out(stream.Signature(SENT_PIECE)),
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
        length = checksum.o.p.head.length
        packet = checksum.o
        index = Signal(range(FULL))
        frame_left = Signal(16)  # bytes of the frame that have not been sent
        body_left = Signal(16)  # bytes of the body that have not been accepted
        carry = Signal(8 * REMAINDER)  # last bytes of a piece, which go into the next piece
        o = self.o
        body = self.body
        body_bytes = BYTES - REMAINDER
        shortest = SHORTEST - FRONT_BYTES
        with m.FSM():
            with m.State("FRONT"):
                m.d.comb += [
                    o.valid.eq(packet.valid),
                    o.p.data.eq(front[index]),
                    o.p.keep.eq((1 << BYTES) - 1),
                ]
                m.d.sync += [
                    carry.eq(front[FULL]),
                    body_left.eq(length - BYTES),
                    frame_left.eq(
                        REMAINDER + Mux(length < shortest + BYTES, shortest, length - BYTES)
                    ),
                ]
                with m.If(o.valid & o.ready):
                    m.d.sync += index.eq(index + 1)
                    with m.If(index == FULL - 1):
                        m.d.sync += index.eq(0)
                        m.next = "BODY"
            with m.State("BODY"):
                has_body = Signal()
                last = Signal()
                piece = Mux(has_body, body.p, 0)
                m.d.comb += [
                    has_body.eq(body_left.any()),
                    last.eq(frame_left <= BYTES),
                    o.valid.eq(body.valid | ~has_body),
                    o.p.data.eq(Cat(carry, piece[: 8 * body_bytes])),
                    *(o.p.keep[k].eq(frame_left > k) for k in range(BYTES)),
                    o.p.last.eq(last),
                    body.ready.eq(o.ready & has_body),
                    packet.ready.eq(o.valid & o.ready & last),
                ]
                with m.If(o.valid & o.ready):
                    m.d.sync += [
                        carry.eq(piece[8 * body_bytes :]),
                        body_left.eq(Mux(body_left > BYTES, body_left - BYTES, 0)),
                        frame_left.eq(frame_left - BYTES),
                    ]
                    with m.If(last):
                        m.next = "FRONT"
        return m

    def _front(self, packet):
        """Returns the bytes before the body: both headers, and the first eight bytes."""
        head = packet.head
        return Cat(
            ethernet(head.mac, self.mac, IPV4),
            in_order(Const(VERSION, 16)),
            in_order((head.length + HEADER)[:16]),
            in_order(Const(DONT_FRAGMENT, 32)),
            in_order(Const(HOPS, 8)),
            head.protocol,
            in_order(packet.checksum),
            in_order(self.address),
            in_order(head.address),
            head.first,
        )
