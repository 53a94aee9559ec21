"""The sliding aggregate of constant cost: each part of a state by the means that suit it."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.aggregate.operator import Product
from rtl.stream.beat import wire
from rtl.window.evict_path import EvictPath
from rtl.window.items import check, ports
from rtl.window.stacks_path import StacksPath


class Sliding(wiring.Component):
    """The aggregate of the last ``size`` items, each part of a product in the cheapest way.

    ::

        i ---+--> total:  remove and combine, for count, sum, avg, ... ---+--> o
             +--> stacks: two stacks, for min, max, ...                ---+
             +--> items until the next window is full ------------- valid

    The invertible parts of a :class:`~rtl.aggregate.operator.Product` go by an
    :class:`~rtl.window.evict_path.EvictPath`, the others by a
    :class:`~rtl.window.stacks_path.StacksPath`, side by side; an operator that is no product goes
    by one of the two as a whole. Either path has the state of the last ``size`` items after every
    item; which of them are a window's is counted here, and no path knows. With size 4 and slide 2
    a row follows items 4, 6, 8, ...

    One item in and, with a slide of 1, one window out in every cycle, whatever the size: at most
    two combines for a window and two for an item. The operator need not commute; items are joined
    in order, but not from left to right.

    Rows come in the order of the windows. A window that the end of the stream cuts short gives
    none, and the next stream, which may follow in the next cycle with other settings, begins with
    nothing. While ``o`` holds a row that is not taken nothing moves, and ``i`` stalls in the same
    cycle; it never stalls otherwise. A size or slide out of bounds makes wrong rows until the end
    of the stream.

    Latency 2 cycles from a window's last item to its row, always. Initiation interval 1 cycle.
    Memory: ``items_max`` states (:meth:`memory_bits_of`), at least 4 of those in stacks. A memory
    of up to 32 states is LUT RAM, a deeper one block RAM; the stacks have two of half the depth.

    Parameters
    ----------
    operator : Operator
        Without a context.
    tuples : int
        A state is that of up to so many tuples.
    items_max : int
        Items of the largest window; a power of two of at least 2.
    each : int or None
        An item is the state of up to so many tuples; None is ``tuples``.
    stamp : int
        Width of the rows' stamps, 0 for none (:func:`~rtl.window.items.ports`).

    Members
    -------
    i : In(stream.Signature(item(operator.state(each))))
    o : Out(stream.Signature(row(operator.state(tuples), stamp)))
    size : In(unsigned)
        Items of a window, at most ``items_max``.
    slide : In(unsigned)
        Items from the start of one window to that of the next, at most ``size``.
    stamp : In(signed(stamp))
        Of a stream's first row; only with stamps.
    stride : In(stamp)
        From one row's stamp to the next's; only with stamps.
    busy : Out(1)
        A row is inside.

    Source: seed 004, section 2.2; side by side in one pace is ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, *, operator, tuples, items_max, each=None, stamp=0):
        super().__init__(ports(operator, tuples, items_max, each=each, stamp=stamp))
        self._stamped = stamp > 0
        self._paths = {
            name: kind(part, *states, items_max)
            for name, (kind, part, states) in _paths(operator, tuples, each).items()
        }

    @staticmethod
    def memory_bits_of(*, operator, tuples, items_max, each=None):
        """Bits of the memories of such a component, without making one."""
        check(operator, tuples, items_max)
        return sum(
            kind.memory_bits_of(*states, items_max)
            for kind, _, states in _paths(operator, tuples, each).values()
        )

    @property
    def memory_bits(self):
        return sum(path.memory_bits for path in self._paths.values())

    def elaborate(self, platform):
        m = Module()
        full = Signal(self.latency)  # of the items on their way: a window ends with this one
        step, take, end, due = (Signal(name=name) for name in ("step", "take", "end", "due"))
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            take.eq(self.i.valid & self.i.p.valid & step),
            end.eq(self.i.valid & self.i.p.last & step),
            self.i.ready.eq(step),
            self.o.valid.eq(full[-1]),
            self.busy.eq(full.any()),
        ]
        with m.If(step):
            m.d.sync += full.eq(Cat(take & due, full))
        fresh = self._count(m, take, end, due)
        if self._stamped:
            self._stamp(m, step, take, fresh, due)

        for name, path in self._paths.items():
            m.submodules[name] = path
            m.d.comb += [
                path.step.eq(step),
                path.take.eq(take),
                path.end.eq(end),
                path.fresh.eq(fresh),
                path.size.eq(self.size),
                *wire(path.i, self.i.p.state),
            ]
            for member, _ in path.o.shape():
                m.d.comb += wire(self.o.p.state[member], path.o[member])
        return m

    def _count(self, m, take, end, due):
        """Counts the items until a window is full, which is ``due`` with the arriving one.

        Returns ``fresh``: the arriving item is the first of its stream.
        """
        fresh = Signal(init=1)
        slide = Signal.like(self.slide, reset_less=True)
        left = Signal.like(self.size, reset_less=True)
        until = Signal.like(self.size)  # the arriving one counted
        m.d.comb += [until.eq(Mux(fresh, self.size, left)), due.eq(until == 1)]
        with m.If(take):
            following = Mux(fresh, self.slide, slide)
            m.d.sync += [left.eq(Mux(due, following, until - 1)), fresh.eq(0)]
            with m.If(fresh):
                m.d.sync += slide.eq(self.slide)
        with m.If(end):
            m.d.sync += fresh.eq(1)
        return fresh

    def _stamp(self, m, step, take, fresh, due):
        """Gives each item on its way the stamp of the row that it may end."""
        following = Signal.like(self.stamp, reset_less=True)
        stride = Signal.like(self.stride, reset_less=True)
        now = Signal.like(self.stamp)
        m.d.comb += now.eq(Mux(fresh, self.stamp, following))
        with m.If(take):
            onward = Mux(fresh, self.stride, stride)
            m.d.sync += [following.eq(now + Mux(due, onward, 0)), stride.eq(onward)]
        for level in range(self.latency):
            later = Signal.like(now, name=f"stamp{level}", reset_less=True)
            with m.If(step):
                m.d.sync += later.eq(now)
            now = later
        m.d.comb += self.o.p.stamp.eq(now)


def _paths(operator, tuples, each):
    """For each path by name: its class, its part of the operator, states of an item and a window.

    Nothing is made: the constructor makes the paths, :meth:`Sliding.memory_bits_of` asks only.
    """
    if isinstance(operator, Product):
        ways = {True: {}, False: {}}
        for name, part in operator.parts.items():
            ways[part.invertible][name] = part
        chosen = {invertible: Product(**parts) for invertible, parts in ways.items() if parts}
    else:
        chosen = {operator.invertible: operator}
    kinds = {True: ("total", EvictPath), False: ("stacks", StacksPath)}
    each = tuples if each is None else each
    return {
        kinds[invertible][0]: (kinds[invertible][1], part, (part.state(each), part.state(tuples)))
        for invertible, part in chosen.items()
    }
