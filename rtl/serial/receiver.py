"""Receives bytes from a serial line (a UART)."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import In, Out

from rtl.serial.bit_time import FRAME_BITS, PARTS

#: A byte from the line; ``error`` marks a byte that is wrong, or that follows a lost byte.
LINE_BYTE = data.StructLayout({"data": 8, "error": 1})


class UartReceiver(wiring.Component):
    """Samples each bit of a byte in its middle: a start bit, 8 bits, a stop bit (8N1).

    The lowest bit of the byte comes first: ``A``, 0x41, is 0, then 1000 0010, then 1 on the line.

    A byte begins with a falling edge. If the line is high again in the middle of the start bit, the
    edge was noise, and no byte begins. If the line is low in the middle of the stop bit, the byte
    has ``error``, and the receiver waits until the line is high. The next byte may begin from the
    middle of the stop bit on, so a sender may be faster than the receiver.

    Nothing makes the sender wait. A complete byte waits at ``o``; if the byte before still waits
    there, the new byte is lost, and the next byte that is not lost has ``error``. For instance if
    ``o`` stalls from before the end of b to after the end of d in ``a b c d e``, the bytes at ``o``
    are a, b, and e with ``error``.

    Latency from the middle of the stop bit to ``o`` 3 cycles, two of them in the synchronizer;
    initiation interval 10 bits.

    Parameters
    ----------
    bit_time : BitTime

    Members
    -------
    rxd : In(1)
        The line, high between bytes; may change at any time.
    o : Out(stream.Signature(LINE_BYTE))
    """

    latency = 3

    def __init__(self, bit_time):
        self._parts = bit_time.parts
        self.initiation_interval = FRAME_BITS * bit_time.parts // PARTS
        super().__init__({"rxd": In(1, init=1), "o": Out(stream.Signature(LINE_BYTE))})

    def elaborate(self, platform):
        m = Module()
        line = Signal(init=1)
        m.submodules.synchronizer = FFSynchronizer(self.rxd, line, init=1)
        timer = Signal(range(self._parts + PARTS))  # time until the next sample, in 1/256 cycle
        bits = Signal(8)
        bit_count = Signal(range(8))
        sample = Signal()
        complete = Signal()
        is_bad = Signal()
        m.d.comb += sample.eq(timer < PARTS)
        m.d.sync += timer.eq(timer - PARTS + sample * self._parts)
        with m.FSM():
            with m.State("IDLE"):
                # Half a bit, less the cycle in which the edge is seen.
                m.d.sync += timer.eq(self._parts // 2 - PARTS)
                with m.If(~line):
                    m.next = "START"
            with m.State("START"):
                m.d.sync += bit_count.eq(0)
                with m.If(sample & line):
                    m.next = "IDLE"
                with m.Elif(sample):
                    m.next = "DATA"
            with m.State("DATA"), m.If(sample):
                m.d.sync += [bits.eq(Cat(bits[1:], line)), bit_count.eq(bit_count + 1)]
                with m.If(bit_count == 7):
                    m.next = "STOP"
            with m.State("STOP"), m.If(sample):
                m.d.comb += [complete.eq(1), is_bad.eq(~line)]
                m.next = "IDLE"
                with m.If(~line):
                    m.next = "LOW"
            with m.State("LOW"), m.If(line):
                m.next = "IDLE"
        self._offer(m, bits, complete, is_bad)
        return m

    def _offer(self, m, bits, complete, is_bad):
        """Stores a complete byte for ``o``, or remembers that a byte was lost."""
        valid = Signal()
        byte = Signal(LINE_BYTE)
        is_lost = Signal()
        m.d.comb += [self.o.valid.eq(valid), self.o.payload.eq(byte)]
        with m.If(self.o.ready):
            m.d.sync += valid.eq(0)
        with m.If(complete):
            with m.If(~valid | self.o.ready):
                m.d.sync += [
                    valid.eq(1),
                    byte.data.eq(bits),
                    byte.error.eq(is_bad | is_lost),
                    is_lost.eq(0),
                ]
            with m.Else():
                m.d.sync += is_lost.eq(1)
