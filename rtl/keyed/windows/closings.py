"""The steps of a tuple that closes windows of time: one for each, and where its lines are."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.windows.key_marks import KeyMarks
from rtl.keyed.windows.row_steps import step_layout
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister

#: Members of a step that are the tuple's, whatever window it is, beside where it lies.
_SAME = ("item", "evicted", "evicted_key")


def visit_layout(plan, where):
    """Layout of a tuple with all that its key's state says of the windows that it closes.

    Members: ``where`` the tuple lies; those of a step that are the same for all, with ``told``;
    ``valid``, the tuple is let in; ``arrived``, there is one; ``closes``, it closes windows, from
    ``told.window`` to the one before ``first``, or to ``newest`` (a stamp) if that is less;
    ``single``, it is one window; ``full``, the tuple would begin the line of the oldest; ``head``
    and ``marks`` of the key.
    """
    times, members = plan.times, step_layout(plan).members
    state = times.state.members
    return data.StructLayout(
        where
        | {name: members[name] for name in (*_SAME, "valid", "arrived", "told")}
        | {"closes": 1, "single": 1, "full": 1, "first": times.numbers}
        | {name: state[name] for name in ("newest", "head", "marks")}
    )


class Closings(wiring.Component):
    """Gives a step for each window that a tuple closes, numbers ascending, and one for the item.

    The item goes with the last window, which has only what is before its place. But where the ring
    is ``full``, with the window's first items in the line that the item begins, it goes in a step
    behind: so a memory may write that line at once, and none has to know of this. The end of a
    stream goes with the last step of its last tuple. A tuple that closes windows 3 to 5::

        step      window 3    window 4    window 5, item
        full      window 3    window 4    window 5          item

    A window's lines begin at the head that :class:`~rtl.keyed.windows.key_marks.KeyMarks` has for
    it.

    Order is kept. Latency 2 cycles. Initiation interval 1 cycle, and as many as there are steps for
    what has several. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : KeyTimePlan

    Members
    -------
    i : In(stream.Signature(visit_layout(plan, ...)))
    o : Out(stream.Signature(step_layout(plan)))

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._counted = self._counted_layout()
        super().__init__(
            {
                "i": In(stream.Signature(visit_layout(plan, self._where(plan)))),
                "o": Out(stream.Signature(step_layout(plan))),
            }
        )

    @staticmethod
    def _where(plan):
        """Members of where a tuple lies."""
        return {name: plan.placed.members[name] for name in ("line", "place")}

    def _counted_layout(self):
        """Layout of a step whose window's lines are counted in the next register."""
        members = step_layout(self._plan).members
        counted = {name: members[name] for name in members if name not in ("lines", "first")}
        return data.StructLayout(counted | {"head": range(self._plan.times.places)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.counted = counted = StreamRegister(self._counted)
        m.submodules.placed = placed = StreamRegister(step_layout(self._plan))
        self._give(m, counted.i)
        self._place(m, counted.o, placed.i)
        wiring.connect(m, placed.o, wiring.flipped(self.o))
        return m

    def _give(self, m, target):
        """The step that is due, of the tuple at ``i``."""
        times, visit, step = self._plan.times, self.i.p, target.p
        given = Signal()  # a window of this tuple, and ...
        alone = Signal()  # ... all of them: the item is left
        ends = Signal(reset_less=True)  # the next window is the last, when one was given
        window = Signal(times.numbers, reset_less=True)  # and it is this
        closing, behind = Signal(times.numbers), Signal(times.numbers)
        closes, final, goes = Signal(), Signal(), Signal()
        m.d.comb += [
            closing.eq(Mux(given, window, visit.told.window)),
            behind.eq(closing + 1),
            closes.eq(visit.closes & ~alone),
            final.eq(Mux(given, ends, visit.single)),
            goes.eq(~closes | (final & ~visit.full)),
            target.valid.eq(self.i.valid),
            self.i.ready.eq(target.ready & goes),
        ]
        with m.If(target.ready & self.i.valid):
            m.d.sync += [given.eq(~goes), alone.eq(~goes & final)]
            m.d.sync += [window.eq(behind), ends.eq(times.final(behind, visit.first, visit.newest))]
        self._begin(m, step, closing, final)
        names = (*self._where(self._plan), *_SAME, "told")
        m.d.comb += [
            *wire({name: step[name] for name in names if name in self._counted.members}, visit),
            step.told.window.eq(closing),
            step.told.end.eq(visit.told.end & goes),
            step.closes.eq(closes),
            step.valid.eq(visit.valid & goes),
            step.arrived.eq(visit.arrived & goes),
        ]

    def _head(self, m, window, name):
        """From which place on a window has tuples."""
        marks = KeyMarks(self._plan.times, self.i.p)
        return marks.head(marks.reached(m, window[: self._plan.times.stamp_bits], name))

    def _begin(self, m, step, closing, final):
        """Where the window begins that closes."""
        m.d.comb += step.head.eq(self._head(m, closing, "passed"))

    def _place(self, m, source, target):
        """Of a window the lines before that of the place, and how many tuples it may have.

        That is the places from the head on. Where the place begins the line of the head they are
        all of the ring's, as there is something between the two.
        """
        found, step = source.p, target.p
        within = self._plan.line.items.bit_length() - 1
        lines = (found.line - found.head[within:])[: len(found.line)]
        same = [name for name in step.shape().members if name in self._counted.members]
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *wire({name: step[name] for name in same}, found),
            step.lines.eq(Cat(lines, (lines == 0) & (found.place == 0))),
            step.first.eq(found.head[:within]),
            step.told.bound.eq(Cat(found.place, step.lines) - step.first),
        ]
        if self._plan.ordered:
            m.d.comb += step.told.line.eq(found.head[within:])
