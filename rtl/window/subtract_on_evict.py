"""A sliding aggregate that adds what comes and subtracts what goes."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.window.paced import Paced, path_ports


class EvictPath(wiring.Component):
    """The state of the last ``size`` items, from that of those before.

    ::

        i ---> register ------------------------+
         +---> ring of size states --> remove --> combine --> total = o
                                         ^                      |
                                         +----------------------+

    One read, one remove and one combine for each item. The item that leaves is read from where the
    arriving one is written in the next cycle. It leaves first: so no state is ever that of more
    than ``size`` items. Two steps from an item to its window.

    Parameters
    ----------
    operator : Operator
        Invertible.
    item, state : data.StructLayout
        Of an item and of a window.
    items_max : int

    Members
    -------
    i : In(item)
    step : In(1)
    take : In(1)
    end : In(1)
    fresh : In(1)
    size : In(unsigned)
    o : Out(state)
        All as in :func:`~rtl.window.paced.path_ports`.

    Source: seed 004, section 2.2 (Subtract-on-Evict) and 3.2 (its ring buffer).
    """

    def __init__(self, operator, item, state, items_max):
        super().__init__(path_ports(item, state, items_max))
        self._operator = operator
        self._items = BlockMemory(item.size, items_max)

    @property
    def memory_bits(self):
        return self._items.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.items = items = self._items
        single = self.size == 1
        lone = Signal()  # so it is for this stream
        with m.If(self.take & self.fresh):
            m.d.sync += lone.eq(single)
        at, full = self._places(m, single)
        item, state = self.i.shape(), self.o.shape()
        taken = Signal()
        place = Signal.like(at, reset_less=True)
        latest = Signal(item, reset_less=True)
        evicts = Signal()
        alone = Signal()  # the window holds nothing but this item
        total = Signal(state, reset_less=True)
        rest = Signal(state)  # of the window before
        left = Signal(state)
        with m.If(self.step):
            m.d.sync += taken.eq(self.take)
        with m.If(self.take):
            m.d.sync += [
                place.eq(at),
                latest.eq(self.i),
                evicts.eq(full),
                alone.eq(self.fresh | lone),
            ]
        m.d.comb += [
            items.read_address.eq(at),
            items.read_enable.eq(self.take),
            items.write_address.eq(place),
            items.write_data.eq(latest),
            items.write_enable.eq(taken),
            *wire(rest, self._operator.remove(total, item(items.read_data))),
            left.eq(Mux(evicts, rest.as_value(), total.as_value())),
            self.o.eq(total),
        ]
        with m.If(self.step & taken):
            m.d.sync += wire(total, self._operator.restart(left, latest, alone, 0))
        return m

    def _places(self, m, single):
        """Where the arriving item belongs, from 1 to size, and whether one leaves from there."""
        at = Signal(range(1 << len(self._items.read_address)), init=1)
        top = Signal.like(at, reset_less=True)
        full = Signal()
        wraps = Signal()
        m.d.comb += wraps.eq(Mux(self.fresh, single, at == top))
        with m.If(self.take):
            m.d.sync += [at.eq(at + 1), full.eq(full | wraps)]
            with m.If(self.fresh):
                m.d.sync += top.eq(self.size)
        with m.If(self.end | (self.take & wraps)):
            m.d.sync += at.eq(1)
        with m.If(self.end):
            m.d.sync += full.eq(0)
        return at, full


class SubtractOnEvict(Paced):
    """The aggregate of the last ``size`` items, for operators that are invertible.

    One item in and, with a slide of 1, one window out in every cycle, whatever the size, by one
    remove and one combine for each item (:class:`EvictPath`). Fewer gates than
    :class:`~rtl.window.two_stacks.TwoStacks`, and the same memory, ports, stalls and latency.

    Rows come in the order of the windows. A window that the end of the stream cuts short gives
    none, and the next stream, which may follow in the next cycle with other settings, begins with
    nothing. ``i`` stalls while ``o`` holds a row that is not taken, and never otherwise. A size or
    slide out of bounds makes wrong rows until the end of the stream.

    Latency 2 cycles from a window's last item to its row, always. Initiation interval 1 cycle.
    Memory: ``items_max`` states; up to 32 of them LUT RAM, more are block RAM.

    Parameters
    ----------
    operator : Operator
        Invertible, and without a context.
    tuples : int
        A state is that of up to so many tuples.
    items_max : int
        Items of the largest window; a power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(item(operator.state(tuples))))
    o : Out(stream.Signature(row(operator.state(tuples))))
    size : In(unsigned)
        Items of a window, at most ``items_max``.
    slide : In(unsigned)
        Items from the start of one window to that of the next, at most ``size``.

    Source: seed 004, section 2.2 (Subtract-on-Evict).
    """

    def __init__(self, *, operator, tuples, items_max):
        if not operator.invertible:
            raise ValueError(f"operator must be invertible, not {type(operator).__name__}")
        paths = {"total": (EvictPath, operator)}
        super().__init__(operator=operator, tuples=tuples, items_max=items_max, paths=paths)
