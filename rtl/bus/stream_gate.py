"""Lets one stream at a time into the core, so that the end of each stream's rows is known."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


class StreamGate(wiring.Component):
    """Lets a stream in when the core has completed the previous stream.

    Beats pass unchanged. After the ``last`` of a stream no beat passes until ``core_busy`` and
    ``hold`` are low and ``ready_to_finish`` is high; then ``finish`` is high for a cycle, and the
    next stream may come. The gate costs the core's latency between two streams, and nothing within
    a stream.

    Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a beat, with ``last``.

    Members
    -------
    i : In(stream.Signature(shape))
    o : Out(stream.Signature(shape))
    core_busy : In(1)
        The core has tuples or rows of a stream whose end it took before this cycle.
    ready_to_finish : In(1)
        The receiver of ``finish`` has completed the previous one.
    hold : In(1)
        The core's output is being dropped: ``finish`` stays low, and the gate stays shut.
    finish : Out(1)
        All rows of a stream have left the core before this cycle.
    busy : Out(1)
        A stream has ended and is not finished.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, shape):
        signature = stream.Signature(shape)
        super().__init__(
            {
                "i": In(signature),
                "o": Out(signature),
                "core_busy": In(1),
                "ready_to_finish": In(1),
                "hold": In(1),
                "finish": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.o.p.eq(self.i.p)
        with m.FSM():
            with m.State("OPEN"):
                m.d.comb += [self.o.valid.eq(self.i.valid), self.i.ready.eq(self.o.ready)]
                with m.If(self.i.valid & self.o.ready & self.i.p.last):
                    m.next = "SHUT"
            with m.State("SHUT"):
                m.d.comb += self.busy.eq(1)
                with m.If(~self.core_busy & self.ready_to_finish & ~self.hold):
                    m.d.comb += self.finish.eq(1)
                    m.next = "OPEN"
        return m
