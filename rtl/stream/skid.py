"""The buffer that breaks the combinational path of ready."""

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


class SkidBuffer(wiring.Component):
    """Two registers that keep the full rate with no path from ``o.ready`` to ``i.ready``.

    Order is kept. When ``o`` stalls, the buffer takes one more payload (the payload skids), and
    ``i.ready`` falls one cycle after ``o.ready``; ``i.ready`` rises one cycle after ``o.ready``,
    too.

    Latency 1 cycle, initiation interval 1 cycle. Resources: twice the payload, and two bits; every
    output, including ``i.ready``, comes from a register.

    Parameters
    ----------
    shape : ShapeLike
        Shape of the payload.

    Members
    -------
    i : In(stream.Signature(shape))
    o : Out(stream.Signature(shape))
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, shape):
        super().__init__({"i": In(stream.Signature(shape)), "o": Out(stream.Signature(shape))})
        self._shape = shape

    def elaborate(self, platform):
        m = Module()
        shape = Shape.cast(self._shape)
        front = Signal(shape, reset_less=True)
        skid = Signal(shape, reset_less=True)
        front_valid = Signal()
        skid_valid = Signal()
        m.d.comb += [
            self.i.ready.eq(~skid_valid),
            self.o.valid.eq(front_valid),
            self.o.payload.eq(front),
        ]
        with m.If(self.o.ready | ~front_valid):
            m.d.sync += [
                front_valid.eq(self.i.valid | skid_valid),
                skid_valid.eq(0),
            ]
            with m.If(skid_valid):
                m.d.sync += front.eq(skid)
            with m.Else():
                m.d.sync += front.eq(self.i.payload)
        with m.Elif(self.i.valid & self.i.ready):
            m.d.sync += skid_valid.eq(1)
        with m.If(self.i.ready):
            m.d.sync += skid.eq(self.i.payload)
        return m
