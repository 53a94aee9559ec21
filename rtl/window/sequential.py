"""A sliding aggregate that reads its items again for every window."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.window.items import check, ports


class Sequential(wiring.Component):
    """The aggregate of the last ``size`` items, joined anew for every window, one in a cycle.

    ::

        i --> ring of items_max states --> combine --> total = o
              written ^    ^ base, next        ^         |
                           | freed by slide    +---------+

    The items of a window are read as soon as they are there. So when those before it have been
    read, the row follows the window's last item after the latency. ``size`` cycles are spent on
    each window, and ``slide`` items are taken meanwhile in the long run. Items are joined from the
    first to the last; the operator need not commute.

    Rows come in the order of the windows. A window that the end of the stream cuts short gives
    none, and the next stream, which may have other settings, begins with nothing. ``i`` stalls
    while the ring is full, that is, holds items_max items that a window still needs; and from the
    end of a stream until all of its items have been read, those of a window cut short, too. While
    ``o`` holds a row that is not taken nothing is read, but items are let in until the ring is
    full. A size or slide out of bounds makes wrong rows, or none any more.

    Latency 3 cycles from a window's last item to its row: the counter of items, the memory, the
    combine. Initiation interval 1 cycle for an item, while there is room. Memory: ``items_max``
    states; up to 32 of them LUT RAM, more are block RAM.

    Parameters
    ----------
    operator : Operator
        Without a context.
    tuples : int
        A state is that of up to so many tuples.
    items_max : int
        Items of the largest window; a power of two of at least 2.
    stamp : int
        Width of the rows' stamps, 0 for none (:func:`~rtl.window.items.ports`).

    Members
    -------
    i : In(stream.Signature(item(operator.state(tuples))))
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
        Items of a stream that has ended are still to be read, or a row is inside.

    Source: seed 001, section IV-E, algorithms 3 and 4 (the window-level sub-query). That windows
    follow each other without a gap, and any slide, are ours.
    """

    latency = 3
    initiation_interval = 1

    def __init__(self, *, operator, tuples, items_max, stamp=0):
        super().__init__(ports(operator, tuples, items_max, stamp=stamp))
        self._stamped = stamp > 0
        self._operator = operator
        self._items = BlockMemory(operator.state(tuples).size, items_max)

    @staticmethod
    def memory_bits_of(*, operator, tuples, items_max):
        """Bits of the memory of such a component, without making one."""
        check(operator, tuples, items_max)
        return BlockMemory.bits_of(operator.state(tuples).size, items_max)

    @property
    def memory_bits(self):
        return self._items.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.items = self._items
        bits = len(self._items.write_address)
        # Counted modulo twice the depth, so that full and empty differ.
        written = Signal(bits + 1)
        base = Signal(bits + 1)  # where the window begins
        place = Signal(bits + 1)  # the item to be read next
        offset = Signal.like(self.size)  # its number in the window, from 0
        ended = Signal()
        finish = Signal()  # all that the stream had has been read
        m.d.comb += finish.eq(ended & (place == written))
        size, slide, fresh = self._write(m, written, base, ended, finish)
        step, final, moving = self._read(m, written, base, place, offset, size, slide)
        m.d.comb += self.busy.eq(ended | moving)
        if self._stamped:
            self._stamp(m, fresh, step, final)
        with m.If(finish):
            m.d.sync += [counter.eq(0) for counter in (written, base, place, offset)]
        return m

    def _write(self, m, written, base, ended, finish):
        """Takes items, and with the first of a stream its settings."""
        items, take = self._items, Signal()
        fresh = Signal(init=1)  # no item of the stream has come
        size = Signal.like(self.size, reset_less=True)
        slide = Signal.like(self.slide, reset_less=True)
        m.d.comb += [
            # Full is where both are at one place, a round apart.
            self.i.ready.eq(((written ^ base) != 1 << len(items.write_address)) & ~ended),
            take.eq(self.i.valid & self.i.ready),
            items.write_address.eq(written[:-1]),
            items.write_data.eq(self.i.p.state),
            items.write_enable.eq(take & self.i.p.valid),
        ]
        with m.If(fresh):
            m.d.sync += [size.eq(self.size), slide.eq(self.slide)]
        with m.If(items.write_enable):
            m.d.sync += [written.eq(written + 1), fresh.eq(0)]
        with m.If(take & self.i.p.last):
            m.d.sync += ended.eq(1)
        with m.If(finish):
            m.d.sync += [ended.eq(0), fresh.eq(1)]
        return size, slide, fresh

    def _read(self, m, written, base, place, offset, size, slide):
        """Reads item after item of window after window, and joins those of each."""
        state = self.o.p.state.shape()
        step, reads, final = Signal(), Signal(), Signal()
        counted = Signal.like(size)
        following = Signal.like(place)
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            reads.eq(step & (place != written)),
            counted.eq(offset + 1),
            final.eq(counted == size),
            following.eq(Mux(final, base, place) + Mux(final, slide, 1)),
            self._items.read_address.eq(place[:-1]),
            self._items.read_enable.eq(reads),
        ]
        with m.If(reads):
            m.d.sync += [place.eq(following), offset.eq(counted)]
            with m.If(final):
                m.d.sync += [base.eq(following), offset.eq(0)]

        read, begins, ends, complete = Signal(), Signal(), Signal(), Signal()
        total = Signal(state, reset_less=True)
        value = state(self._items.read_data)
        with m.If(step):
            m.d.sync += [
                read.eq(reads),
                begins.eq(offset == 0),
                ends.eq(final),
                complete.eq(read & ends),
            ]
            with m.If(read):
                m.d.sync += wire(total, self._operator.restart(total, value, begins, 0))
        m.d.comb += [self.o.valid.eq(complete), self.o.p.state.eq(total)]
        return step, reads & final, read | complete

    def _stamp(self, m, fresh, step, final):
        """The number of the window of each item on its way through memory and combine."""
        following = Signal.like(self.stamp, reset_less=True)
        stride = Signal.like(self.stride, reset_less=True)
        read = Signal.like(self.stamp, reset_less=True)
        with m.If(fresh):
            m.d.sync += [following.eq(self.stamp), stride.eq(self.stride)]
        with m.Elif(final):
            m.d.sync += following.eq(following + stride)
        with m.If(step):
            m.d.sync += [read.eq(following), self.o.p.stamp.eq(read)]
