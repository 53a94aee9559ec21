"""Counts the streams inside an engine whose end has entered, but has not left."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


def transfers_end(beats):
    """Returns a bit that is high when the last beat of a stream is transferred."""
    return offers_end(beats) & beats.ready


def offers_end(beats):
    """Returns a bit that is high when the last beat of a stream is offered."""
    return beats.valid & beats.p.last


class StreamTracker(wiring.Component):
    """Counts the ends of streams between two places that every end passes once.

    The *end* of a stream is its last beat. An engine sends an end for every end that it accepts.
    Invariant: **the engine is empty when as many ends have left as have entered.** A stream is not
    counted before its end has entered, even if other beats of the stream are inside, because the
    source still has to send the end. ``busy`` is high from the cycle after an end enters to the
    cycle after the end leaves: for an end that enters in cycle 3 and leaves in cycle 9, in cycles 4
    to 10.

    Parameters
    ----------
    ends_max : int
        Largest number of ends that are inside at a time. It must not be less than the number of
        ends that may leave in one cycle.
    ways : int
        Number of ways out. Each way lets out at most one end in a cycle.

    Members
    -------
    end_offered : In(1)
        An end is offered at the entrance.
    end_accepted : In(1)
        The entrance accepts the beat on offer. The signal may arrive late in the cycle, because it
        only drives the clock enable of one register.
    ends_leaving : In(ways)
        An end leaves by this way. The end may have entered in the same cycle.
    busy : Out(1)
        An end is inside, as described above. Computed from registers only.
    """

    def __init__(self, ends_max, ways=1):
        self._width = bits_for(ends_max)
        super().__init__(
            {"end_offered": In(1), "end_accepted": In(1), "ends_leaving": In(ways), "busy": Out(1)}
        )

    def elaborate(self, platform):
        m = Module()
        count = Signal(self._width)
        ends_left = Signal.like(self.ends_leaving)
        entry_parity = Signal()  # toggles with every end that enters
        entry_parity_before = Signal()
        entered = entry_parity ^ entry_parity_before
        with m.If(self.end_accepted):
            m.d.sync += entry_parity.eq(entry_parity ^ self.end_offered)
        m.d.sync += [
            entry_parity_before.eq(entry_parity),
            ends_left.eq(self.ends_leaving),
            count.eq(count + entered - sum(ends_left)),
        ]
        m.d.comb += self.busy.eq(entered | count.any())
        return m
