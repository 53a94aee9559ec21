"""Aggregates windows of time: each open window has a module, which compares tuples with it."""

from amaranth.hdl import Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Product
from rtl.stream.beat import wire
from rtl.stream.choice import any_of
from rtl.window.punctuation import timed_item
from rtl.window.window_control import WindowControl, ring_command


def closed_window(state, width):
    """Returns the layout of a closed window.

    Members: ``state``, all 0 if the window had no tuple; ``nonempty``, the window had a tuple;
    ``end`` of the window, in the time of the tuples; ``valid``, the item has a window; ``last``,
    the item ends its stream. An item without ``valid`` has ``last`` and only ends the stream.
    """
    return data.StructLayout(
        {"state": state, "nonempty": 1, "end": signed(width + 2), "valid": 1, "last": 1}
    )


class WindowRing(wiring.Component):
    """Executes commands on a ring of window modules; each module stores a begin and an aggregate.

    ::

              +--> module: covers? --> aggregate --+
        i ----+--> module: covers? --> aggregate --+--> aggregate of the oldest window --> o
              +--> module: covers? --> aggregate --+

    All modules compare the tuple of a command with their windows in the same cycle. A window covers
    the tuple if the window begins at or before the time of the tuple, and after time - range. For
    instance with range 8 the windows that cover a tuple at time 13 begin from 6 to 13. The command
    has the difference as ``floor`` (:func:`~rtl.window.window_control.ring_command`).

    A command may replace the oldest window and add a tuple to the new window at once. Only one
    window is replaced in a cycle, so all modules share the hardware for the first state of a new
    window. The aggregate of an empty window is 0, so an operator that only adds needs no mask.

    Rows leave in the order of their windows. The ring never stalls.

    Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    operator, tuples, modules, width
        See :class:`WindowModules`.

    Members
    -------
    i : In(stream.Signature(ring_command(operator.state(tuples), width), always_ready=True))
    o : Out(stream.Signature(closed_window(operator.state(tuples), width), always_ready=True))

    Source: seed 002, section V.B, stages 3 and 4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, *, operator, tuples, modules, width):
        self._operator = operator
        self._modules = modules
        self._width = width
        self._state = operator.state(tuples)
        super().__init__(
            {
                "i": In(stream.Signature(ring_command(self._state, width), always_ready=True)),
                "o": Out(stream.Signature(closed_window(self._state, width), always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        command = self.i.p
        close = Signal()
        add = Signal()
        # State of a window that replaces the oldest window, with the tuple of the command.
        new_window = Signal(data.StructLayout({"state": self._state, "nonempty": 1}))
        oldest = Signal(self._modules, init=1)
        m.d.comb += [
            close.eq(self.i.valid & command.close),
            add.eq(self.i.valid & command.add),
            new_window.nonempty.eq(add & self._covers(command.begin)),
            new_window.state.eq(Mux(new_window.nonempty, command.state, 0)),
        ]
        with m.If(close):
            m.d.sync += oldest.eq(oldest.rotate_left(1))
        modules = [
            self._module(m, k, close & oldest[k], add, new_window) for k in range(self._modules)
        ]
        # The output is the OR of all aggregates; a mask sets all but the oldest window's to 0.
        union_mask = Signal(self._modules)
        m.d.comb += union_mask.eq(oldest & Cat(nonempty for nonempty, _ in modules))
        masked = [
            aggregate.as_value() & selected.replicate(self._state.size)
            for selected, (_, aggregate) in zip(union_mask, modules, strict=True)
        ]
        row = self.o.p
        m.d.comb += [
            self.o.valid.eq(self.i.valid & (command.row | command.last)),
            row.state.as_value().eq(any_of(masked)),
            row.nonempty.eq(union_mask.any()),
            row.end.eq(command.end),
            row.valid.eq(command.row),
            row.last.eq(command.last),
        ]
        return m

    def _covers(self, begin):
        """Returns a bit: a window that begins at ``begin`` covers the tuple of the command."""
        command = self.i.p
        return (begin <= command.time) & (command.low | (begin[: self._width] > command.floor))

    def _module(self, m, k, replaced, add, new_window):
        """Builds module ``k``; returns a flag for a nonempty window, and the window's aggregate.

        ``replaced``: a new window replaces the module's window, with the state ``new_window``.
        """
        command = self.i.p
        begin = Signal(self._width + 1, name=f"begin{k}", reset_less=True)
        nonempty = Signal(name=f"nonempty{k}")
        aggregate = Signal(self._state, name=f"aggregate{k}", reset_less=True)
        with m.If(replaced):
            m.d.sync += [
                begin.eq(command.begin),
                nonempty.eq(new_window.nonempty),
                aggregate.eq(new_window.state),
            ]
        with m.Elif(add & self._covers(begin)):
            joined = _joined(self._operator, aggregate, command.state, ~nonempty)
            m.d.sync += [nonempty.eq(1), *wire(aggregate, joined)]
        return nonempty, aggregate


def _joined(operator, left, right, restart):
    """Returns left combined with right; if ``restart`` is high, left is all 0 and ignored."""
    if isinstance(operator, Product):
        return {
            name: _joined(part, left[name], right[name], restart)
            for name, part in operator.parts.items()
        }
    if operator.empty_is_zero:  # a mask is unnecessary
        return operator.combine(left, right, 0)
    return operator.restart(left, right, restart, 0)


class WindowModules(wiring.Component):
    """Aggregates windows of time, with one module for each window that may be open.

    ::

        i --> WindowControl --> WindowRing --> queue --> o
          ^-- ready while the queue has room ------+

    The component sends one row for each window that a punctuation closes, also for an empty window,
    in the order of the windows. ``modules`` must be at least ceil(range / slide) +
    ceil(slack / slide); otherwise the component swallows the stream (accepts all items, and sends
    nothing), and raises ``bad_setting``. The settings of the next stream are checked anew. Tuples
    may arrive in any order that the punctuations allow; the tuples of a window are combined in the
    order of their arrival.

    ``i`` stalls

    - for an item that closes several windows, one cycle for each window after the first;
    - at the end of a stream, which also prepares the ring for the next stream, for ``modules``
      cycles, or one cycle for each closed window if these are more;
    - before the first stream, and before a stream with other settings, for another ``modules + 2``
      cycles;
    - while ``o`` stalls and the queue is half full.

    Otherwise an item enters in every cycle.

    Latency 2 cycles, from an item to the row of the first window that the item closes.
    Initiation interval 1 cycle. Resources: a begin, an aggregate, two comparisons with the begin
    and a combine of the operator for each module; a queue of 8 rows in LUT RAM.

    Parameters
    ----------
    operator : Operator
        An operator without a context.
    tuples : int
        Largest number of tuples in a window.
    modules : int
        N, the number of modules.
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.

    Members
    -------
    i : In(stream.Signature(timed_item(row, width)))
    o : Out(stream.Signature(closed_window(operator.state(tuples), width)))
    overrun : Out(1)
        High for one cycle for each tuple that was too early for the ring, or was swallowed.
    bad_setting : Out(1)
        High for one cycle at the start of a swallowed stream.
    swallows : Out(1)
        The item at ``i`` is of a swallowed stream, and not the last item.
    swallowed_end : Out(1)
        The last item of a swallowed stream transfers in this cycle.

    Source: seed 002, section V; docs/query-language.md, Windows.
    """

    initiation_interval = 1
    DEPTH = 8  # of the queue of rows

    def __init__(self, *, operator, tuples, modules, row, width):
        if operator.context:
            raise ValueError(f"operator must have no context, not one of {operator.context} bits")
        for name, value in (("tuples", tuples), ("modules", modules), ("width", width)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, not {value!r}")
        sizes = {"operator": operator, "tuples": tuples, "modules": modules, "width": width}
        self._control = WindowControl(row=row, **sizes)
        self._ring = WindowRing(**sizes)
        super().__init__(
            {
                "i": In(stream.Signature(timed_item(row, width))),
                "o": Out(stream.Signature(closed_window(operator.state(tuples), width))),
                "overrun": Out(1),
                "bad_setting": Out(1),
                "swallows": Out(1),
                "swallowed_end": Out(1),
            }
        )

    @property
    def latency(self):
        return self._control.latency + self._ring.latency + 1

    def elaborate(self, platform):
        m = Module()
        m.submodules.control = control = self._control
        m.submodules.ring = ring = self._ring
        m.submodules.queue = queue = SyncFIFO(width=len(ring.o.p.as_value()), depth=self.DEPTH)
        wiring.connect(m, control.o, ring.i)
        room = Signal()
        m.d.comb += [
            # Two rows may be on the way to the queue when ``room`` falls.
            room.eq(queue.level < self.DEPTH // 2),
            control.i.p.eq(self.i.p),
            control.i.valid.eq(self.i.valid & room),
            self.i.ready.eq(control.i.ready & room),
            queue.w_data.eq(ring.o.p),
            queue.w_en.eq(ring.o.valid),
            self.o.p.eq(queue.r_data),
            self.o.valid.eq(queue.r_rdy),
            queue.r_en.eq(self.o.ready),
            self.overrun.eq(control.overrun),
            self.bad_setting.eq(control.bad_setting),
            self.swallows.eq(control.swallows),
            self.swallowed_end.eq(control.swallowed_end),
        ]
        return m
