"""What is fed back of windows, whether their blocks were read or not."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.store.blocks.block_walk import BlockWalk


class BlockWalks(wiring.Component):
    """Feeds back in which block the next window of each key begins, also behind cached ones.

    ::

        fed, of windows that were read --+--> feedback
        a BlockWalk for each place ------+

    What is ``fed`` is handed on in the same cycle. In each cycle without any, one walk may go on by
    a block, that of the lowest place first. **Always: of each key blocks are told in their order**,
    and of a life nothing once the next one is told of.

    A window whose key takes a place must not come while a walk goes on: that may be the one of the
    place.

    Latency 0 cycles for what is fed. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    window : In(self.told_layout(plan))
        A window is given whole, or a block begins.
    fed : In(stream.Signature(plan.feedback, always_ready=True))
    feedback : Out(stream.Signature(plan.feedback, always_ready=True))
    walking : Out(1)

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._walks = [BlockWalk(plan) for _ in range(plan.cache.keys)]
        feedback = stream.Signature(plan.feedback, always_ready=True)
        super().__init__(
            {
                "window": In(self.told_layout(plan)),
                "fed": In(feedback),
                "feedback": Out(feedback),
                "walking": Out(1),
            }
        )

    @staticmethod
    def told_layout(plan):
        """Layout of what is known of a window, or of a block that begins, of a key with a place.

        ``noted``: block ``line`` of the ring begins with number ``last``. ``hit``: the window is
        out of the cache, its last value in block ``line``, the next one from number ``next`` on.
        ``takes``: its key gets the ``place``, and something is fed back for it in this cycle.
        """
        number = plan.number_bits
        kinds = dict.fromkeys(("valid", "noted", "hit", "takes"), 1)
        place = {"place": range(plan.cache.keys), "line": range(plan.blocks)}
        return data.StructLayout({**kinds, **place, "last": number, "next": number})

    @staticmethod
    def memory_bits_of(plan):
        """Bits of the memories of such walks, without making them."""
        return plan.cache.keys * plan.blocks * plan.number_bits

    def elaborate(self, platform):
        m = Module()
        fed, window, o = self.fed, self.window, self.feedback
        m.d.comb += [
            o.valid.eq(fed.valid),
            o.p.eq(fed.p),
            self.walking.eq(Cat(walk.walking for walk in self._walks).any()),
        ]
        earlier = fed.valid
        for k, walk in enumerate(self._walks):
            m.submodules[f"walk{k}"] = walk
            free, here = Signal(name=f"free{k}"), Signal(name=f"here{k}")
            m.d.comb += [
                here.eq(window.valid & (window.place == k)),
                walk.begun.valid.eq(here & window.noted),
                walk.begun.line.eq(window.line),
                walk.begun.number.eq(window.last),
                walk.window.valid.eq(here & window.hit),
                walk.window.line.eq(window.line),
                walk.window.number.eq(window.next),
                walk.fed.valid.eq(fed.valid),
                walk.fed.takes.eq(here & window.takes),
                walk.fed.feedback.eq(fed.p),
                free.eq(~earlier),
                walk.taken.eq(free),
            ]
            with m.If(free & walk.steps.valid):
                m.d.comb += [o.valid.eq(1), o.p.eq(walk.steps.feedback)]
            earlier = earlier | walk.steps.valid
        return m
