"""The path of a sliding aggregate that adds what comes and subtracts what goes."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.stream.order import equal
from rtl.window.items import path_ports


class EvictPath(wiring.Component):
    """The state of the last ``size`` items, from that of those before.

    ::

        i ---> register ------------------------+
         +---> ring of size states --> remove --> combine --> total = o
                                         ^                      |
                                         +----------------------+

    After every item ``total`` is the state of the last ``size`` items, or of all if so many have
    not come. The ring holds those items, each at its place: places run from 1 to ``size`` and
    round again, so the item that leaves is where the arriving one belongs. It is read in the cycle
    in which the other arrives, and overwritten in the next.

    With size 3 and sums, of the items 5, 1, 2, 7::

        item            5    1    2    7
        its place       1    2    3    1
        leaves                         5
        total           5    6    8   10 = (8 - 5) + 7

    The one leaves before the other is added, so no state is ever that of more than ``size`` items,
    and none is wider. One read, one remove and one combine for each item.

    Order: ``remove`` takes the oldest item off the left, so the operator need not commute. Nothing
    moves without ``step``. At ``end`` the ring is forgotten. Latency 2 steps from an item to the
    window that it ends, one item in every step. Memory: ``items_max`` states of an item.

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
        All as in :func:`~rtl.window.items.path_ports`.

    Source: seed 004, section 2.2 (Subtract-on-Evict) and 3.2 (its ring buffer).
    """

    def __init__(self, operator, item, state, items_max):
        super().__init__(path_ports(item, state, items_max))
        self._operator = operator
        self._items = BlockMemory(item.size, items_max)

    @staticmethod
    def memory_bits_of(item, state, items_max):
        """Bits of the memory of such a path, without making one."""
        return BlockMemory.bits_of(item.size, items_max)

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
        m.d.comb += wraps.eq(Mux(self.fresh, single, equal(at, top)))
        with m.If(self.take):
            m.d.sync += [at.eq(at + 1), full.eq(full | wraps)]
            with m.If(self.fresh):
                m.d.sync += top.eq(self.size)
        with m.If(self.end | (self.take & wraps)):
            m.d.sync += at.eq(1)
        with m.If(self.end):
            m.d.sync += full.eq(0)
        return at, full
