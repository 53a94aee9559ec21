"""What the sliding aggregates of constant cost share: when a window is complete."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.stream.beat import wire
from rtl.window.items import ports


def path_ports(item, state, items_max):
    """Members of a *path*, which has the state of the last items at any time.

    Members: ``i``, an item's state, of layout ``item``; ``take``, it is one, and the registers
    move; ``step``, they move; ``end``, the stream ends with this step; ``fresh``, the item is the
    first of its stream, and ``size`` the items of each of its windows; ``o``, the state of the
    window that ends with the item taken two steps ago, if so many items had come.
    """
    return {
        "i": In(item),
        "step": In(1),
        "take": In(1),
        "end": In(1),
        "fresh": In(1),
        "size": In(bits_for(items_max)),
        "o": Out(state),
    }


class Paced(wiring.Component):
    """A sliding aggregate with a result in every cycle, if asked for; its base class.

    ::

        i ---+--> path, for some members of the state ---+--> o
             +--> path, for others                    ---+
             +--> items until the next window is full ---- valid

    The paths move as one: while ``o`` holds a state that is not taken nothing moves, and ``i``
    stalls in the same cycle. It never stalls otherwise. The items are counted here, the paths do
    not know which of their states are asked for.

    Parameters
    ----------
    operator, tuples, items_max, each, stamp
        As for the components made of this.
    paths : mapping of str to (type, Operator)
        For each path by name, the class, and the operator of those members of the state that it is
        for. Its instance is made with that operator, its states of an item and of a window, and
        ``items_max``.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, *, operator, tuples, items_max, paths, each=None, stamp=0):
        super().__init__(ports(operator, tuples, items_max, each=each, stamp=stamp))
        each = tuples if each is None else each
        self._stamped = stamp > 0
        self._paths = {
            name: kind(part, part.state(each), part.state(tuples), items_max)
            for name, (kind, part) in paths.items()
        }

    @property
    def memory_bits(self):
        return sum(path.memory_bits for path in self._paths.values())

    def elaborate(self, platform):
        m = Module()
        full = Signal(self.latency)  # of the items on their way: a window ends with this one
        step = Signal()
        take = Signal()
        end = Signal()
        fresh = Signal(init=1)
        slide = Signal.like(self.slide, reset_less=True)
        left = Signal.like(self.size, reset_less=True)
        until = Signal.like(self.size)  # items until a window is full, the arriving one counted
        due = Signal()
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            take.eq(self.i.valid & self.i.p.valid & step),
            end.eq(self.i.valid & self.i.p.last & step),
            until.eq(Mux(fresh, self.size, left)),
            due.eq(until == 1),
            self.i.ready.eq(step),
            self.o.valid.eq(full[-1]),
        ]
        with m.If(step):
            m.d.sync += full.eq(Cat(take & due, full))
        with m.If(take):
            following = Mux(fresh, self.slide, slide)
            m.d.sync += [left.eq(Mux(due, following, until - 1)), fresh.eq(0)]
            with m.If(fresh):
                m.d.sync += slide.eq(self.slide)
        with m.If(end):
            m.d.sync += fresh.eq(1)
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

    def _stamp(self, m, step, take, fresh, due):
        """The number of the row of each item on its way."""
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
