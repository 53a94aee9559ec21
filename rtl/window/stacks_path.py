"""The path of a sliding aggregate by two stacks, with the flip spread over the arrivals."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.stream.order import equal
from rtl.window.items import path_ports


class StacksPath(wiring.Component):
    """The state of the last ``size`` items, in constant time, for any associative operator.

    The stream is cut into blocks of B = size/2, rounded down, but at least 1. After item j of
    block b, with j from 1 to B, always

    - ``prefix`` is the state of the items 1 to j of block b;
    - ``tail`` is that of all of block b-1, and of the items 1 to j of block b: it started from
      ``prefix`` at the first item of b, when that was all of b-1;
    - ``suffix`` is that of the *last* j items of block b-1, for it walks that block backwards;
    - the window is a suffix of block b-2, made while b-1 came and kept since, and then ``tail``.

    With size 6, and so B = 3, the items are numbered 1, 2, 3, ... and their states are joined::

        item  block  prefix  tail     suffix   window       suffix of b-2, and tail
        7     2      7       4 to 7   6        2 to 7       (2 3)  (4 5 6 7)
        8     2      7 8     4 to 8   5 6      3 to 8       (3)    (4 5 6 7 8)
        9     2      7 8 9   4 to 9   4 5 6    4 to 9              (4 5 6 7 8 9)
        10    3      10      7 to 10  9        5 to 10      (5 6)  (7 8 9 10)

    With size 7 B is 3, too, and each window begins one item earlier.

    Four combines for each item, whatever the size; the operator need not commute.

    *Places.* Both memories hold B entries, and there is one address: it runs from 1 to B in one
    block, and back from B to 1 in the next. The walk reads block b-1 from its last item to its
    first, and those lie in its way: the place that is read is where the item after the arriving one
    belongs, so it is overwritten only afterwards. Suffixes are read in the reverse of the order in
    which they were made (above: (5 6) with item 10, (6) with item 11), so their places serve, too.
    The suffix that the step before made is too new to be read, and is taken from a register.

    Nothing moves without ``step``. At ``end`` all is forgotten. Latency 2 steps from an item to
    the window that it ends, one item in every step. Memory: ``items_max / 2`` states of an item
    and as many of a window, at least 2 of each (the largest B is place 0).

    Parameters
    ----------
    operator : Operator
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
        """Bits of the memories of such a path, without making one."""
        return sum(BlockMemory.bits_of(of.size, _depth(items_max)) for of in (item, state))

    @property
    def memory_bits(self):
        return self._values.bits + self._suffixes.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.values = self._values
        m.submodules.suffixes = self._suffixes
        at = Signal(range(self._depth), init=1)
        block = Signal.like(at, reset_less=True)  # B, which as a place is the last one
        even = Signal()
        single = Signal()  # a window is one item
        with m.If(self.take & self.fresh):
            m.d.sync += [
                block.eq(self.size[1:] | (self.size == 1)),
                even.eq(~self.size[0]),
                single.eq(self.size == 1),
            ]
        first = Signal(init=1)  # the item begins a block
        final = Signal()  # it ends one
        beyond = self._places(m, at, block, first, final)
        suffix = self._walk(m, first, at, beyond)
        # A window of 2 * B begins one item further on in its block than one of 2 * B + 1.
        begin = Mux(even, beyond, at)
        # It reaches no further back than the tail. A stream's first item is one only by itself.
        alone = (even & final) | single | self.fresh
        self._join(m, first, single, at, begin, first & ~even, alone, suffix)
        return m

    def _places(self, m, at, block, first, final):
        """Moves the place of the arriving item from 1 to B and back; returns the one beyond."""
        down = Signal()
        beyond = Signal.like(at)
        upmost = Mux(self.fresh, ~self.size[2:].any(), equal(at, block))
        m.d.comb += [
            beyond.eq(at + Cat(1, down.replicate(len(at) - 1))),
            final.eq(Mux(down, at == 1, upmost)),
        ]
        with m.If(self.take):
            m.d.sync += [first.eq(final), down.eq(down ^ final)]
            with m.If(~final):
                m.d.sync += at.eq(beyond)
        with m.If(self.end):
            m.d.sync += [at.eq(1), down.eq(0), first.eq(1)]
        return beyond

    def _walk(self, m, first, at, beyond):
        """Walks the block before backwards; returns its suffix from the item where it is."""
        values, item = self._values, self.i.shape()
        latest = Signal(item, reset_less=True)
        suffix = Signal(self.o.shape(), reset_less=True)
        begun = Signal(self.o.shape())
        longer = Signal(self.o.shape())
        read = item(values.read_data)
        m.d.comb += [
            values.write_address.eq(at),
            values.write_data.eq(self.i),
            values.write_enable.eq(self.take),
            values.read_address.eq(beyond),
            values.read_enable.eq(self.take),
            *wire(begun, latest),
            *wire(longer, self._operator.combine(read, suffix, 0)),
        ]
        with m.If(self.take):
            m.d.sync += [
                latest.eq(self.i),
                suffix.eq(Mux(first, begun.as_value(), longer.as_value())),
            ]
        return suffix

    def _join(self, m, first, single, at, begin, forward, alone, suffix):
        """Keeps the suffixes, and joins the one at ``begin`` to the tail, if it is not ``alone``.

        With ``forward`` the suffix is that of the step before, which is too new to be read.
        """
        suffixes, state = self._suffixes, self.o.shape()
        prefix = Signal(state, reset_less=True)
        tail = Signal(state, reset_less=True)
        start = Signal(state)  # what the tail goes on from
        taken, forwards, lone = Signal(), Signal(), Signal()
        place = Signal.like(at, reset_less=True)
        before = Signal(state, reset_less=True)
        oldest = Signal(state)
        window = Signal(state, reset_less=True)
        with m.If(self.take):
            m.d.sync += [
                *wire(prefix, self._operator.restart(prefix, self.i, first, 0)),
                *wire(tail, self._operator.restart(start, self.i, self.fresh | single, 0)),
                place.eq(at),
                before.eq(suffix),
                forwards.eq(forward),
                lone.eq(alone),
            ]
        with m.If(self.step):
            m.d.sync += taken.eq(self.take)
        with m.If(self.step & taken):
            m.d.sync += wire(window, self._operator.restart(oldest, tail, lone, 0))
        m.d.comb += [
            start.eq(Mux(first, prefix.as_value(), tail.as_value())),
            suffixes.write_address.eq(place),
            suffixes.write_data.eq(suffix),
            suffixes.write_enable.eq(taken),
            suffixes.read_address.eq(begin),
            suffixes.read_enable.eq(self.take),
            oldest.eq(Mux(forwards, before.as_value(), suffixes.read_data)),
            self.o.eq(window),
        ]


def _depth(items_max):
    """Entries of each memory: the largest block."""
    return max(2, items_max // 2)
