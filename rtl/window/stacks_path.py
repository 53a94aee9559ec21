"""The path of a sliding aggregate with two stacks, whose flip is spread over the arrivals."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.stream.order import equal
from rtl.window.sliding_ports import path_ports


class StacksPath(wiring.Component):
    """Computes the state of the last ``size`` items in constant time, for associative operators.

    The stream is cut into blocks of B = size/2, rounded down, but at least 1. After item j of
    block b, with j from 1 to B, always

    - ``prefix`` is the state of the items 1 to j of block b;
    - ``tail`` is the state of the whole block b-1 followed by the items 1 to j of block b. When the
      first item of block b arrives, the register of ``prefix`` still has the state of block b-1,
      from which ``tail`` starts;
    - ``suffix`` is the state of the *last* j items of block b-1, because a walk reads block b-1
      backwards, one item per arrival;
    - the window is a suffix of block b-2, which was stored while block b-1 arrived, followed by
      ``tail``.

    With size 6, and so B = 3, and with items numbered 1, 2, 3, ...::

        item  block  prefix  tail     suffix   window       suffix of b-2, and tail
        7     2      7       4 to 7   6        2 to 7       (2 3)  (4 5 6 7)
        8     2      7 8     4 to 8   5 6      3 to 8       (3)    (4 5 6 7 8)
        9     2      7 8 9   4 to 9   4 5 6    4 to 9              (4 5 6 7 8 9)
        10    3      10      7 to 10  9        5 to 10      (5 6)  (7 8 9 10)

    With size 7, B is 3 as well, and each window begins one item earlier.

    Each item costs four combines, for every size. The operator need not commute.

    *Places.* Both memories use the places 1 to B and share one address, which runs from 1 to B in
    one block and back from B to 1 in the next block. So the walk, which reads block b-1 from its
    last item to its first, runs in the same direction as the arrivals of block b. The walk reads
    the place of the next arrival, one step before the arrival overwrites the place. Suffixes are
    read in the reverse order of their writes (above: (5 6) with item 10, (6) with item 11), so the
    same address also fits the suffixes. A suffix that is needed one step after its computation is
    not in the memory yet, and comes from a register.

    Without ``step`` no register changes. ``flush`` starts the next stream with no items.
    Latency 2 steps from an item to the window that the item ends; one item enters in every step.
    Memory: ``items_max / 2`` states of an item and as many states of a window, at least 2 of each.
    If B equals the number of entries, place B has address 0.

    Parameters
    ----------
    operator : Operator
    item, state : data.StructLayout
        Layouts of the state of an item and of a window.
    items_max : int

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

    Source: seed 004, sections 2.2 and 3.2 (Two-Stacks: values on one side, aggregates on the other,
    and the flip between them); blocks and the walk in place are ours.
    """

    def __init__(self, operator, item, state, items_max):
        super().__init__(path_ports(item, state, items_max))
        self._operator = operator
        self._depth = _depth(items_max)
        self._values = BlockMemory(item.size, self._depth)
        self._suffixes = BlockMemory(state.size, self._depth)

    @staticmethod
    def memory_bits_of(item, state, items_max):
        """Returns the bits of memory for these sizes; builds nothing."""
        return sum(BlockMemory.bits_of(layout.size, _depth(items_max)) for layout in (item, state))

    @property
    def memory_bits(self):
        return self._values.bits + self._suffixes.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.values = self._values
        m.submodules.suffixes = self._suffixes
        place = Signal(range(self._depth), init=1)
        block = Signal.like(place, reset_less=True)  # B, which is also the last place of a block
        even = Signal()
        single = Signal()  # a window has one item
        with m.If(self.transfer & self.first_item):
            m.d.sync += [
                block.eq(self.size[1:] | (self.size == 1)),
                even.eq(~self.size[0]),
                single.eq(self.size == 1),
            ]
        first = Signal(init=1)  # the arriving item begins a block
        final = Signal()  # the arriving item ends a block
        next_place = self._places(m, place, block, first, final)
        suffix = self._walk(m, first, place, next_place)
        # A window of 2 * B items begins one item later in its block than a window of 2 * B + 1.
        begin = Mux(even, next_place, place)
        # The window is the tail alone. The first item of a stream ends a window only if size is 1.
        only_tail = (even & final) | single | self.first_item
        self._join(m, first, single, place, begin, first & ~even, only_tail, suffix)
        return m

    def _places(self, m, place, block, first, final):
        """Moves the place of the arriving item from 1 to B and back to 1.

        Returns the next place in the direction of the current block.
        """
        down = Signal()
        next_place = Signal.like(place)
        at_last_place = Mux(self.first_item, ~self.size[2:].any(), equal(place, block))
        m.d.comb += [
            next_place.eq(place + Cat(1, down.replicate(len(place) - 1))),
            final.eq(Mux(down, place == 1, at_last_place)),
        ]
        with m.If(self.transfer):
            m.d.sync += [first.eq(final), down.eq(down ^ final)]
            with m.If(~final):
                m.d.sync += place.eq(next_place)
        with m.If(self.flush):
            m.d.sync += [place.eq(1), down.eq(0), first.eq(1)]
        return next_place

    def _walk(self, m, first, place, next_place):
        """Walks the previous block backwards, one item per arrival.

        Returns the suffix of the previous block that begins at the current item of the walk.
        """
        values = self._values
        item = self.i.shape()
        latest_item = Signal(item, reset_less=True)
        suffix = Signal(self.o.shape(), reset_less=True)
        new_suffix = Signal(self.o.shape())
        extended_suffix = Signal(self.o.shape())
        read = item(values.read_data)
        m.d.comb += [
            values.write_address.eq(place),
            values.write_data.eq(self.i),
            values.write_enable.eq(self.transfer),
            values.read_address.eq(next_place),
            values.read_enable.eq(self.transfer),
            *wire(new_suffix, latest_item),
            *wire(extended_suffix, self._operator.combine(read, suffix, 0)),
        ]
        with m.If(self.transfer):
            m.d.sync += [
                latest_item.eq(self.i),
                suffix.eq(Mux(first, new_suffix.as_value(), extended_suffix.as_value())),
            ]
        return suffix

    def _join(self, m, first, single, place, begin, forward, only_tail, suffix):
        """Stores the suffixes, and joins the suffix at ``begin`` to the tail.

        With ``only_tail`` the window is the tail alone. With ``forward`` the suffix comes from a
        register, because the previous step made the suffix and the memory cannot deliver it yet.
        """
        suffixes = self._suffixes
        state = self.o.shape()
        prefix = Signal(state, reset_less=True)
        tail = Signal(state, reset_less=True)
        tail_start = Signal(state)  # the tail without the new item
        item_pending = Signal()
        forward_next = Signal()
        only_tail_next = Signal()
        write_place = Signal.like(place, reset_less=True)
        previous_suffix = Signal(state, reset_less=True)
        oldest = Signal(state)
        window = Signal(state, reset_less=True)
        with m.If(self.transfer):
            m.d.sync += [
                *wire(prefix, self._operator.restart(prefix, self.i, first, 0)),
                *wire(
                    tail, self._operator.restart(tail_start, self.i, self.first_item | single, 0)
                ),
                write_place.eq(place),
                previous_suffix.eq(suffix),
                forward_next.eq(forward),
                only_tail_next.eq(only_tail),
            ]
        with m.If(self.step):
            m.d.sync += item_pending.eq(self.transfer)
        with m.If(self.step & item_pending):
            m.d.sync += wire(window, self._operator.restart(oldest, tail, only_tail_next, 0))
        m.d.comb += [
            tail_start.eq(Mux(first, prefix.as_value(), tail.as_value())),
            suffixes.write_address.eq(write_place),
            suffixes.write_data.eq(suffix),
            suffixes.write_enable.eq(item_pending),
            suffixes.read_address.eq(begin),
            suffixes.read_enable.eq(self.transfer),
            oldest.eq(Mux(forward_next, previous_suffix.as_value(), suffixes.read_data)),
            self.o.eq(window),
        ]


def _depth(items_max):
    """Returns the number of entries in each memory: the largest block."""
    return max(2, items_max // 2)
