"""Aggregates sliding windows by reading all items of a window again for every window."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring

from rtl.memory.block import BlockMemory
from rtl.stream.beat import wire
from rtl.window.sliding_ports import check_sizes, sliding_ports


class Sequential(wiring.Component):
    """Aggregates the last ``size`` items by joining all of them for every window, one per cycle.

    ::

        i --> ring of items_max states --> combine --> total = o
              written ^    ^ place             ^         |
                                               +---------+

    ``written``, ``base`` and ``place`` are counters of items: the arrived items, the first item of
    the current window, and the next item to read. The ring contains the items from ``base`` to
    ``written`` - 1. After the last item of a window ``base`` advances by ``slide``, which frees the
    items before the next window, and ``place`` returns to ``base``. For instance with size 3 and
    slide 2 the items 0 1 2, 2 3 4, 4 5 6 are read.

    The items of a window are read as soon as they have arrived. So if all earlier items of the
    window have been read when its last item arrives, the row follows after the latency. Each window
    costs ``size`` cycles, in which, on average, ``slide`` items enter: with size 3 and slide 2 two
    items in 3 cycles. Items are joined from the first to the last; the operator need not commute.

    Rows leave in the order of the windows. A window that the end of the stream cuts short has no
    row. The next stream may have other settings, and starts with no items. ``i`` stalls while the
    ring is full, that is, while it contains ``items_max`` items of windows that are not complete;
    and from the end of a stream until all of its items have been read, including the items of a
    window cut short. A stall at ``o`` stops reading, but items enter until the ring is full. A size
    or slide out of bounds causes wrong rows, or stops the rows.

    Latency 3 cycles from the last item of a window to its row: the counter of items, the memory,
    and the combine. Initiation interval 1 cycle for an item, while the ring has room. Memory:
    ``items_max`` states, in LUT RAM up to 32 states or 1,024 bits, else in block RAM.

    Parameters
    ----------
    operator : Operator
        An operator without a context.
    tuples : int
        Largest number of tuples in a window.
    items_max : int
        Number of items in the largest window; a power of two of at least 2.
    stamp : int
        Width of the rows' stamps, 0 for none (:func:`~rtl.window.sliding_ports.sliding_ports`).

    Members
    -------
    i : In(stream.Signature(item_layout(operator.state(tuples))))
    o : Out(stream.Signature(row_layout(operator.state(tuples), stamp)))
    size : In(unsigned)
        Number of items in a window, at most ``items_max``.
    slide : In(unsigned)
        Number of items from the start of one window to the start of the next, at most ``size``.
    stamp : In(signed(stamp)), or none
        Stamp of the first row of a stream; only with stamps.
    stride : In(stamp), or none
        Difference between the stamps of successive rows; only with stamps.
    busy : Out(1)
        The stream has ended and not all of its items have been read, or the component contains a
        row.

    Source: seed 001, section IV-E, algorithms 3 and 4 (the window-level sub-query). Windows
    without a gap between them, and arbitrary slides, are ours.
    """

    latency = 3
    initiation_interval = 1

    def __init__(self, *, operator, tuples, items_max, stamp=0):
        super().__init__(sliding_ports(operator, tuples, items_max, stamp=stamp))
        self._stamped = stamp > 0
        self._operator = operator
        self._items = BlockMemory(operator.state(tuples).size, items_max)

    @staticmethod
    def memory_bits_of(*, operator, tuples, items_max):
        """Returns the bits of memory for these sizes; builds nothing."""
        check_sizes(operator, tuples, items_max)
        return BlockMemory.bits_of(operator.state(tuples).size, items_max)

    @property
    def memory_bits(self):
        """Bits of memory of this component."""
        return self._items.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.items = self._items
        bits = len(self._items.write_address)
        # These counters of items are modulo twice the depth, so that full and empty differ.
        written = Signal(bits + 1)
        base = Signal(bits + 1)  # first item of the current window
        place = Signal(bits + 1)  # next item to read
        offset = Signal.like(self.size)  # place - base
        input_ended = Signal()
        finish = Signal()  # all items of the ended stream have been read
        m.d.comb += finish.eq(input_ended & (place == written))
        size, slide, stream_start = self._write(m, written, base, input_ended, finish)
        step, final, in_flight = self._read(m, written, base, place, offset, size, slide)
        m.d.comb += self.busy.eq(input_ended | in_flight)
        if self._stamped:
            self._stamp(m, stream_start, step, final)
        with m.If(finish):
            m.d.sync += [counter.eq(0) for counter in (written, base, place, offset)]
        return m

    def _write(self, m, written, base, input_ended, finish):
        """Stores the arriving items, and samples the settings with a stream's first item.

        Returns the sampled size and slide, and a bit: no item of the stream has arrived.
        """
        items = self._items
        transfer = Signal()
        stream_start = Signal(init=1)  # no item of the stream has arrived yet
        size = Signal.like(self.size, reset_less=True)
        slide = Signal.like(self.slide, reset_less=True)
        m.d.comb += [
            # The ring is full when both counters have the same place, one round apart.
            self.i.ready.eq(((written ^ base) != 1 << len(items.write_address)) & ~input_ended),
            transfer.eq(self.i.valid & self.i.ready),
            items.write_address.eq(written[:-1]),
            items.write_data.eq(self.i.p.state),
            items.write_enable.eq(transfer & self.i.p.valid),
        ]
        with m.If(stream_start):
            m.d.sync += [size.eq(self.size), slide.eq(self.slide)]
        with m.If(items.write_enable):
            m.d.sync += [written.eq(written + 1), stream_start.eq(0)]
        with m.If(transfer & self.i.p.last):
            m.d.sync += input_ended.eq(1)
        with m.If(finish):
            m.d.sync += [input_ended.eq(0), stream_start.eq(1)]
        return size, slide, stream_start

    def _read(self, m, written, base, place, offset, size, slide):
        """Reads the items of each window, one per cycle, and joins them.

        Returns three bits: the pipeline advances in this cycle; the last item of a window is read;
        the pipeline contains an item or a row.
        """
        state = self.o.p.state.shape()
        step = Signal()
        read = Signal()
        final = Signal()
        items_read = Signal.like(size)
        next_place = Signal.like(place)
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            read.eq(step & (place != written)),
            items_read.eq(offset + 1),
            final.eq(items_read == size),
            next_place.eq(Mux(final, base, place) + Mux(final, slide, 1)),
            self._items.read_address.eq(place[:-1]),
            self._items.read_enable.eq(read),
        ]
        with m.If(read):
            m.d.sync += [place.eq(next_place), offset.eq(items_read)]
            with m.If(final):
                m.d.sync += [base.eq(next_place), offset.eq(0)]

        item_read = Signal()
        starts_window = Signal()
        ends_window = Signal()
        row_complete = Signal()
        total = Signal(state, reset_less=True)
        value = state(self._items.read_data)
        with m.If(step):
            m.d.sync += [
                item_read.eq(read),
                starts_window.eq(offset == 0),
                ends_window.eq(final),
                row_complete.eq(item_read & ends_window),
            ]
            with m.If(item_read):
                m.d.sync += wire(total, self._operator.restart(total, value, starts_window, 0))
        m.d.comb += [self.o.valid.eq(row_complete), self.o.p.state.eq(total)]
        return step, read & final, item_read | row_complete

    def _stamp(self, m, stream_start, step, final):
        """Delays the stamp of the current window with its items, through memory and combine."""
        next_stamp = Signal.like(self.stamp, reset_less=True)
        stride = Signal.like(self.stride, reset_less=True)
        stamp_read = Signal.like(self.stamp, reset_less=True)
        with m.If(stream_start):
            m.d.sync += [next_stamp.eq(self.stamp), stride.eq(self.stride)]
        with m.Elif(final):
            m.d.sync += next_stamp.eq(next_stamp + stride)
        with m.If(step):
            m.d.sync += [stamp_read.eq(next_stamp), self.o.p.stamp.eq(stamp_read)]
