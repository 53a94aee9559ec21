"""Delays a stream by a constant number of cycles."""

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import flow


class Delay(wiring.Component):
    """Delays its input by ``cycles``, independently of the cycles between transfers, so that two
    paths of a frame meet again.

    Latency ``cycles``, initiation interval 1 cycle. The registers have no reset, except the valid
    bits: tools turn them into shift registers of LUTs.

    Parameters
    ----------
    shape : ShapeLike
    cycles : int
        At least 1.

    Members
    -------
    i : In(flow(shape))
        A stream that is never stalled.
    o : Out(flow(shape))
    """

    initiation_interval = 1

    def __init__(self, shape, cycles):
        if not isinstance(cycles, int) or cycles < 1:
            raise ValueError(f"cycles must be an integer of at least 1, not {cycles!r}")
        self.latency = cycles
        self._shape = shape
        super().__init__({"i": In(flow(shape)), "o": Out(flow(shape))})

    def elaborate(self, platform):
        m = Module()
        valid = self.i.valid
        payload = self.i.payload
        for k in range(self.latency):
            late_valid = Signal(name=f"valid{k}")
            late = Signal(Shape.cast(self._shape), name=f"payload{k}", reset_less=True)
            m.d.sync += [late_valid.eq(valid), late.eq(payload)]
            valid = late_valid
            payload = late
        m.d.comb += [self.o.valid.eq(valid), self.o.payload.eq(payload)]
        return m
