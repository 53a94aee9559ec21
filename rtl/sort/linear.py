"""The linear sorter: accepts and sends one tuple per cycle, chunk after chunk."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.group_marks import GroupMarks, length_of, search_layout
from rtl.stream.beat import beat
from rtl.stream.register import StreamRegister


def head_layout(order, cells):
    """Layout of cell 0's tuple; with cardinality also the search for the end of its group."""
    members = {"tuple": order.tuple_layout, "last": 1}
    search = {"search": search_layout(cells)} if order.cardinality else {}
    return data.StructLayout(members | search)


class LinearSorter(wiring.Component):
    """Sorts chunks of up to ``cells`` tuples by insertion, while earlier chunks leave.

    ::

        i ----+---------+---------+---------+     every cell compares the arriving tuple with its
              |         |         |         |     own, and loads the arriving tuple, or that of the
        o <- cell 0 <-> cell 1 <-> cell 2 <-> ...  left cell, or of the right cell (on a pop)

    A *pop* is the transfer of the tuple in cell 0 to ``o``.

    The cells hold, from cell 0 on, the rest of the finished chunks, then the growing chunk. A bit
    in each cell marks the growing chunk. An arriving tuple is inserted only in the growing chunk,
    so no cell is idle, and any number of finished chunks can wait. Another bit marks the last tuple
    of each chunk.

    At ``i`` a chunk is a stream of single tuples, at least one and at most ``cells``, ``last`` on
    the final one; a longer chunk stalls for ever. Stable: tuples that tie in ``order`` leave in the
    order of their arrival. ``i`` stalls while the cells are full and ``o`` stalls.

    An empty beat at ``i`` (tuple not valid) with ``last`` *drops* the growing chunk, if any. The
    beat is taken at once, even if the cells are full. An empty beat without ``last`` is ignored.

    With ``order.cardinality`` each tuple leaves with the number of tuples of its group in its
    chunk; the cardinality at ``i`` is ignored. See :class:`~rtl.sort.group_marks.GroupMarks`.

    Latency 1 cycle from the last tuple of a chunk at ``i`` to its least tuple at ``o``, 2 cycles
    with cardinality. So the least of n tuples follows the first tuple after n cycles, or n + 1, if
    ``i`` does not pause. Initiation interval 1 cycle: a chunk of n tuples takes n cycles.

    Parameters
    ----------
    order : SortOrder
    cells : int

    Members
    -------
    i : In(stream.Signature(beat(order.row, 1)))
    o : Out(stream.Signature(beat(order.row, 1)))

    Source: seed 003, section 3.3 and figure 7 (the linear sorter, there with a counter in each
    cell). Marks at the first tuple of a group, in place of the counters, are ours.
    """

    initiation_interval = 1

    def __init__(self, order, cells):
        if not isinstance(cells, int) or cells < 1:
            raise ValueError(f"cells must be an integer of at least 1, not {cells!r}")
        self._order = order
        self._cells = cells
        single = beat(order.row, 1)
        super().__init__({"i": In(stream.Signature(single)), "o": Out(stream.Signature(single))})

    @staticmethod
    def latency_of(order):
        """Latency in cycles; with cardinality a register for the group's length costs a cycle."""
        return 2 if order.cardinality else 1

    @property
    def latency(self):
        return self.latency_of(self._order)

    def elaborate(self, platform):
        m = Module()
        head = stream.Signature(head_layout(self._order, self._cells)).create()
        order = self._order.bare
        cells = range(self._cells)
        body = [Signal(order.row, name=f"body{k}", reset_less=True) for k in cells]
        used = Signal(self._cells)
        growing = Signal(self._cells, reset_less=True)
        end = Signal(self._cells, reset_less=True)
        passes = Signal(self._cells)  # the arriving tuple belongs left of cell k
        insert = Signal()
        drop = Signal()
        pop = Signal()

        arriving = self._order.tuple(self.i.p.tuples[0])
        key = Signal(order.width)
        m.d.comb += [
            key.eq(order.key(arriving)),
            self.i.ready.eq(~used[-1] | pop | ~self.i.p.valid),
            insert.eq(self.i.valid & self.i.ready & self.i.p.valid),
            drop.eq(self.i.valid & ~self.i.p.valid & self.i.p.last),
            pop.eq(head.valid & head.ready),
            head.valid.eq(used[0] & ~growing[0]),
            head.p.tuple.eq(body[0]),
            head.p.last.eq(end[0]),
        ]
        for k in cells:
            m.d.comb += passes[k].eq(~used[k] | (growing[k] & (key < order.key(body[k]))))
        # Without a pop, tuples right of the arriving tuple's place move one cell to the right. With
        # a pop, tuples left of the place move one cell to the left, or all if no tuple arrives.
        remaining = used & ~(growing & drop.replicate(self._cells))
        left = Cat(0, passes[:-1])
        right = Cat(passes[1:], 1)
        m.d.sync += used.eq(remaining)
        for k in cells:
            right_cell = min(k + 1, self._cells - 1)
            left_cell = max(k - 1, 0)
            load = Signal(name=f"takes{k}")  # loads the arriving tuple, not a neighbour's
            m.d.comb += load.eq(Mux(pop, insert & right[k], ~left[k]))
            with m.If(pop ^ (insert & passes[k])):
                neighbour = Mux(pop, body[right_cell].as_value(), body[left_cell].as_value())
                m.d.sync += [
                    body[k].eq(Mux(load, arriving.as_value(), neighbour)),
                    growing[k].eq(load | ~pop | growing[right_cell]),
                    used[k].eq(
                        load
                        | Mux(pop, remaining[right_cell] if right_cell > k else 0, used[left_cell])
                    ),
                ]
            # The final tuple marks the chunk's last cell: the first unused cell so far, or with a
            # pop the cell before it.
            beyond = Mux(pop, Cat(used[1:], 0)[k], used[k])
            with m.If(pop | (insert & passes[k])):
                shift = pop & ~(insert & right[k])
                m.d.sync += end[k].eq(Mux(shift, end[right_cell], self.i.p.last & ~beyond))
        with m.If(insert & self.i.p.last):
            m.d.sync += growing.eq(0)
        if self._order.cardinality:
            group = order.group_of(arriving)
            m.submodules.marks = marks = GroupMarks(self._cells)
            m.d.comb += [
                marks.same.eq(Cat(group == order.group_of(held) for held in body) & growing),
                marks.passes.eq(passes),
                marks.used.eq(used),
                marks.insert.eq(insert),
                marks.pop.eq(pop),
                head.p.search.eq(marks.search),
            ]
        self._output(m, head)
        return m

    def _output(self, m, head):
        """Drives ``o`` from cell 0, with cardinality through a register that shortens the path."""
        source = head
        if self._order.cardinality:
            m.submodules.head = register = StreamRegister(head.p.shape())
            wiring.connect(m, head, register.i)
            source = register.o
            length = Signal(range(self._cells + 1))
            group_length = Signal.like(length)  # length of the group whose first tuple has left
            length_of(m, source.p.search, length)
            begins = source.p.search.first
            m.d.comb += self.o.p.tuples[0].cardinality.eq(Mux(begins, length, group_length))
            with m.If(source.valid & source.ready & begins):
                m.d.sync += group_length.eq(length)
        m.d.comb += [
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            self._order.tuple(self.o.p.tuples[0]).eq(source.p.tuple),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(source.p.last),
        ]
