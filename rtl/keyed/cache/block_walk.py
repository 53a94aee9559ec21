"""Finds the block in which the next window of a cached key begins, without reading blocks."""

from amaranth.hdl import Cat, Module, Mux, Signal
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
    block with the window's last value. Each step is fed back. For instance with blocks of the
    values 0 to 9, 10 to 29 and 30 to 39, and a next window from value 30 on::

        block       0 to 9    10 to 29    30 to 39    40, growing
        fed back              step 1      step 2      -

    Invariant: **the walk never leaves a block that a window needs, and never goes back.** Feedback
    of windows that are read sets the walk's block, too, so the walk and the ring agree. Feedback of
    a key that begins anew ends a walk of the key before.

    *Chains of blocks* (``plan.format.chained``). A dependent block cannot be fed back, because the
    state before it is unknown: no decoder has read the block. So only *heads* are fed back, blocks
    with a seed and raw blocks, and windows that are read begin up to a chain too early. For
    instance with chains of 4 blocks, where d stands for a dependent block, and a next window in
    block 6::

        block       0, seed    1, d    2, d    3, d    4, seed    5, d    6, d
        fed back               -       -       -       step 4     -       -

    The feedback of a window that is read comes only when the window is decoded. Until the feedback
    of the windows before a cached window has come, ``settled`` is low, and the walk waits.

    While a step is taken, the number for the next step is read. So a step takes a cycle, and one
    cycle more for each cycle in which the step is not ``taken``, or in which the number that it
    reads is being written; ``walking`` falls a cycle after the last step. Latency 1 cycle from
    ``window`` to the first step, if the step's number has been read. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    begun : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ..., "head": ...}))
        A block with this index begins with this number; with chains ``head`` says if it is a head.
    fed : In(data.StructLayout({"valid": 1, "begins": 1, "feedback": plan.feedback}))
        Feedback of any key; with ``begins`` the key begins anew.
    claim : In(data.StructLayout({"valid": 1, "index": range(plan.entries)}))
        The key of this entry takes the place of this walk. Without chains its feedback comes in
        the same cycle, and with chains later.
    window : In(data.StructLayout({"valid": 1, "block_index": ..., "number": ...}))
        A window of the key came from the cache: its last value is in block ``block_index``, and the
        next window begins with this number.
    settled : In(1)
        The feedback of all windows of the key that were read has come. High without chains.
    steps : Out(data.StructLayout({"valid": 1, "feeds": 1, "feedback": plan.feedback}))
        The next step of the walk: the block to which it leads, and if the block is fed back.
    taken : In(1)
        The step is made. Never high together with a valid ``fed``.
    walking : Out(1)

    Source: ours; seed 000, section 3.4.4, leaves it open.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._numbers = BlockMemory(self.word_layout(plan).size, 1 << ceil_log2(plan.blocks))
        place = {"valid": 1, "block_index": range(plan.blocks)}
        fed = {"valid": 1, "begins": 1, "feedback": plan.feedback}
        super().__init__(
            {
                "begun": In(data.StructLayout({**place, **self.word_layout(plan).members})),
                "fed": In(data.StructLayout(fed)),
                "claim": In(data.StructLayout({"valid": 1, "index": range(plan.entries)})),
                "window": In(data.StructLayout({**place, "number": plan.number_bits})),
                "settled": In(1),
                "steps": Out(
                    data.StructLayout({"valid": 1, "feeds": 1, "feedback": plan.feedback})
                ),
                "taken": In(1),
                "walking": Out(1),
            }
        )

    @staticmethod
    def word_layout(plan):
        """Returns the layout of the saved word of a block: its first number, and if it is a head.

        Without chains every block is a head, and ``head`` has 0 bits.
        """
        return data.StructLayout(
            {"number": plan.number_bits, "head": 1 if plan.format.chained else 0}
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers = numbers = self._numbers
        chained = self._plan.format.chained
        following = data.View(self.word_layout(self._plan), numbers.read_data)
        current = Signal(self._plan.feedback, reset_less=True)  # the block of the walk
        goal = Signal(self.window.shape(), reset_less=True)  # the latest window
        walking = Signal()
        is_read = Signal()  # the memory's output is the first number of the block after ``current``
        ends_walk = Signal()
        may_step = Signal()
        steps_on = Signal()
        is_written = Signal()
        next_index = Signal.like(current.entry.block_index)
        fed = self.fed
        step = self.steps.feedback
        m.d.comb += [
            next_index.eq(self._plan.following(current.entry.block_index)),
            numbers.write_enable.eq(self.begun.valid),
            numbers.write_address.eq(self.begun.block_index),
            numbers.write_data.eq(Cat(self.begun.number, self.begun.head)),
            numbers.read_enable.eq(1),
            steps_on.eq(self.steps.valid & self.taken),
            numbers.read_address.eq(Mux(steps_on, self._plan.following(next_index), next_index)),
            is_written.eq(
                equal(self.begun.block_index, numbers.read_address, self.begun.valid),
            ),
            # A negative difference: the block after ``current`` begins after the next window does.
            ends_walk.eq((goal.number - following.number)[: self._plan.number_bits][-1]),
            may_step.eq((current.entry.block_index != goal.block_index) & ~ends_walk),
            self.steps.valid.eq(walking & self.settled & is_read & may_step),
            self.steps.feeds.eq(following.head if chained else 1),
            step.eq(current),
            step.entry.block_index.eq(next_index),
            step.entry.number.eq(following.number),
            self.walking.eq(walking),
        ]
        claim = self.claim
        sets_block = Signal()
        claims_with_feedback = 0 if chained else claim.valid
        m.d.comb += sets_block.eq(
            claims_with_feedback | equal(current.index, fed.feedback.index, fed.valid)
        )
        m.d.sync += is_read.eq(~is_written)
        with m.If(is_read & self.settled & ~may_step):
            m.d.sync += walking.eq(0)
        with m.If(steps_on):
            m.d.sync += current.eq(step)
        with m.If(self.window.valid):
            m.d.sync += [walking.eq(1), goal.eq(self.window)]
        with m.If(fed.valid & sets_block):
            m.d.sync += [current.eq(fed.feedback), is_read.eq(0)]
            # With chains the feedback may be that of a window before the walk's window.
            with m.If(fed.begins if chained else 1):
                m.d.sync += walking.eq(0)
        if chained:
            with m.If(claim.valid):
                m.d.sync += current.index.eq(claim.index)
        return m
