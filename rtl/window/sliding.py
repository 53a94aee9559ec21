"""The sliding aggregate of constant cost: each part of a state takes the cheaper of two paths."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.aggregate.operator import Product
from rtl.stream.beat import wire
from rtl.window.evict_path import EvictPath
from rtl.window.sliding_ports import check_sizes, sliding_ports
from rtl.window.stacks_path import StacksPath


class Sliding(wiring.Component):
    """Aggregates the last ``size`` items; each part of a product takes the cheaper of two paths.

    ::

        i ---+--> total:  remove and combine, for count, sum, avg, ... ---+--> o
             +--> stacks: two stacks, for min, max, ...                ---+
             +--> items until the next window is full ------------- valid

    The invertible parts of a :class:`~rtl.aggregate.operator.Product` take an
    :class:`~rtl.window.evict_path.EvictPath`, and the remaining parts a
    :class:`~rtl.window.stacks_path.StacksPath`, in parallel; an operator that is not a product
    takes one of the two paths. Each path has the state of the last ``size`` items after every item.
    This component counts the items, and forwards a state only when a window is full. With size 4
    and slide 2 a row follows the items 4, 6, 8, ...

    In every cycle the component can accept one item and, with slide 1, send one window: for every
    size an item costs at most four combines. The operator need not commute; items are joined in
    order, but not from left to right.

    Rows leave in the order of the windows. A window that the end of the stream cuts short has no
    row. The next stream may follow in the next cycle with other settings, and starts with no items.
    A stall at ``o`` stops all registers and stalls ``i`` in the same cycle; ``i`` never stalls
    otherwise. A size or slide out of bounds causes wrong rows until the end of the stream.

    Latency 2 cycles from the last item of a window to its row, always. Initiation interval 1 cycle.
    Memory: ``items_max`` states (:meth:`memory_bits_of`), and at least 4 states for the stacks. A
    memory of up to 32 states or 1,024 bits is LUT RAM, a larger memory is block RAM; the stacks
    have two memories of half the depth.

    Parameters
    ----------
    operator : Operator
        An operator without a context.
    tuples : int
        Largest number of tuples in a window.
    items_max : int
        Number of items in the largest window; a power of two of at least 2.
    item_tuples : int or None
        Largest number of tuples in an item; None stands for ``tuples``.
    stamp : int
        Width of the rows' stamps, 0 for none (:func:`~rtl.window.sliding_ports.sliding_ports`).

    Members
    -------
    i : In(stream.Signature(item_layout(operator.state(item_tuples))))
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
        The component contains a row.

    Source: seed 004, section 2.2; two paths in parallel with equal latency are ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, *, operator, tuples, items_max, item_tuples=None, stamp=0):
        super().__init__(
            sliding_ports(operator, tuples, items_max, item_tuples=item_tuples, stamp=stamp)
        )
        self._stamped = stamp > 0
        self._paths = {
            name: kind(part, *states, items_max)
            for name, (kind, part, states) in _paths(operator, tuples, item_tuples).items()
        }

    @staticmethod
    def memory_bits_of(*, operator, tuples, items_max, item_tuples=None):
        """Returns the bits of memory for these sizes; builds nothing."""
        check_sizes(operator, tuples, items_max)
        return sum(
            kind.memory_bits_of(*states, items_max)
            for kind, _, states in _paths(operator, tuples, item_tuples).values()
        )

    @property
    def memory_bits(self):
        return sum(path.memory_bits for path in self._paths.values())

    def elaborate(self, platform):
        m = Module()
        # For each item in the paths: the item completes a window.
        window_complete = Signal(self.latency)
        step = Signal()
        transfer = Signal()
        stream_end = Signal()
        window_due = Signal()
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            transfer.eq(self.i.valid & self.i.p.valid & step),
            stream_end.eq(self.i.valid & self.i.p.last & step),
            self.i.ready.eq(step),
            self.o.valid.eq(window_complete[-1]),
            self.busy.eq(window_complete.any()),
        ]
        with m.If(step):
            m.d.sync += window_complete.eq(Cat(transfer & window_due, window_complete))
        stream_start = self._count(m, transfer, stream_end, window_due)
        if self._stamped:
            self._stamp(m, step, transfer, stream_start, window_due)

        for name, path in self._paths.items():
            m.submodules[name] = path
            m.d.comb += [
                path.step.eq(step),
                path.transfer.eq(transfer),
                path.flush.eq(stream_end),
                path.first_item.eq(stream_start),
                path.size.eq(self.size),
                *wire(path.i, self.i.p.state),
            ]
            for member, _ in path.o.shape():
                m.d.comb += wire(self.o.p.state[member], path.o[member])
        return m

    def _count(self, m, transfer, stream_end, window_due):
        """Counts the items until the next full window, and drives ``window_due``.

        ``window_due`` is high if the arriving item completes a window. Returns ``stream_start``, a
        signal: the arriving item is the first of its stream.
        """
        stream_start = Signal(init=1)
        slide = Signal.like(self.slide, reset_less=True)
        items_left = Signal.like(self.size, reset_less=True)
        items_until_due = Signal.like(self.size)  # including the arriving item
        m.d.comb += [
            items_until_due.eq(Mux(stream_start, self.size, items_left)),
            window_due.eq(items_until_due == 1),
        ]
        with m.If(transfer):
            next_count = Mux(stream_start, self.slide, slide)
            m.d.sync += [
                items_left.eq(Mux(window_due, next_count, items_until_due - 1)),
                stream_start.eq(0),
            ]
            with m.If(stream_start):
                m.d.sync += slide.eq(self.slide)
        with m.If(stream_end):
            m.d.sync += stream_start.eq(1)
        return stream_start

    def _stamp(self, m, step, transfer, stream_start, window_due):
        """Counts the stamps of rows, and delays each stamp by the latency of the paths."""
        next_stamp = Signal.like(self.stamp, reset_less=True)
        stride = Signal.like(self.stride, reset_less=True)
        current = Signal.like(self.stamp)
        m.d.comb += current.eq(Mux(stream_start, self.stamp, next_stamp))
        with m.If(transfer):
            current_stride = Mux(stream_start, self.stride, stride)
            m.d.sync += [
                next_stamp.eq(current + Mux(window_due, current_stride, 0)),
                stride.eq(current_stride),
            ]
        for level in range(self.latency):
            delayed = Signal.like(current, name=f"stamp{level}", reset_less=True)
            with m.If(step):
                m.d.sync += delayed.eq(current)
            current = delayed
        m.d.comb += self.o.p.stamp.eq(current)


def _paths(operator, tuples, item_tuples):
    """Returns the class, the operator and the layouts of each path, by the path's name.

    The layouts are those of the state of an item and of a window. The function builds no component,
    because :meth:`Sliding.memory_bits_of` only needs the sizes of the paths.
    """
    if isinstance(operator, Product):
        parts_by_invertible = {True: {}, False: {}}
        for name, part in operator.parts.items():
            parts_by_invertible[part.invertible][name] = part
        operators = {
            invertible: Product(**parts)
            for invertible, parts in parts_by_invertible.items()
            if parts
        }
    else:
        operators = {operator.invertible: operator}
    path_classes = {True: ("total", EvictPath), False: ("stacks", StacksPath)}
    item_tuples = tuples if item_tuples is None else item_tuples
    return {
        path_classes[invertible][0]: (
            path_classes[invertible][1],
            part,
            (part.state(item_tuples), part.state(tuples)),
        )
        for invertible, part in operators.items()
    }
