"""The transmitter of a UART: bytes to a serial line."""

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.serial.bit_time import FRAME_BITS, PARTS


class UartTransmitter(wiring.Component):
    """Sends each byte as a start bit, 8 bits with the lowest first, and a stop bit (8N1).

    Bytes follow each other without a gap while ``i`` offers them. A reset cuts the byte that is
    being sent: the line is high from the next cycle on.

    Latency 1 cycle from ``i`` to the start bit, initiation interval 10 bits.

    Parameters
    ----------
    bit_time : BitTime

    Members
    -------
    i : In(stream.Signature(8))
    txd : Out(1)
        The line, from a register; high between bytes.
    """

    latency = 1

    def __init__(self, bit_time):
        self._parts = bit_time.parts
        self.initiation_interval = FRAME_BITS * bit_time.parts // PARTS
        super().__init__({"i": In(stream.Signature(8)), "txd": Out(1, init=1)})

    def elaborate(self, platform):
        m = Module()
        timer = Signal(range(self._parts + PARTS))  # parts of a cycle that this bit still lasts
        bits = Signal(FRAME_BITS - 1, init=~0)  # bits after the one on the line
        bit_count = Signal(range(FRAME_BITS))  # number of these bits
        txd = Signal(init=1)
        m.d.comb += self.txd.eq(txd)
        bit_ends = Signal()
        m.d.comb += bit_ends.eq(timer < 2 * PARTS)
        m.d.sync += timer.eq(timer - PARTS)

        def begin(remaining):
            m.d.comb += self.i.ready.eq(1)
            with m.If(self.i.valid):
                m.d.sync += [
                    txd.eq(0),
                    bits.eq(Cat(self.i.payload, Const(1, 1))),
                    bit_count.eq(FRAME_BITS - 1),
                    timer.eq(self._parts + remaining),
                ]
                m.next = "BYTE"

        with m.FSM():
            with m.State("IDLE"):
                begin(0)
            with m.State("BYTE"), m.If(bit_ends):
                with m.If(bit_count != 0):
                    m.d.sync += [
                        txd.eq(bits[0]),
                        bits.eq(Cat(bits[1:], Const(1, 1))),
                        bit_count.eq(bit_count - 1),
                        timer.eq(timer - PARTS + self._parts),
                    ]
                with m.Else():
                    m.next = "IDLE"
                    begin(timer - PARTS)
        return m
