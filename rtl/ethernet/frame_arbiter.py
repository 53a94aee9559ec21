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
        turn = Signal(range(self._ways))
        offered = Array(way.valid for way in ways)
        other, other_offers = self._other_source(m, ways, turn)
        m.d.comb += self.o.p.eq(Array(way.p.as_value() for way in ways)[turn])
        with m.FSM():
            with m.State("BETWEEN"):
                with m.If(other_offers | offered[turn]):
                    m.next = "FRAME"
                with m.If(other_offers):
                    m.d.sync += turn.eq(other)
            with m.State("FRAME"):
                m.d.comb += [
                    self.o.valid.eq(offered[turn]),
                    *(way.ready.eq((turn == k) & self.o.ready) for k, way in enumerate(ways)),
                ]
                with m.If(self.o.valid & self.o.ready & self.o.p.last):
                    with m.If(other_offers):
                        m.d.sync += turn.eq(other)
                    with m.Else():
                        m.next = "BETWEEN"
        return m

    def _other_source(self, m, ways, turn):
        """Returns the next source with a frame after ``turn``, and a bit: the source exists."""
        other, other_offers = Signal.like(turn), Signal()
        with m.Switch(turn):
            for k in range(self._ways):
                with m.Case(k):
                    for step in reversed(range(1, self._ways)):
                        source = (k + step) % self._ways
                        with m.If(ways[source].valid):
                            m.d.comb += [other.eq(source), other_offers.eq(1)]
        return other, other_offers
