"""Whether anything is left inside of an engine: streams that came in, less those that went out."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


def ends(beats):
    """Whether the last beat of a stream is taken in this cycle."""
    return offers_end(beats) & beats.ready


def offers_end(beats):
    """Whether the last beat of a stream is offered."""
    return beats.valid & beats.p.last


class Inside(wiring.Component):
    """Counts the ends of streams between two places that each of them passes once.

    A part that keeps the ends of its streams, whatever else it does with them, is empty when as
    many have left as have come. A stream whose end has not come is not counted: whoever feeds it
    knows of it. With an end in cycle 3 that leaves in cycle 9, ``busy`` is high in cycles 4 to 10.

    Parameters
    ----------
    most : int
        Ends that may be inside at a time, those that leave in a cycle at the least.
    ways : int
        Ways out, of which each may let out one end in a cycle.

    Members
    -------
    comes : In(1)
        An end is offered where they come in,
    takes : In(1)
        and what is offered there is taken. It may be the last to be known in a cycle, as it steers
        the clock enable of one register.
    leaves : In(ways)
        An end goes by this way. It may be one that came in the same cycle.
    busy : Out(1)
        An end that came before this cycle had not left two cycles ago; a sum of registers' bits.
    """

    def __init__(self, most, ways=1):
        self._width = bits_for(most)
        super().__init__({"comes": In(1), "takes": In(1), "leaves": In(ways), "busy": Out(1)})

    def elaborate(self, platform):
        m = Module()
        count = Signal(self._width)
        left = Signal.like(self.leaves)
        turned, passed = Signal(), Signal()  # the first turns over with every end
        entered = turned ^ passed
        with m.If(self.takes):
            m.d.sync += turned.eq(turned ^ self.comes)
        m.d.sync += [
            passed.eq(turned),
            left.eq(self.leaves),
            count.eq(count + entered - sum(left)),
        ]
        m.d.comb += self.busy.eq(entered | count.any())
        return m
