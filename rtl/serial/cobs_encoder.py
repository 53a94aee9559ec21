"""Encodes frames in COBS: turns their bytes into bytes with zeros only between frames."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.serial.cobs_decoder import LONGEST_CODE

#: A byte of a frame; ``last`` marks the last one.
FRAME_BYTE = data.StructLayout({"data": 8, "last": 1})
#: Bytes of the longest block, without its code.
BLOCK_BYTES = LONGEST_CODE - 1


class CobsEncoder(wiring.Component):
    """Cuts each frame into blocks, and sends a 0 before and after the frame.

    The code before a block is the number of its bytes plus 1, so a block waits in a buffer of 254
    bytes until it ends: at a 0, at the last byte of the frame, or when the buffer is full. For
    instance the frame ``11 22 00 33`` becomes ``00 03 11 22 02 33 00``;
    :class:`~rtl.serial.cobs_decoder.CobsDecoder` describes the format. A frame whose last byte is 0
    ends with an empty block, so ``11 00`` becomes ``00 02 11 01 00``. The 0 before the frame
    separates the frame from noise on the line, and from a frame that a reset has cut.

    ``i`` is stalled while a block or a 0 around a frame is sent. A stall at ``o`` stops the
    sending, but not the filling of the buffer.

    Latency 3 cycles from the last byte of a block to the same block's first byte at ``o``; the code
    leaves after 1 of these cycles. Initiation interval 2 cycles for each byte, because a block is
    stored before it is sent: a frame of n bytes, z of them zeros, takes at most
    2 n + 2 (n // 254 + 1) + 2 z + 4 cycles, if ``o`` is always ready. Filling the buffer takes at
    most 254 cycles if ``i`` is always valid. So the line never pauses if the bytes in a queue
    behind ``o`` take at least 260 cycles on the line: 16 bytes of 10 bits take 288 cycles with a
    clock of 1.8 times the baud rate.

    Members
    -------
    i : In(stream.Signature(FRAME_BYTE))
    o : Out(stream.Signature(8))
    """

    latency = 3
    initiation_interval = 2

    def __init__(self):
        super().__init__({"i": In(stream.Signature(FRAME_BYTE)), "o": Out(stream.Signature(8))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = BlockMemory(8, 256)
        count = Signal(range(BLOCK_BYTES + 1))  # bytes in the buffer
        read_count = Signal.like(count)  # bytes of the block that have been read from the buffer
        is_last = Signal()  # the frame ends with this block
        ends_with_zero = Signal()  # a 0 is the last byte of the frame: an empty block follows
        i = self.i.payload
        o = self.o
        m.d.comb += [
            memory.write_address.eq(count),
            memory.write_data.eq(i.data),
            memory.read_address.eq(read_count),
        ]
        with m.FSM():
            with m.State("BETWEEN"), m.If(self.i.valid):
                m.d.comb += o.valid.eq(1)  # the 0 before the frame
                with m.If(o.ready):
                    m.next = "FILL"
            with m.State("FILL"):
                m.d.comb += [self.i.ready.eq(1), memory.write_enable.eq(self.i.valid)]
                with m.If(self.i.valid):
                    is_zero = i.data == 0
                    m.d.sync += [
                        count.eq(count + ~is_zero),
                        is_last.eq(i.last & ~is_zero),
                        ends_with_zero.eq(i.last & is_zero),
                    ]
                    with m.If(is_zero | i.last | (count == BLOCK_BYTES - 1)):
                        m.next = "CODE"
            with m.State("CODE"):
                m.d.comb += [o.valid.eq(1), o.payload.eq(count + 1)]
                m.d.sync += read_count.eq(0)
                with m.If(o.ready):
                    m.next = "READ"
            with m.State("READ"):
                with m.If(count == 0):
                    self._end_block(m, count, is_last, ends_with_zero)
                with m.Else():
                    m.d.comb += memory.read_enable.eq(1)
                    m.d.sync += read_count.eq(1)
                    m.next = "BYTES"
            with m.State("BYTES"):
                m.d.comb += [o.valid.eq(1), o.payload.eq(memory.read_data)]
                with m.If(o.ready):
                    m.d.comb += memory.read_enable.eq(1)
                    m.d.sync += read_count.eq(read_count + 1)
                    with m.If(read_count == count):
                        self._end_block(m, count, is_last, ends_with_zero)
            with m.State("END"):
                m.d.comb += o.valid.eq(1)
                with m.If(o.ready):
                    m.next = "BETWEEN"
        return m

    def _end_block(self, m, count, is_last, ends_with_zero):
        """Empties the buffer, and goes on to the end of the frame, or to the next block.

        After a frame that ends with a 0 the next block is empty, and the last one.
        """
        m.d.sync += count.eq(0)
        with m.If(is_last):
            m.next = "END"
        with m.Elif(ends_with_zero):
            m.d.sync += [ends_with_zero.eq(0), is_last.eq(1)]
            m.next = "CODE"
        with m.Else():
            m.next = "FILL"
