"""The linear sorter: one tuple in and one out in every cycle, chunk after chunk."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat


class LinearSorter(wiring.Component):
    """Sorts chunks of up to ``cells`` tuples by insertion, while it gives away the one before.

    ::

        i ----+---------+---------+---------+     every cell compares itself with the tuple that
              |         |         |         |     comes in, and takes it, its left neighbour's,
        o <- cell 0 <-> cell 1 <-> cell 2 <-> ...  or its right neighbour's (when cell 0 leaves)

    The cells hold, from cell 0 on, what is left of the finished chunk, then the growing one. A bit
    in each cell tells the two apart, so a tuple of the growing chunk never passes one of the
    finished chunk: the array is one sorted list all the time, and no cell is ever idle.

    At ``i`` a chunk is a stream of single tuples, at least one and at most ``cells``, ``last`` on
    the final one; a longer one stops for ever. Stable: tuples that tie in ``order`` leave in the
    order in which they came. ``i`` stalls while the cells are full and ``o`` stalls, and, when
    chunks get longer, until a chunk has left altogether before the next but one begins.

    Latency 1 cycle from the last tuple of a chunk to its least, so n cycles from the first of n
    when ``i`` does not pause. Initiation interval 1 cycle: n cycles a chunk, when chunks are of one
    length.

    Parameters
    ----------
    order : SortOrder
    cells : int

    Members
    -------
    i : In(stream.Signature(beat(order.row, 1)))
    o : Out(stream.Signature(beat(order.row, 1)))

    Source: seed 003, section 3.3 and figure 7 (the linear sorter).
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, order, cells):
        if not isinstance(cells, int) or cells < 1:
            raise ValueError(f"cells must be an integer of at least 1, not {cells!r}")
        self._order, self._cells = order, cells
        single = beat(order.row, 1)
        super().__init__({"i": In(stream.Signature(single)), "o": Out(stream.Signature(single))})

    def elaborate(self, platform):
        m = Module()
        count = self._cells
        body = [
            Signal(self._order.row.size, name=f"body{k}", reset_less=True) for k in range(count)
        ]
        odd = [Signal(name=f"odd{k}", reset_less=True) for k in range(count)]
        used = Signal(count)
        growing = Signal()
        empty = Signal(init=1)  # the growing chunk has no tuple yet
        insert = Signal()
        pop = Signal()
        waits = Signal()

        arriving = self.i.p.tuples[0]
        key = Signal(self._order.width)
        m.d.comb += [
            key.eq(self._order.key(arriving)),
            # The chunk before the finished one still has the growing one's bit: let it leave first.
            waits.eq(empty & used[0] & (odd[0] == growing)),
            self.i.ready.eq((~used[-1] | pop) & ~waits),
            insert.eq(self.i.valid & self.i.ready),
            pop.eq(self.o.valid & self.o.ready),
            self.o.valid.eq(used[0] & ((odd[0] != growing) | waits)),
            self.o.p.tuples[0].eq(self._order.row(body[0])),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(~used[1] | (odd[1] != odd[0]) if count > 1 else 1),
        ]
        with m.If(insert):
            m.d.sync += [growing.eq(growing ^ self.i.p.last), empty.eq(self.i.p.last)]

        # passes[k]: the arriving tuple belongs left of cell k.
        passes = Signal(count)
        for k in range(count):
            lesser = (odd[k] == growing) & (key < self._order.key(self._order.row(body[k])))
            m.d.comb += passes[k].eq(~used[k] | lesser)
        left, right = Cat(0, passes[:-1]), Cat(passes[1:], 1)
        new = (Value.cast(arriving), growing)
        for k in range(count):
            after = (body[k + 1], odd[k + 1]) if k + 1 < count else new
            ahead = (body[k - 1], odd[k - 1]) if k else new
            with m.If(pop & ~(insert & passes[k])):
                source = insert & right[k]
                m.d.sync += [
                    body[k].eq(Mux(source, new[0], after[0])),
                    odd[k].eq(Mux(source, new[1], after[1])),
                    used[k].eq(source | (used[k + 1] if k + 1 < count else 0)),
                ]
            with m.Elif(~pop & insert & passes[k]):
                m.d.sync += [
                    body[k].eq(Mux(left[k], ahead[0], new[0])),
                    odd[k].eq(Mux(left[k], ahead[1], new[1])),
                    used[k].eq(used[k - 1] | ~left[k] if k else 1),
                ]
        return m
