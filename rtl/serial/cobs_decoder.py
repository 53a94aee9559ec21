"""Decodes COBS: bytes between zeros on a line to the bytes of frames."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.serial.receiver import LINE_BYTE

#: A byte of a frame; or with ``end`` no byte but the end of the frame, ``bad`` if it is damaged.
FRAME_ITEM = data.StructLayout({"data": 8, "end": 1, "bad": 1})
#: Code of a block of 254 bytes, which no zero follows.
LONGEST_CODE = 255


class CobsDecoder(wiring.Component):
    """Restores the zeros of frames from blocks, and finds the ends of frames.

    A frame is a sequence of blocks and ends with a byte 0. A block is a code c from 1 to 255 and
    c - 1 bytes that are not 0. Between two blocks the frame has a 0, except after a block with code
    255. For instance ``03 11 22 02 33 00`` is the frame ``11 22 00 33``.

    A frame is ``bad`` if it ends within a block, or if a byte has ``error``; a byte with ``error``
    is otherwise ignored. The byte after a 0 begins a frame in any case, so a lost or wrong byte
    damages its own frame only. But a 0 that is lost, or has ``error``, joins two frames to one, if
    no other 0 is between them. Several zeros in a row are one end: senders may begin each frame
    with a 0, so that noise before the frame ends there. For instance ``05 61 62 00`` is a bad frame
    ``61 62``, because two bytes of its block are missing.

    After a reset everything up to the first 0 is ignored, since it may be the rest of a frame.

    Order is kept. A stall at ``o`` stalls ``i``; codes that give no byte of a frame never stall.
    Latency 0 cycles, initiation interval 1 cycle.

    Members
    -------
    i : In(stream.Signature(LINE_BYTE))
    o : Out(stream.Signature(FRAME_ITEM))

    Source: S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on
    Networking 7(2), 1999.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {"i": In(stream.Signature(LINE_BYTE)), "o": Out(stream.Signature(FRAME_ITEM))}
        )

    def elaborate(self, platform):
        m = Module()
        byte = self.i.payload
        o = self.o.payload
        block_bytes = Signal(8)  # bytes of the current block that are still to come
        has_zero = Signal()  # a 0 of the frame follows the current block, if the frame goes on
        is_bad = Signal()  # a byte of the frame has had an error
        is_end = Signal()
        transfer = Signal()
        m.d.comb += [
            is_end.eq((byte.data == 0) & ~byte.error),
            transfer.eq(self.i.valid & self.i.ready),
            self.i.ready.eq(self.o.ready | ~self.o.valid),
            o.data.eq(Mux(block_bytes == 0, 0, byte.data)),
            o.end.eq(is_end),
            o.bad.eq(is_end & (is_bad | (block_bytes != 0))),
        ]
        with m.FSM():
            with m.State("AFTER RESET"), m.If(transfer & is_end):
                m.next = "BETWEEN"
            with m.State("BETWEEN"):
                m.d.sync += has_zero.eq(0)
                with m.If(transfer & byte.error):
                    m.d.sync += is_bad.eq(1)
                    m.next = "FRAME"
                with m.Elif(transfer & ~is_end):
                    self._begin_block(m, block_bytes, has_zero)
                    m.next = "FRAME"
            with m.State("FRAME"):
                with m.If(byte.error):
                    m.d.sync += is_bad.eq(is_bad | transfer)
                with m.Else():
                    m.d.comb += self.o.valid.eq(
                        self.i.valid & (is_end | (block_bytes != 0) | has_zero)
                    )
                    with m.If(transfer & is_end):
                        m.d.sync += [block_bytes.eq(0), is_bad.eq(0)]
                        m.next = "BETWEEN"
                    with m.Elif(transfer & (block_bytes == 0)):
                        self._begin_block(m, block_bytes, has_zero)
                    with m.Elif(transfer):
                        m.d.sync += block_bytes.eq(block_bytes - 1)
        return m

    def _begin_block(self, m, block_bytes, has_zero):
        """Begins the block whose code is at ``i``."""
        code = self.i.payload.data
        m.d.sync += [block_bytes.eq(code - 1), has_zero.eq(code != LONGEST_CODE)]
