"""Frames of several, one after the other."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.sent import SENT


class FrameArbiter(wiring.Component):
    """Passes whole frames; after each the next in turn that has one begins.

    What is not chosen waits. Between two frames of the same source is a cycle without any.

    Latency 1 cycle, in which a frame is chosen, and none for what follows of it; within a frame
    initiation interval 1 cycle. Source: ours.

    Parameters
    ----------
    ways : int
        At least 2.

    Members
    -------
    i0, i1, ... : In(stream.Signature(SENT))
    o : Out(stream.Signature(SENT))
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, ways):
        if not isinstance(ways, int) or ways < 2:
            raise ValueError(f"ways must be an integer of at least 2, not {ways!r}")
        self._ways = ways
        super().__init__(
            {f"i{k}": In(stream.Signature(SENT)) for k in range(ways)}
            | {"o": Out(stream.Signature(SENT))}
        )

    def elaborate(self, platform):
        m = Module()
        ways = [getattr(self, f"i{k}") for k in range(self._ways)]
        turn, inside = Signal(range(self._ways)), Signal()
        offered = Array(way.valid for way in ways)
        m.d.comb += [
            self.o.valid.eq(inside & offered[turn]),
            self.o.p.eq(Array(way.p.as_value() for way in ways)[turn]),
            *(way.ready.eq(inside & (turn == k) & self.o.ready) for k, way in enumerate(ways)),
        ]
        with m.If(~inside | (self.o.valid & self.o.ready & self.o.p.last)):
            m.d.sync += inside.eq(0)
            with m.Switch(turn):
                for k in range(self._ways):
                    with m.Case(k):
                        self._next(m, ways, k, turn, inside)
        return m

    def _next(self, m, ways, k, turn, inside):
        """Who is next behind ``k``; ``k`` again only if it is between two frames."""
        for step in reversed(range(1, self._ways + 1)):
            way = (k + step) % self._ways
            may = ways[way].valid & (~inside if way == k else 1)
            with m.If(may):
                m.d.sync += [turn.eq(way), inside.eq(1)]
