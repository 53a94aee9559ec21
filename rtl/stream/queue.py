"""A queue in LUT RAM, which accepts a few transfers while its output is stalled."""

from amaranth.hdl import Module, Shape
from amaranth.lib import stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out


class StreamQueue(wiring.Component):
    """A queue: first in, first out.

    ``i.ready`` depends on registers alone, so that a chain of ``ready`` ends here. For wide
    payloads the queue takes half the LUTs of a :class:`~rtl.stream.skid.SkidBuffer`, and no
    register for each bit, but ``o`` comes out of a memory.

    Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when ``depth``
    payloads are stored. Order is kept.

    Parameters
    ----------
    shape : ShapeLike
        Payload.
    depth : int
        At least 2.

    Members
    -------
    i : In(stream.Signature(shape))
    o : Out(stream.Signature(shape))
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, shape, depth=4):
        if not isinstance(depth, int) or depth < 2:
            raise ValueError(f"depth must be an integer of at least 2, not {depth!r}")
        self._shape = shape
        self._depth = depth
        super().__init__({"i": In(stream.Signature(shape)), "o": Out(stream.Signature(shape))})

    def elaborate(self, platform):
        m = Module()
        width = Shape.cast(self._shape).width
        m.submodules.fifo = fifo = SyncFIFO(width=width, depth=self._depth)
        m.d.comb += [
            fifo.w_data.eq(self.i.p),
            fifo.w_en.eq(self.i.valid),
            self.i.ready.eq(fifo.w_rdy),
            self.o.p.eq(fifo.r_data),
            self.o.valid.eq(fifo.r_rdy),
            fifo.r_en.eq(self.o.ready),
        ]
        return m
