"""Finds the block in which the next window of a cached key begins, without reading blocks."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.memory.block import BlockMemory
from rtl.stream.order import equal


class BlockWalk(wiring.Component):
    """Finds the block in which the next window of a cached key begins, by the numbers of blocks.

    For a window from the cache no block is read, so no count of values tells where the next window
    begins. But the ring frees its blocks only when feedback tells from which block on the next
    window is read. Without feedback the key's ring would fill up. So when a block is closed, the
    number of the next block's first value is saved here. With each window the walk steps from block
    to block, until it reaches the block in which the next window begins, but no further than the
    block with the window's last value. Each step is fed
    back. For instance with the blocks 0 to 9, 10 to 29, 30 to 39 and a next window from 30 on::

        block       0 to 9    10 to 29    30 to 39    40, growing
        fed back              step 1      step 2      -

    Invariant: **the walk never leaves a block that a window needs, and never goes back.** Feedback
    of windows that are read sets the walk's block, too, so the walk and the ring agree. Feedback of
    a key that begins anew ends a walk of the key before.

    While a step is taken, the number for the next step is read. So a step takes a cycle, and one
    cycle more for each cycle in which the step is not ``taken``, or in which the number that it
    reads is being written; ``walking`` falls a cycle after the last step. Initiation interval 1
    cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    begun : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ...}))
        A block with this index begins with this number.
    fed : In(data.StructLayout({"valid": 1, "takes": 1, "feedback": plan.feedback}))
        Feedback of any key; with ``takes`` the feedback is for the key that takes the place of this
        walk in this cycle.
    window : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ...}))
        A window of the key came from the cache: its last value is in block ``block_index``, and the
        next window begins with this number.
    steps : Out(data.StructLayout({"valid": 1, "feedback": plan.feedback}))
        The next step of the walk: the block to which it leads.
    taken : In(1)
        The step is made. Never high together with a valid ``fed``.
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
        current = Signal(self._plan.feedback, reset_less=True)  # the block of the walk
        goal = Signal(self.window.shape(), reset_less=True)  # the latest window
        walking = Signal()
        is_read = Signal()  # the memory's output is the first number of the block after ``current``
        ends_walk, may_step, steps_on, is_written = Signal(), Signal(), Signal(), Signal()
        next_index, fed, step = (
            Signal.like(current.entry.block_index),
            self.fed,
            self.steps.feedback,
        )
        m.d.comb += [
            next_index.eq(self._plan.following(current.entry.block_index)),
            numbers.write_enable.eq(self.begun.valid),
            numbers.write_address.eq(self.begun.block_index),
            numbers.write_data.eq(self.begun.number),
            numbers.read_enable.eq(1),
            steps_on.eq(self.steps.valid & self.taken),
            numbers.read_address.eq(Mux(steps_on, self._plan.following(next_index), next_index)),
            is_written.eq(
                equal(self.begun.block_index, numbers.read_address, self.begun.valid),
            ),
            # A negative difference: the block after ``current`` begins after the next window does.
            ends_walk.eq((goal.number - numbers.read_data)[: self._plan.number_bits][-1]),
            may_step.eq((current.entry.block_index != goal.block_index) & ~ends_walk),
            self.steps.valid.eq(walking & is_read & may_step),
            step.eq(current),
            step.entry.block_index.eq(next_index),
            step.entry.number.eq(numbers.read_data),
            self.walking.eq(walking),
        ]
        sets_block = Signal()
        m.d.comb += sets_block.eq(fed.takes | equal(current.index, fed.feedback.index, fed.valid))
        m.d.sync += is_read.eq(~is_written)
        with m.If(is_read & ~may_step):
            m.d.sync += walking.eq(0)
        with m.If(steps_on):
            m.d.sync += current.eq(step)
        with m.If(self.window.valid):
            m.d.sync += [walking.eq(1), goal.eq(self.window)]
        with m.If(fed.valid & sets_block):
            m.d.sync += [current.eq(fed.feedback), walking.eq(0), is_read.eq(0)]
        return m
