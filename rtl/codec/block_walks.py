"""What is fed back of windows, whether their blocks were read or not."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_walk import BlockWalk


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
    begun : In(self.begun_layout(plan))
        A block begins, of a key that has this ``place``.
    window : In(data.StructLayout({"valid": 1, "hit": 1, "takes": 1, "place": ..., ...}))
        A window is given whole: with ``hit`` out of the cache, its last value in block ``line``,
        the next window from ``number`` on. With ``takes`` its key has got the place, and something
        is fed back for it in this cycle.
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
        told = {"valid": 1, "hit": 1, "takes": 1, **self._place(plan)}
        feedback = stream.Signature(plan.feedback, always_ready=True)
        super().__init__(
            {
                "begun": In(self.begun_layout(plan)),
                "window": In(data.StructLayout(told)),
                "fed": In(feedback),
                "feedback": Out(feedback),
                "walking": Out(1),
            }
        )

    @staticmethod
    def _place(plan):
        return {
            "place": range(plan.cache.keys),
            "line": range(plan.blocks),
            "number": plan.number_bits,
        }

    @classmethod
    def begun_layout(cls, plan):
        """Layout of a block that begins: ``valid``, ``place``, ``line``, ``number``."""
        return data.StructLayout({"valid": 1, **cls._place(plan)})

    @staticmethod
    def memory_bits_of(plan):
        """Bits of the memories of such walks, without making them."""
        return plan.cache.keys * plan.blocks * plan.number_bits

    def elaborate(self, platform):
        m = Module()
        fed, begun, window, o = self.fed, self.begun, self.window, self.feedback
        m.d.comb += [
            o.valid.eq(fed.valid),
            o.p.eq(fed.p),
            self.walking.eq(Cat(walk.walking for walk in self._walks).any()),
        ]
        earlier = fed.valid
        for k, walk in enumerate(self._walks):
            m.submodules[f"walk{k}"] = walk
            free = Signal(name=f"free{k}")
            m.d.comb += [
                walk.begun.valid.eq(begun.valid & (begun.place == k)),
                walk.begun.line.eq(begun.line),
                walk.begun.number.eq(begun.number),
                walk.window.valid.eq(window.valid & window.hit & (window.place == k)),
                walk.window.line.eq(window.line),
                walk.window.number.eq(window.number),
                walk.fed.valid.eq(fed.valid),
                walk.fed.takes.eq(window.valid & window.takes & (window.place == k)),
                walk.fed.feedback.eq(fed.p),
                free.eq(~earlier),
                walk.taken.eq(free),
            ]
            with m.If(free & walk.steps.valid):
                m.d.comb += [o.valid.eq(1), o.p.eq(walk.steps.feedback)]
            earlier = earlier | walk.steps.valid
        return m
