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
    """Returns the layout of a *visit*, a tuple with the state that its key had before the tuple.

    A visit is an item of the input of :class:`Closings`. Members:

    - the store's ``members_to_steps``: among them ``place``, the tuple's sequence number modulo the
      places of a ring; and in a store of blocks ``empties``, no window that stays open after the
      tuple has a value from before the tuple;
    - the members of a step that are equal in all steps of the tuple, and ``window_info``;
    - ``valid``, the tuple is accepted; ``arrived``, a tuple is present;
    - ``closes``, the tuple closes windows: all windows from ``window_info.window`` on that are
      before ``first`` and not after ``newest``. For instance with ``window`` 3, ``first`` 6 and
      ``newest`` 9 the tuple closes the windows 3, 4 and 5;
    - ``single``, the first of these windows is also the last; undefined without ``closes``;
    - ``full``, the store must read the windows before the store writes the item;
    - ``head`` and ``marks`` of the key (:class:`~rtl.keyed.windows.key_times.KeyTimes`).
    """
    times = plan.window.times
    members = step_layout(plan).members
    state = times.state.members
    return data.StructLayout(
        plan.store.members_to_steps(times.places)
        | {name: members[name] for name in (*_COMMON, "valid", "arrived", "window_info")}
        | {"closes": 1, "single": 1, "full": 1, "first": times.number_bits}
        | {name: state[name] for name in ("newest", "head", "marks")}
    )


class Closings(wiring.Component):
    """Makes a step for each window that a tuple closes, in ascending order, and stores the item.

    The windows contain only values from before the tuple. The step of the last window also stores
    the tuple's item. But the item of a ``full`` tuple has a step of its own after the windows,
    because the store may write the item over the first values of these windows. A tuple that closes
    no window has one step, for the item. The last step of a visit has the end of the stream, if the
    visit has it. For instance the steps of a tuple that closes windows 3 to 5::

        not full  window 3    window 4    window 5, item
        full      window 3    window 4    window 5          item

    The values of a window begin at the window's head, which
    :class:`~rtl.keyed.windows.key_marks.KeyMarks` computes; the store locates the values.
    ``window_info.bound`` is the number of the key's values from the head of the step's window to
    before the tuple. If the store's steps have ``left`` (see
    :attr:`~rtl.keyed.windows.time_kind.TimeKind.span`), ``left`` is the number of values from the
    head of the next window to before the tuple. Both are undefined in a step without a window. For
    instance a full tuple at place 40 closes windows 3 and 4; the heads of the windows 3, 4 and 5
    are at the places 20, 32 and 36::

        step     window 3        window 4       item
        bound    40 - 20 = 20    40 - 32 = 8
        left     40 - 32 = 8     40 - 36 = 4

    With ``empties`` no window after the tuple's last closed window has a value from before the
    tuple, so ``left`` of the last closed window is 0.

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
        self._has_left = "left" in plan.position_layout.members
        self._unlocated = self._unlocated_layout()
        super().__init__(
            {
                "i": In(stream.Signature(visit_layout(plan))),
                "o": Out(stream.Signature(step_layout(plan))),
            }
        )

    def _unlocated_layout(self):
        """Returns the layout of a step before the store locates the step's window.

        The places of the tuple, of the window's head and of the next window's head replace the
        members that the store computes from these places.
        """
        plan = self._plan
        place = range(self._plan.window.times.places)
        from_visit = plan.store.members_to_steps(plan.window.times.places)
        located = plan.position_layout.members
        members = step_layout(plan).members
        names = [name for name in members if name not in located or name in from_visit]
        unlocated = {name: members[name] for name in names} | {"place": place, "head": place}
        return data.StructLayout(unlocated | ({"next_head": place} if self._has_left else {}))

    def elaborate(self, platform):
        m = Module()
        m.submodules.unlocated = unlocated = StreamRegister(self._unlocated)
        m.submodules.located = located = StreamRegister(step_layout(self._plan))
        self._offer(m, unlocated.i)
        self._locate(m, unlocated.o, located.i)
        wiring.connect(m, located.o, wiring.flipped(self.o))
        return m

    def _offer(self, m, target):
        """Offers the next step of the tuple at ``i``."""
        times = self._plan.window.times
        visit = self.i.p
        step = target.p
        transfer = target.ready & self.i.valid
        closing, closes, last_window, last_step = self._next_step(m, transfer)
        m.d.comb += [
            target.valid.eq(self.i.valid),
            self.i.ready.eq(target.ready & last_step),
        ]
        self._find_heads(m, step, closing, last_window)
        names = (*self._plan.store.members_to_steps(times.places), *_COMMON, "window_info")
        m.d.comb += [
            *wire({name: step[name] for name in names if name in self._unlocated.members}, visit),
            step.window_info.window.eq(closing),
            step.window_info.end.eq(visit.window_info.end & last_step),
            step.closes.eq(closes),
            step.valid.eq(visit.valid & last_step),
            step.arrived.eq(visit.arrived & last_step),
        ]

    def _next_step(self, m, transfer):
        """Returns the window of the next step, and three flags: the step closes the window, the
        window is the tuple's last window, the step is the tuple's last step.

        The states are FIRST, a step for the tuple's first window, or for the item of a tuple
        without windows; WINDOWS, a step for a further window; ITEM, a step for the item of a full
        tuple, after the windows.
        """
        times = self._plan.window.times
        visit = self.i.p
        closing = Signal(times.number_bits)
        following = Signal(times.number_bits)
        next_window = Signal(times.number_bits, reset_less=True)
        next_is_last = Signal(reset_less=True)  # the next window is the tuple's last window
        closes = Signal()
        last_window = Signal()
        last_step = Signal()
        m.d.comb += [
            closing.eq(next_window),
            last_window.eq(next_is_last),
            following.eq(closing + 1),
            last_step.eq(~closes | (last_window & ~visit.full)),
        ]
        with m.If(transfer):
            m.d.sync += [
                next_window.eq(following),
                next_is_last.eq(times.final(following, visit.first, visit.newest)),
            ]
        with m.FSM():
            with m.State("FIRST"):
                m.d.comb += [
                    closing.eq(visit.window_info.window),
                    closes.eq(visit.closes),
                    last_window.eq(visit.single),
                ]
                with m.If(transfer & ~last_step):
                    m.next = "WINDOWS"
                    with m.If(last_window):
                        m.next = "ITEM"
            with m.State("WINDOWS"):
                m.d.comb += closes.eq(1)
                with m.If(transfer & last_window):
                    m.next = "FIRST"
                    with m.If(visit.full):
                        m.next = "ITEM"
            with m.State("ITEM"), m.If(transfer):
                m.next = "FIRST"
        return closing, closes, last_window, last_step

    def _head(self, m, window, name):
        """Returns the head of a window, a place before which no tuple of the window lies.

        ``name`` is the name of a signal, whose bits show which marks the window has reached.
        """
        marks = KeyMarks(self._plan.window.times, self.i.p)
        return marks.head(marks.reached(m, window[: self._plan.window.times.stamp_bits], name))

    def _find_heads(self, m, step, closing, last_window):
        """Assigns the heads of the closing window and of the next window.

        After the tuple's last closed window, if no open window has a value from before the tuple
        (``empties``), the next head is the tuple's place.
        """
        m.d.comb += step.head.eq(self._head(m, closing, "reached"))
        if self._has_left:
            empty = last_window & self.i.p.empties
            place = self.i.p.place
            next_head = self._head(m, closing + 1, "reached_next")
            m.d.comb += step.next_head.eq(Mux(empty, place, next_head))

    def _locate(self, m, source, target):
        """Computes the position of a step's value and window from the places of tuple and heads."""
        unlocated = source.p
        step = target.p
        unchanged = [
            name for name in self._unlocated.members if name not in ("place", "head", "next_head")
        ]
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *wire({name: step[name] for name in unchanged}, unlocated),
            *self._plan.store.locate_after(step, unlocated.place, unlocated.head),
        ]
        if self._has_left:
            m.d.comb += step.left.eq(unlocated.place - unlocated.next_head)
