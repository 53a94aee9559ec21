"""The pipeline register of a stream."""

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


class StreamRegister(wiring.Component):
    """One register level of a pipeline.

    Order is kept. A stall at ``o`` reaches ``i`` in the same cycle, unless the register is empty:
    so bubbles close up, and the ready path of a chain of registers is one AND-OR from the last
    ``ready`` to the first. Put a :class:`~rtl.stream.skid.SkidBuffer` where the chain becomes too
    long.

    Latency 1 cycle, initiation interval 1 cycle. Resources: the payload and one bit.

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
        payload = Signal(Shape.cast(self._shape), reset_less=True)
        valid = Signal()
        m.d.comb += [
            self.o.payload.eq(payload),
            self.o.valid.eq(valid),
            self.i.ready.eq(~valid | self.o.ready),
        ]
        with m.If(self.i.ready):
            m.d.sync += [valid.eq(self.i.valid), payload.eq(self.i.payload)]
        return m
