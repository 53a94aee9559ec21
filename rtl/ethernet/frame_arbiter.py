"""Merges the frames of several sources into one stream."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.frame_layout import SENT_PIECE


class FrameArbiter(wiring.Component):
    """Passes whole frames, from the sources in turn; a source without a frame is skipped.

    The other sources are stalled. Between two frames of the same source is a cycle without a
    transfer.

    Latency 1 cycle, in which a frame is chosen, and 0 cycles for the rest of the frame; within a
    frame initiation interval 1 cycle. Source: ours.

    Parameters
    ----------
    ways : int
        Number of sources, at least 2.

    Members
    -------
    i0, i1, ... : In(stream.Signature(SENT_PIECE))
    o : Out(stream.Signature(SENT_PIECE))
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, ways):
        if not isinstance(ways, int) or ways < 2:
            raise ValueError(f"ways must be an integer of at least 2, not {ways!r}")
        self._ways = ways
        super().__init__(
            {f"i{k}": In(stream.Signature(SENT_PIECE)) for k in range(ways)}
            | {"o": Out(stream.Signature(SENT_PIECE))}
        )

    def elaborate(self, platform):
        m = Module()
        ways = [getattr(self, f"i{k}") for k in range(self._ways)]
        turn, in_frame = Signal(range(self._ways)), Signal()
        offered = Array(way.valid for way in ways)
        m.d.comb += [
            self.o.valid.eq(in_frame & offered[turn]),
            self.o.p.eq(Array(way.p.as_value() for way in ways)[turn]),
            *(way.ready.eq(in_frame & (turn == k) & self.o.ready) for k, way in enumerate(ways)),
        ]
        with m.If(~in_frame | (self.o.valid & self.o.ready & self.o.p.last)):
            m.d.sync += in_frame.eq(0)
            with m.Switch(turn):
                for k in range(self._ways):
                    with m.Case(k):
                        self._next(m, ways, k, turn, in_frame)
        return m

    def _next(self, m, ways, k, turn, in_frame):
        """Chooses the next source after ``k``; ``k`` again only if it is between two frames."""
        for step in reversed(range(1, self._ways + 1)):
            source = (k + step) % self._ways
            eligible = ways[source].valid & (~in_frame if source == k else 1)
            with m.If(eligible):
                m.d.sync += [turn.eq(source), in_frame.eq(1)]
