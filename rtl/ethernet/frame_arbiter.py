"""Merges the frames of several sources into one stream."""

from amaranth.hdl import Array, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.frame_layout import SENT_PIECE


class FrameArbiter(wiring.Component):
    """Passes whole frames, from the sources in turn; a source without a frame is skipped.

    The other sources are stalled until the last piece of a frame has passed. If another source
    offers a frame then, it follows in the next cycle; else a cycle without a transfer follows, also
    between two frames of the same source. For instance with frames of 2 pieces from cycle 0 on, a
    and b at source 0, c at source 1::

        cycle   0   1   2   3   4   5   6
        o       -   c   c   a   a   -   b ...

    Latency of a frame's first piece 1 cycle, or 0 cycles directly after another source's frame; of
    its other pieces 0 cycles. Within a frame initiation interval 1 cycle. Source: ours.

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
        sources = [getattr(self, f"i{k}") for k in range(self._ways)]
        current = Signal(range(self._ways))  # number of the source whose frame passes
        offered = Array(source.valid for source in sources)
        other, other_offers = self._other_source(m, sources, current)
        m.d.comb += self.o.p.eq(Array(source.p.as_value() for source in sources)[current])
        with m.FSM():
            with m.State("BETWEEN"):
                with m.If(other_offers | offered[current]):
                    m.next = "FRAME"
                with m.If(other_offers):
                    m.d.sync += current.eq(other)
            with m.State("FRAME"):
                m.d.comb += [
                    self.o.valid.eq(offered[current]),
                    *(
                        source.ready.eq((current == k) & self.o.ready)
                        for k, source in enumerate(sources)
                    ),
                ]
                with m.If(self.o.valid & self.o.ready & self.o.p.last):
                    with m.If(other_offers):
                        m.d.sync += current.eq(other)
                    with m.Else():
                        m.next = "BETWEEN"
        return m

    def _other_source(self, m, sources, current):
        """Returns the next source after ``current`` that offers a frame, and a bit: there is one.

        With 3 sources and current source 1 the order is 2, 0.
        """
        other = Signal.like(current)
        other_offers = Signal()
        with m.Switch(current):
            for k in range(self._ways):
                with m.Case(k):
                    for step in reversed(range(1, self._ways)):
                        number = (k + step) % self._ways
                        with m.If(sources[number].valid):
                            m.d.comb += [other.eq(number), other_offers.eq(1)]
        return other, other_offers
