"""Windows over time, all that are open at once: each tuple goes to every one that covers it."""

from amaranth.hdl import Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Product
from rtl.stream.beat import wire
from rtl.window.punctuation import timed
from rtl.window.window_control import WindowControl, order


def closed(state, width):
    """Layout of what a closed window gives.

    Members: ``state``, all 0 when there was no tuple in the window; ``some``, there was one;
    ``end`` of the window, in the time of the tuples; ``valid``, there is such a window; ``last``,
    it is the last one of its stream. An item without ``valid`` has ``last`` and only ends the
    stream.
    """
    return data.StructLayout(
        {"state": state, "some": 1, "end": signed(width + 2), "valid": 1, "last": 1}
    )


class WindowRing(wiring.Component):
    """A ring of window modules: one register for a window's begin, one for its aggregate.

    ::

              +--> module: covers? --> aggregate --+
        i ----+--> module: covers? --> aggregate --+--> union, of the oldest one --> o
              +--> module: covers? --> aggregate --+

    All modules look at the tuple at once. Of the windows that begin at or before its time, those
    cover it that also begin after time - range, which is subtracted once for all of them. A module
    that is made anew may get the tuple in the same cycle; what its new window begins with is also
    found once for all. An aggregate without a tuple is 0, so those that only add need no mask.

    Rows leave in the order of their windows. It never stalls.

    Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    operator, tuples, modules, width
        As for :class:`WindowModules`.

    Members
    -------
    i : In(stream.Signature(order(operator.state(tuples), width), always_ready=True))
    o : Out(stream.Signature(closed(operator.state(tuples), width), always_ready=True))

    Source: seed 002, section V.B, stages 3 and 4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, *, operator, tuples, modules, width):
        self._operator, self._modules, self._width = operator, modules, width
        self._state = operator.state(tuples)
        super().__init__(
            {
                "i": In(stream.Signature(order(self._state, width), always_ready=True)),
                "o": Out(stream.Signature(closed(self._state, width), always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        told = self.i.p
        close = Signal()
        add = Signal()
        first = Signal(data.StructLayout({"state": self._state, "some": 1}))  # of a new window
        oldest = Signal(self._modules, init=1)
        m.d.comb += [
            close.eq(self.i.valid & told.close),
            add.eq(self.i.valid & told.add),
            first.some.eq(add & self._covers(told.begin)),
            first.state.eq(Mux(first.some, told.state, 0)),
        ]
        with m.If(close):
            m.d.sync += oldest.eq(oldest.rotate_left(1))
        modules = [self._module(m, k, close & oldest[k], add, first) for k in range(self._modules)]
        # The union: all but the oldest are masked.
        mine = Signal(self._modules)
        m.d.comb += mine.eq(oldest & Cat(full for full, _ in modules))
        state = 0
        for turn, (_, aggregate) in zip(mine, modules, strict=True):
            state |= aggregate.as_value() & turn.replicate(self._state.size)
        row = self.o.p
        m.d.comb += [
            self.o.valid.eq(self.i.valid & (told.row | told.last)),
            row.state.as_value().eq(state),
            row.some.eq(mine.any()),
            row.end.eq(told.end),
            row.valid.eq(told.row),
            row.last.eq(told.last),
        ]
        return m

    def _covers(self, begin):
        """A window of this begin covers the tuple."""
        told = self.i.p
        return (begin <= told.time) & (told.low | (begin[: self._width] > told.floor))

    def _module(self, m, k, made, add, first):
        """One window: gives whether there are tuples in it, and its aggregate."""
        told = self.i.p
        begin = Signal(self._width + 1, name=f"begin{k}", reset_less=True)
        some = Signal(name=f"some{k}")
        aggregate = Signal(self._state, name=f"aggregate{k}", reset_less=True)
        with m.If(made):
            m.d.sync += [begin.eq(told.begin), some.eq(first.some), aggregate.eq(first.state)]
        with m.Elif(add & self._covers(begin)):
            joined = _joined(self._operator, aggregate, told.state, ~some)
            m.d.sync += [some.eq(1), *wire(aggregate, joined)]
        return some, aggregate


def _joined(operator, left, right, restart):
    """Left followed by right; where ``restart`` is high left is all 0, and nothing."""
    if isinstance(operator, Product):
        return {
            name: _joined(part, left[name], right[name], restart)
            for name, part in operator.parts.items()
        }
    if operator.empty_is_zero:  # then a mask would be waste
        return operator.combine(left, right, 0)
    return operator.restart(left, right, restart, 0)


class WindowModules(wiring.Component):
    """Aggregates over windows of time, by as many modules as windows may be open at once.

    ::

        i --> WindowControl --> WindowRing --> queue --> o
          ^-- ready, while there is room ----------+

    Gives one row for each window that a punctuation closes, in the order of the windows, an empty
    one too. ``modules`` must be at least ceil(range / slide) + ceil(slack / slide), else a stream
    is swallowed; it is noted, and the next one is answered. Of the order of tuples nothing is
    taken for granted but what the punctuations say; in a window they are combined as they come.

    An item that closes more than one window holds ``i`` a cycle for each but one; the end of a
    stream, which also makes the ring ready for the next one, ``modules`` cycles if it closes no
    more windows than that; other settings, and the first stream, another ``modules + 2``. In all
    other cases, and while ``o`` does not stall, an item is taken in every cycle.

    Latency 2 cycles, from an item to the row of the first window that it closes.
    Initiation interval 1 cycle. Resources: per module a begin, an aggregate, two comparisons with
    the begin, and what the operator takes to combine; a queue of 8 rows in LUT RAM.

    Parameters
    ----------
    operator : Operator
        Without a context.
    tuples : int
        Most tuples of a window.
    modules : int
        N.
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.

    Members
    -------
    i : In(stream.Signature(timed(row, width)))
    o : Out(stream.Signature(closed(operator.state(tuples), width)))
    overrun : Out(1)
        High for a cycle for each tuple that was too early for the ring, or was swallowed.
    bad_setting : Out(1)
        High for a cycle when a stream begins that is to be swallowed.
    swallows : Out(1)
        The item at ``i`` is of such a stream, and not its last.
    ended : Out(1)
        Such a stream comes to its end in this cycle.

    Source: seed 002, section V; DESIGN section 2.
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
                "i": In(stream.Signature(timed(row, width))),
                "o": Out(stream.Signature(closed(operator.state(tuples), width))),
                "overrun": Out(1),
                "bad_setting": Out(1),
                "swallows": Out(1),
                "ended": Out(1),
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
            room.eq(queue.level < self.DEPTH // 2),  # with two more on the way
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
            self.ended.eq(control.ended),
        ]
        return m
