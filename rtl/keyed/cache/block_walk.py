"""Follows the windows of a cached key through its blocks, of which none is read."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.memory.block import BlockMemory
from rtl.stream.order import equal


class BlockWalk(wiring.Component):
    """Finds the block in which the next window of a cached key begins, by the blocks' numbers.

    For a window from the cache no block is read, so nobody counts the blocks' values, and yet the
    key's ring must not fill up. So the first number of each block is saved here when the block
    before it is closed. With each window the walk goes on to the block in which the next window
    begins; each block that it leaves is a step, which is fed back. For instance with the blocks 0
    to 9, 10 to 29, 30 to 39 and a next window from 30 on::

        begins at    0    10   30   40, growing
        steps             yes  yes  -

    Invariant: **the walk never leaves a block that a window needs, and never goes back.** The
    feedback of windows that are read sets the walk's block, so the walk and the ring agree. The
    feedback of a key that begins anew ends a walk of the key before.

    A step takes 2 cycles, and one cycle more for each cycle in which it is not ``taken``, or a
    block begins; ``walking`` falls 2 cycles after the last step. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    begun : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ...}))
        A block with this index begins with this number.
    fed : In(data.StructLayout({"valid": 1, "takes": 1, "feedback": plan.feedback}))
        Feedback of any key; ``takes``, the key has taken the place of this walk.
    window : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ...}))
        A window of the key came from the cache: its last value is in block ``block_index``, and the
        next window begins with this number.
    steps : Out(data.StructLayout({"valid": 1, "feedback": plan.feedback}))
        Block after the next step of the walk.
    taken : In(1)
        The step is made. It is never high with ``fed``.
    walking : Out(1)

    Source: ours; seed 000, section 3.4.4, leaves it open.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._numbers = BlockMemory(plan.number_bits, 1 << ceil_log2(plan.blocks))
        block_index, number = range(plan.blocks), plan.number_bits
        super().__init__(
            {
                "begun": In(
                    data.StructLayout({"valid": 1, "block_index": block_index, "number": number})
                ),
                "fed": In(data.StructLayout({"valid": 1, "takes": 1, "feedback": plan.feedback})),
                "window": In(
                    data.StructLayout({"valid": 1, "block_index": block_index, "number": number})
                ),
                "steps": Out(data.StructLayout({"valid": 1, "feedback": plan.feedback})),
                "taken": In(1),
                "walking": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers = numbers = self._numbers
        at = Signal(self._plan.feedback, reset_less=True)
        goal = Signal(self.window.shape(), reset_less=True)
        walking, known, on, beyond = Signal(), Signal(), Signal(), Signal()
        following, fed, step = Signal.like(at.entry.block_index), self.fed, self.steps.feedback
        m.d.comb += [
            following.eq(self._plan.following(at.entry.block_index)),
            numbers.write_enable.eq(self.begun.valid),
            numbers.write_address.eq(self.begun.block_index),
            numbers.write_data.eq(self.begun.number),
            numbers.read_enable.eq(1),
            numbers.read_address.eq(following),
            # Less than nothing: the block behind begins after the window.
            beyond.eq((goal.number - numbers.read_data)[: self._plan.number_bits][-1]),
            on.eq((at.entry.block_index != goal.block_index) & ~beyond),
            self.steps.valid.eq(walking & known & on),
            step.eq(at),
            step.entry.block_index.eq(following),
            step.entry.number.eq(numbers.read_data),
            self.walking.eq(walking),
        ]
        mine = Signal()
        m.d.comb += mine.eq(fed.takes | equal(at.index, fed.feedback.index, fed.valid))
        m.d.sync += known.eq(1)  # of the block behind the first number
        with m.If(known & ~on):
            m.d.sync += walking.eq(0)
        with m.If(self.steps.valid & self.taken):
            m.d.sync += [at.eq(step), known.eq(0)]
        with m.If(self.window.valid):
            m.d.sync += [walking.eq(1), goal.eq(self.window)]
        with m.If(self.begun.valid):
            m.d.sync += known.eq(0)
        with m.If(fed.valid & mine):
            m.d.sync += [at.eq(fed.feedback), walking.eq(0), known.eq(0)]
        return m
