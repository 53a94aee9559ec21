"""Makes the steps of a tuple that closes windows of time: one for each window."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import step_layout
from rtl.keyed.windows.key_marks import KeyMarks
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister

#: Members that are equal in all steps of a tuple.
_COMMON = ("item", "evicted", "evicted_key")


def visit_layout(plan):
    """Returns the layout of the input of :class:`Closings`: a tuple with the state of its key.

    Members: the store's ``visited``, with ``place``, the tuple's sequence number modulo the places
    of a ring; the members of a step that are equal in all steps of the tuple, with ``window_info``;
    ``valid``, the tuple is accepted; ``arrived``, a tuple is present; ``closes``, the tuple closes
    windows: all from ``window_info.window`` on that are before ``first`` and not after ``newest``,
    for instance 3, 4 and 5 with ``first`` 6 and ``newest`` 9; ``single``, the tuple closes one
    window; ``full``, the windows must be read before the item is stored; ``head`` and ``marks`` of
    the key.
    """
    times, members = plan.window.times, step_layout(plan).members
    state = times.state.members
    return data.StructLayout(
        plan.store.members_to_steps(times.places)
        | {name: members[name] for name in (*_COMMON, "valid", "arrived", "window_info")}
        | {"closes": 1, "single": 1, "full": 1, "first": times.number_bits}
        | {name: state[name] for name in ("newest", "head", "marks")}
    )


class Closings(wiring.Component):
    """Makes a step for each window that a tuple closes, numbers ascending, and stores the item.

    Each window has only values before the tuple. The tuple's item is stored by the step of the last
    window. But the item of a ``full`` tuple has a step of its own after the windows, because the
    store writes the item over the first values of these windows. The last step of a stream's last
    tuple has the end of the stream. For instance the steps of a tuple that closes windows 3 to 5::

        not full  window 3    window 4    window 5, item
        full      window 3    window 4    window 5          item

    The values of a window begin at the head, which
    :class:`~rtl.keyed.windows.key_marks.KeyMarks` computes; the store locates the values. If the
    store takes ``left`` (see :attr:`~rtl.keyed.windows.time_kind.TimeKind.span`), a step also has
    the number of values of the key from the next window's head on. ``bound`` is the number of
    values from the window's own head on. For instance a full tuple at place 40 closes windows 3 and
    4, with heads at the places 20 and 32; the head of window 5 is at place 36, so 40 - 20 = 20
    values lie between the head of window 3 and the tuple, and 40 - 32 = 8 are left for window 4::

        step     window 3    window 4    item
        bound    20          8
        left     8           4

    If no open window has a value before the tuple, ``left`` of the tuple's last window is 0.

    Order is kept. Latency 2 cycles. Initiation interval 1 cycle for each step of a tuple. A stall
    at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : KeyedPlan
        Its window kind is TimeKind.

    Members
    -------
    i : In(stream.Signature(visit_layout(plan)))
    o : Out(stream.Signature(step_layout(plan)))

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._counts_left = "left" in plan.position_layout.members
        self._counted = self._counted_layout()
        super().__init__(
            {
                "i": In(stream.Signature(visit_layout(plan))),
                "o": Out(stream.Signature(step_layout(plan))),
            }
        )

    def _counted_layout(self):
        """Returns the layout of a step before the store locates the step's window."""
        plan, place = self._plan, range(self._plan.window.times.places)
        visited, located = (
            plan.store.members_to_steps(plan.window.times.places),
            plan.position_layout.members,
        )
        members = step_layout(plan).members
        names = [name for name in members if name not in located or name in visited]
        counted = {name: members[name] for name in names} | {"place": place, "head": place}
        return data.StructLayout(counted | ({"next_head": place} if self._counts_left else {}))

    def elaborate(self, platform):
        m = Module()
        m.submodules.counted = counted = StreamRegister(self._counted)
        m.submodules.placed = placed = StreamRegister(step_layout(self._plan))
        self._offer(m, counted.i)
        self._place(m, counted.o, placed.i)
        wiring.connect(m, placed.o, wiring.flipped(self.o))
        return m

    def _offer(self, m, target):
        """Offers the next step of the tuple at ``i``."""
        times, visit, step = self._plan.window.times, self.i.p, target.p
        transfer = target.ready & self.i.valid
        closing, closes, final, last_step = self._next_step(m, transfer)
        m.d.comb += [
            target.valid.eq(self.i.valid),
            self.i.ready.eq(target.ready & last_step),
        ]
        self._begin(m, step, closing, final)
        names = (*self._plan.store.members_to_steps(times.places), *_COMMON, "window_info")
        m.d.comb += [
            *wire({name: step[name] for name in names if name in self._counted.members}, visit),
            step.window_info.window.eq(closing),
            step.window_info.end.eq(visit.window_info.end & last_step),
            step.closes.eq(closes),
            step.valid.eq(visit.valid & last_step),
            step.arrived.eq(visit.arrived & last_step),
        ]

    def _next_step(self, m, transfer):
        """Returns the window of the next step, and three flags: the step closes the window, the
        window is the tuple's last, the step is the tuple's last.

        The states are FIRST, the tuple's first window or an item alone; WINDOWS, a further window;
        ITEM, the item of a full tuple, after the windows.
        """
        times, visit = self._plan.window.times, self.i.p
        closing, following = Signal(times.number_bits), Signal(times.number_bits)
        next_window = Signal(times.number_bits, reset_less=True)
        next_final = Signal(reset_less=True)  # the next window is the tuple's last
        closes, final, last_step = Signal(), Signal(), Signal()
        m.d.comb += [
            closing.eq(next_window),
            final.eq(next_final),
            following.eq(closing + 1),
            last_step.eq(~closes | (final & ~visit.full)),
        ]
        with m.If(transfer):
            m.d.sync += [
                next_window.eq(following),
                next_final.eq(times.final(following, visit.first, visit.newest)),
            ]
        with m.FSM():
            with m.State("FIRST"):
                m.d.comb += [
                    closing.eq(visit.window_info.window),
                    closes.eq(visit.closes),
                    final.eq(visit.single),
                ]
                with m.If(transfer & ~last_step):
                    m.next = "WINDOWS"
                    with m.If(final):
                        m.next = "ITEM"
            with m.State("WINDOWS"):
                m.d.comb += closes.eq(1)
                with m.If(transfer & final):
                    m.next = "FIRST"
                    with m.If(visit.full):
                        m.next = "ITEM"
            with m.State("ITEM"), m.If(transfer):
                m.next = "FIRST"
        return closing, closes, final, last_step

    def _head(self, m, window, name):
        """Returns the head of a window: no tuple of the window lies before this place."""
        marks = KeyMarks(self._plan.window.times, self.i.p)
        return marks.head(marks.reached(m, window[: self._plan.window.times.stamp_bits], name))

    def _begin(self, m, step, closing, final):
        """Finds the heads of the closing window and of the window after it."""
        m.d.comb += step.head.eq(self._head(m, closing, "passed"))
        if self._counts_left:
            empty, place = final & self.i.p.empties, self.i.p.place
            next_head = self._head(m, closing + 1, "following")
            m.d.comb += step.next_head.eq(Mux(empty, place, next_head))

    def _place(self, m, source, target):
        """Locates the value and the window of a step."""
        counted, step = source.p, target.p
        unchanged = [
            name for name in self._counted.members if name not in ("place", "head", "next_head")
        ]
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *wire({name: step[name] for name in unchanged}, counted),
            *self._plan.store.locate_after(step, counted.place, counted.head),
        ]
        if self._counts_left:
            m.d.comb += step.left.eq(counted.place - counted.next_head)
