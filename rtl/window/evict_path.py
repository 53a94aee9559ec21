"""The path of a sliding aggregate that adds the arriving item and subtracts the leaving item."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.stream.order import equal
from rtl.window.sliding_ports import path_ports


class EvictPath(wiring.Component):
    """Holds the state of the last ``size`` items: adds each item, and subtracts the oldest item.

    ::

        i ---> register ------------------------+
         +---> ring of size states --> remove --> combine --> total = o
                                         ^                      |
                                         +----------------------+

    After every item ``total`` is the state of the last ``size`` items, or of all items if the
    stream has had fewer. The ring contains these items. Places run from 1 to ``size`` and start
    again at 1, so the arriving item has the same place as the leaving item. The leaving item is
    read in the cycle in which the new item arrives, and overwritten in the next cycle.

    With size 3 and sums, of the items 5, 1, 2, 7::

        item            5    1    2    7
        its place       1    2    3    1
        leaves                         5
        total           5    6    8   10 = (8 - 5) + 7

    The old item is subtracted before the new item is added, so ``total`` never contains more than
    ``size`` items, and needs no wider state. Each item costs one read, one remove and one combine.

    ``remove`` takes the oldest item off the left, so the operator need not commute. Without
    ``step`` no register changes; ``transfer`` and ``flush`` come only with ``step``. ``flush``
    empties the ring. Latency 2 steps from an item to the window that the item ends; one item enters
    in every step. Memory: ``items_max`` states of an item.

    Parameters
    ----------
    operator : Operator
        An invertible operator.
    item, state : data.StructLayout
        Layouts of the state of an item and of a window.
    items_max : int
        Number of items of the largest window, a power of two.

    Members
    -------
    i : In(item)
    step : In(1)
    transfer : In(1)
    flush : In(1)
    first_item : In(1)
    size : In(unsigned)
    o : Out(state)
        See :func:`~rtl.window.sliding_ports.path_ports`.

    Source: seed 004, section 2.2 (Subtract-on-Evict) and 3.2 (its ring buffer).
    """

    def __init__(self, operator, item, state, items_max):
        super().__init__(path_ports(item, state, items_max))
        self._operator = operator
        self._items = BlockMemory(item.size, items_max)

    @staticmethod
    def memory_bits_of(item, state, items_max):
        """Returns the bits of memory for these sizes; builds nothing."""
        return BlockMemory.bits_of(item.size, items_max)

    @property
    def memory_bits(self):
        return self._items.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.items = items = self._items
        single = self.size == 1
        single_item = Signal()  # the windows of this stream have one item
        with m.If(self.transfer & self.first_item):
            m.d.sync += single_item.eq(single)
        arrival_place, full = self._places(m, single)
        item = self.i.shape()
        state = self.o.shape()
        item_pending = Signal()
        write_place = Signal.like(arrival_place, reset_less=True)
        latest_item = Signal(item, reset_less=True)
        evict = Signal()
        only_item = Signal()  # the window contains only this item
        total = Signal(state, reset_less=True)
        remaining = Signal(state)  # state of the previous window without the leaving item
        base = Signal(state)  # state of all items of the window except the new item
        with m.If(self.step):
            m.d.sync += item_pending.eq(self.transfer)
        with m.If(self.transfer):
            m.d.sync += [
                write_place.eq(arrival_place),
                latest_item.eq(self.i),
                evict.eq(full),
                only_item.eq(self.first_item | single_item),
            ]
        m.d.comb += [
            items.read_address.eq(arrival_place),
            items.read_enable.eq(self.transfer),
            items.write_address.eq(write_place),
            items.write_data.eq(latest_item),
            items.write_enable.eq(item_pending),
            *wire(remaining, self._operator.remove(total, item(items.read_data))),
            base.eq(Mux(evict, remaining.as_value(), total.as_value())),
            self.o.eq(total),
        ]
        with m.If(self.step & item_pending):
            m.d.sync += wire(total, self._operator.restart(base, latest_item, only_item, 0))
        return m

    def _places(self, m, single):
        """Returns the place of the arriving item and a flag.

        Places run from 1 to size. The flag is high if an older item leaves the place.
        """
        arrival_place = Signal(range(1 << len(self._items.read_address)), init=1)
        last_place = Signal.like(arrival_place, reset_less=True)
        full = Signal()
        wraps = Signal()
        m.d.comb += wraps.eq(Mux(self.first_item, single, equal(arrival_place, last_place)))
        with m.If(self.transfer):
            m.d.sync += [arrival_place.eq(arrival_place + 1), full.eq(full | wraps)]
            with m.If(self.first_item):
                m.d.sync += last_place.eq(self.size)
        with m.If(self.flush | (self.transfer & wraps)):
            m.d.sync += arrival_place.eq(1)
        with m.If(self.flush):
            m.d.sync += full.eq(0)
        return arrival_place, full
