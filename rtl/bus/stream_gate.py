"""One stream at a time through the core, so that it is known when all of its rows are out."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


class StreamGate(wiring.Component):
    """Lets a stream in when all that came of the one before it has left the core.

    Beats pass as they are. Behind the ``last`` of a stream nothing passes until the core is not
    busy any more; then ``finish`` is high for a cycle, and the next stream may come. That costs the
    core's latency between two streams, and nothing within one.

    Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Of a beat, with ``last``.

    Members
    -------
    i : In(stream.Signature(shape))
    o : Out(stream.Signature(shape))
    core_busy : In(1)
        A stream whose end was given before this cycle, or what comes of it, is in the core.
    free : In(1)
        What ``finish`` asked for before has been done.
    hold : In(1)
        What comes out of the core is dropped: nothing is finished.
    finish : Out(1)
        All that came of a stream has left the core before this cycle.
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
                "free": In(1),
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
                with m.If(~self.core_busy & self.free & ~self.hold):
                    m.d.comb += self.finish.eq(1)
                    m.next = "OPEN"
        return m
