"""The two stacks of a sliding aggregate, with the flip spread over the arrivals."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.window.paced import Paced, path_ports


class StacksPath(wiring.Component):
    """The state of the last ``size`` items, in constant time, for any associative operator.

    ::

        items of blocks of size/2:   block b-2     block b-1     block b
        window:                        [~~~~~~~~~~~~~~~~~~~~~~~~~~]
        its parts:                     suffix | tail: b-1 and b so far

    The stream is cut into blocks of B = size/2, rounded down, but at least 1. While block b comes
    in, one step for each item:

    - ``prefix`` joins the items of block b, ``tail`` those of b-1 and b: at the first item of b it
      starts from ``prefix``, which then is all of b-1;
    - ``suffix`` walks block b-1 backwards, from its last item to its first;
    - the state is that suffix of block b-2 that the window reaches back to, joined with ``tail``.

    Four combines for each item, whatever the size. The walk reads its items in the reverse of the
    order in which they came, so each is overwritten by the arriving one as soon as it has been
    read: the places run from 1 to B in one block, and back to 1 in the next. The suffixes are read
    in the reverse of their order, too, so that the same place serves there. So the memories hold
    ``items_max / 2`` states each (B is place 0 of the largest), and there is one address. What
    would have to be read where the last item was written is in a register.

    Two steps from an item to its window.

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
        All as in :func:`~rtl.window.paced.path_ports`.

    Source: seed 004, sections 2.2 and 3.2 (Two-Stacks: values on one side, aggregates on the other,
    and the flip between them); blocks and the walk in place are ours.
    """

    def __init__(self, operator, item, state, items_max):
        super().__init__(path_ports(item, state, items_max))
        self._operator = operator
        self._depth = max(2, items_max // 2)
        self._values = BlockMemory(item.size, self._depth)
        self._suffixes = BlockMemory(state.size, self._depth)

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
        upmost = Mux(self.fresh, ~self.size[2:].any(), at == block)
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


class TwoStacks(Paced):
    """The aggregate of the last ``size`` items, in constant time, for any associative operator.

    One item in and, with a slide of 1, one window out in every cycle, whatever the size: at most
    two combines for a window, and one backward step for an item (:class:`StacksPath` tells how).
    The operator need not commute, nor be invertible. A window's items are joined in order, but not
    from left to right: (oldest ... ) + ((...) + newest).

    Rows come in the order of the windows. A window that the end of the stream cuts short gives
    none, and the next stream, which may follow in the next cycle with other settings, begins with
    nothing. ``i`` stalls while ``o`` holds a row that is not taken, and never otherwise. A size or
    slide out of bounds makes wrong rows until the end of the stream.

    Latency 2 cycles from a window's last item to its row, always. Initiation interval 1 cycle.
    Memory: ``items_max`` states, in two memories of half as many; up to 64 items_max they are
    LUT RAM, beyond that block RAM.

    Parameters
    ----------
    operator : Operator
        Without a context.
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

    Source: seed 004, sections 2.2 and 3.2; the blocks, which make its amortised cost the worst one,
    are ours (as is DABA, its section 5, in software).
    """

    def __init__(self, *, operator, tuples, items_max):
        paths = {"stacks": (StacksPath, operator)}
        super().__init__(operator=operator, tuples=tuples, items_max=items_max, paths=paths)
