"""Tells when the feedback of windows that were read before a cached window has come."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.chained.chain_pool import ChainPool
from rtl.keyed.pivot.pivot_plan import WINDOWS as PIVOT_WINDOWS

#: More than the windows in registers between the selection of blocks and their feedback.
REGISTERS = 32


class LateFeedback(wiring.Component):
    """Tells for each place of the cache when the feedback of earlier windows of its key has come.

    Feedback comes in the order of the windows that were read, some time after they were sent. A
    window is a *hit* if the cache has its values, so that no block is read. Once a window of a key
    is a hit, all windows of the key are hits, until another key claims the place. So
    all windows of the key that were read were sent before the first hit. The place is *settled*
    when as many windows have returned as were under way at the first hit, whatever their keys.
    For instance with windows of key a, which claims a place, and of key b, which has none::

        cycle          0         1      2        3      4      5      6
        sent           a claims  b      a hits   b
        returned                                 a      b      b
        under way      0         1      2        2      2      1      0
        settled                                  no     no     yes    yes

    The window of key b in cycle 3 comes after the hit, and does not count.

    ``settled`` changes a cycle after the event: latency 1 cycle, initiation interval 1 cycle.

    Parameters
    ----------
    places : int
    windows : int
        Largest number of windows that were sent and have not returned.

    Members
    -------
    sent : In(1)
        A window that is read was sent.
    returned : In(1)
        The feedback of a window that was read has come; never more often than ``sent``.
    claims, hits : In(places)
        One-hot or 0: a key claims this place; a window of the key of this place is a hit.
    settled : Out(places)
        Has no meaning before the first hit.

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, places, windows):
        self._windows = windows
        super().__init__(
            {
                "sent": In(1),
                "returned": In(1),
                "claims": In(places),
                "hits": In(places),
                "settled": Out(places),
            }
        )

    @classmethod
    def of(cls, plan):
        """Builds the component for the cache of a RingPlan with chains of blocks.

        Each window under way has a chain in the pool of decoders, or is in the buffer of the passes
        of pivots, or in a register.
        """
        windows = ChainPool.capacity_of(plan.fold) + PIVOT_WINDOWS + REGISTERS
        return cls(plan.cache.keys, windows)

    def elaborate(self, platform):
        m = Module()
        under_way = Signal(range(self._windows + 1))
        after_return = Signal.like(under_way)
        m.d.comb += after_return.eq(under_way - self.returned)
        m.d.sync += under_way.eq(after_return + self.sent)
        for k in range(len(self.settled)):
            # ``awaited``: windows from before the first hit that have not returned.
            awaited = Signal.like(under_way, name=f"awaited{k}")
            has_hit = Signal(name=f"has_hit{k}")
            m.d.comb += self.settled[k].eq(~awaited.any())
            with m.If(self.hits[k] & ~has_hit):
                m.d.sync += [has_hit.eq(1), awaited.eq(after_return)]
            with m.Elif(self.returned & awaited.any()):
                m.d.sync += awaited.eq(awaited - 1)
            with m.If(self.claims[k]):
                m.d.sync += has_hit.eq(0)
        return m
