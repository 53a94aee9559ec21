"""Merges the feedback of windows that were read with the feedback of windows from the cache."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.keyed.cache.block_walk import BlockWalk
from rtl.keyed.cache.late_feedback import LateFeedback


class BlockWalks(wiring.Component):
    """Feeds back the block in which the next window of each key begins, also after cached windows.

    After a cached window of the key at a place, the walk of this place steps from block to block
    (:class:`~rtl.keyed.cache.block_walk.BlockWalk`)::

        fed, of windows that were read --+--> feedback
        a BlockWalk for each place ------+

    ``fed`` is passed on in the same cycle. In each cycle without ``fed`` one walk may make a step,
    the walk of the lowest place first. For instance the walks of places 0 and 2 have two steps
    each, and ``fed`` comes in cycle 1::

        cycle       0         1      2         3         4
        feedback    place 0   fed    place 0   place 2   place 2

    Invariant: **the blocks of a key are fed back in order**, and no block of a life of the key
    (:data:`~rtl.keyed.store.blocks.ring_plan.LIFE_BITS`) after a block of the next life.

    With chains of blocks (``plan.format.chained``) the feedback of a window comes only when the
    window is decoded. So a walk waits until the feedback of all windows that were sent before its
    first cached window has come
    (:class:`~rtl.keyed.cache.late_feedback.LateFeedback`). A walk steps over dependent blocks
    without feeding them back.

    While the walk of a place goes on, no window may come whose key claims this place.

    Latency 0 cycles for ``fed``, and 1 cycle or more from ``window`` to a step. Initiation interval
    1 cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    window : In(self.event_layout(plan))
        A window was sent completely, or a block begins.
    fed : In(stream.Signature(plan.feedback, always_ready=True))
        Feedback of a window that was read, of a key that begins, or the answer to a ``drain``.
    begins : In(1)
        The feedback at ``fed`` is that of a key that begins anew. Used only with chains.
    feedback : Out(stream.Signature(plan.feedback, always_ready=True))
        ``fed``, and the steps of the walks.
    walking : Out(plan.cache.keys)
        A bit for each place, high while the walk of the place goes on.

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._walks = [BlockWalk(plan) for _ in range(plan.cache.keys)]
        self._late_feedback = None
        if plan.format.chained:
            self._late_feedback = LateFeedback.of(plan)
        feedback = stream.Signature(plan.feedback, always_ready=True)
        super().__init__(
            {
                "window": In(self.event_layout(plan)),
                "fed": In(feedback),
                "begins": In(1),
                "feedback": Out(feedback),
                "walking": Out(plan.cache.keys),
            }
        )

    @staticmethod
    def event_layout(plan):
        """Returns the layout of an event: a window, a block that begins, or both.

        Three flags are high only for a key with a ``place``. ``noted``: block ``block_index`` of
        the ring begins with the value ``number``. ``hit``: the window comes from the cache, its
        last value is in block ``block_index``, and the next window begins with the value ``next``.
        ``claims``: the key gets the place, and without chains ``fed`` has feedback for the key in
        this cycle. For instance ``noted`` and ``hit`` with ``block_index`` 3, ``number`` 40 and
        ``next`` 25: block 3 begins with value 40, and the next window with value 25.

        With chains also ``index`` of the key's entry; ``head``: the noted block is raw or has a
        seed; ``read``: a window of any key without ``hit``, whose feedback will come.
        """
        number = plan.number_bits
        flags = dict.fromkeys(("valid", "noted", "hit", "claims"), 1)
        place = {"place": range(plan.cache.keys), "block_index": range(plan.blocks)}
        chains = {}
        if plan.format.chained:
            chains = {"index": range(plan.entries), "head": 1, "read": 1}
        return data.StructLayout({**flags, **place, "number": number, "next": number, **chains})

    @staticmethod
    def memory_bits_of(plan):
        """Returns the size of the memories, in bits, without building the component."""
        return plan.cache.keys * (1 << ceil_log2(plan.blocks)) * BlockWalk.word_layout(plan).size

    def elaborate(self, platform):
        m = Module()
        fed = self.fed
        window = self.window
        o = self.feedback
        is_feedback = fed.valid & ~fed.p.drained if self._plan.gives_way else fed.valid
        m.d.comb += [
            o.valid.eq(fed.valid),
            o.p.eq(fed.p),
            self.walking.eq(Cat(walk.walking for walk in self._walks)),
        ]
        is_taken = fed.valid  # the output has ``fed``, or a step of the walk of a lower place
        for k, walk in enumerate(self._walks):
            m.submodules[f"walk{k}"] = walk
            is_free = Signal(name=f"free{k}")
            is_current = Signal(name=f"current{k}")
            m.d.comb += [
                is_current.eq(window.valid & (window.place == k)),
                walk.begun.valid.eq(is_current & window.noted),
                walk.begun.block_index.eq(window.block_index),
                walk.begun.number.eq(window.number),
                walk.fed.begins.eq(self.begins),
                walk.window.valid.eq(is_current & window.hit),
                walk.window.block_index.eq(window.block_index),
                walk.window.number.eq(window.next),
                walk.fed.valid.eq(is_feedback),
                walk.claim.valid.eq(is_current & window.claims),
                walk.fed.feedback.eq(fed.p),
                is_free.eq(~is_taken),
                walk.taken.eq(is_free),
            ]
            with m.If(is_free & walk.steps.valid):
                m.d.comb += [o.valid.eq(walk.steps.feeds), o.p.eq(walk.steps.feedback)]
            is_taken = is_taken | walk.steps.valid
        if self._late_feedback is None:
            m.d.comb += [walk.settled.eq(1) for walk in self._walks]
        else:
            self._wait(m)
        return m

    def _wait(self, m):
        """Lets each walk wait for the feedback of windows that were read, which comes late."""
        m.submodules.late_feedback = late = self._late_feedback
        window = self.window
        place = Signal(len(self._walks))
        m.d.comb += [
            place.eq(1 << window.place),
            late.sent.eq(window.valid & window.read),
            late.returned.eq(self.fed.valid & ~self.begins),
            late.claims.eq(place & (window.valid & window.claims).replicate(len(place))),
            late.hits.eq(place & (window.valid & window.hit).replicate(len(place))),
        ]
        for k, walk in enumerate(self._walks):
            m.d.comb += [
                walk.begun.head.eq(window.head),
                walk.claim.index.eq(window.index),
                walk.settled.eq(late.settled[k]),
            ]
