"""Follows the windows of a cached key through its blocks, of which none is read."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.stream.order import equal


class BlockWalk(wiring.Component):
    """Finds in which block of a key the next window begins, by the first numbers of the blocks.

    Who reads blocks knows how many values they have. Of a window that comes out of the cache none
    is read, and yet its key's ring must not fill up. So the number with which each block begins is
    noted here when the one before it is closed, and with each window the walk goes on to the block
    in which the next one begins; with each block that it leaves it ``steps``, which is to be fed
    back. For instance, with the blocks 0 to 9, 10 to 29, 30 to 39 and a next window from 30 on::

        begins at    0    10   30   40, growing
        steps             yes  yes  -

    **Always: it never leaves a block that a window needs, and never goes back.** What is fed back
    for windows that are read, it takes over: so it stands where the ring knows its key to be. A key
    that begins anew is fed back, too, and ends a walk of the one before.

    A step takes 2 cycles, and one more for each cycle in which it is not taken, or a block begins;
    ``walking`` is over 2 cycles behind the last. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    begun : In(data.StructLayout({"valid": 1, "line": ..., "number": ...}))
        A block begins with that number, at that line of the ring.
    fed : In(data.StructLayout({"valid": 1, "takes": 1, "feedback": plan.feedback}))
        What is fed back of any key; ``takes``, this one has got the place.
    window : In(data.StructLayout({"valid": 1, "line": ..., "number": ...}))
        A window of the key came out of the cache: its last value is in block ``line``, the next
        window begins with that number.
    steps : Out(data.StructLayout({"valid": 1, "feedback": plan.feedback}))
        What the step leads to,
    taken : In(1)
        which is made if this is high; never with ``fed``.
    walking : Out(1)

    Source: ours; seed 000, section 3.4.4, leaves it open.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._numbers = BlockMemory(plan.number_bits, plan.blocks)
        line, number = range(plan.blocks), plan.number_bits
        super().__init__(
            {
                "begun": In(data.StructLayout({"valid": 1, "line": line, "number": number})),
                "fed": In(data.StructLayout({"valid": 1, "takes": 1, "feedback": plan.feedback})),
                "window": In(data.StructLayout({"valid": 1, "line": line, "number": number})),
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
        following, fed, step = Signal.like(at.entry.line), self.fed, self.steps.feedback
        m.d.comb += [
            following.eq(at.entry.line + 1),
            numbers.write_enable.eq(self.begun.valid),
            numbers.write_address.eq(self.begun.line),
            numbers.write_data.eq(self.begun.number),
            numbers.read_enable.eq(1),
            numbers.read_address.eq(following),
            # Less than nothing: the block behind begins after the window.
            beyond.eq((goal.number - numbers.read_data)[: self._plan.number_bits][-1]),
            on.eq((at.entry.line != goal.line) & ~beyond),
            self.steps.valid.eq(walking & known & on),
            step.eq(at),
            step.entry.line.eq(following),
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
