"""The linear sorter: one tuple in and one out in every cycle, chunk after chunk."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.group_marks import GroupMarks, length_of, search_layout
from rtl.stream.beat import beat
from rtl.stream.register import StreamRegister


def head_layout(order, cells):
    """The tuple in cell 0; with cardinality also the search for the end of its group."""
    members = {"tuple": order.tuple_layout, "last": 1}
    search = {"search": search_layout(cells)} if order.cardinality else {}
    return data.StructLayout(members | search)


class LinearSorter(wiring.Component):
    """Sorts chunks of up to ``cells`` tuples by insertion, while it gives away those before.

    ::

        i ----+---------+---------+---------+     every cell compares itself with the tuple that
              |         |         |         |     comes in, and takes it, its left neighbour's,
        o <- cell 0 <-> cell 1 <-> cell 2 <-> ...  or its right neighbour's (when cell 0 leaves)

    The cells hold, from cell 0 on, what is left of the finished chunks, then the growing one. A bit
    in each cell marks the growing chunk: only there does an arriving tuple go in, so no cell is
    ever idle, and any number of finished chunks can wait. Another bit marks the last tuple of each.

    At ``i`` a chunk is a stream of single tuples, at least one and at most ``cells``, ``last`` on
    the final one; a longer one stops for ever. Stable: tuples that tie in ``order`` leave in the
    order in which they came. ``i`` stalls while the cells are full and ``o`` stalls.

    An empty beat at ``i`` (its tuple not valid) with ``last`` *drops* the growing chunk, if there
    is one: nothing of it comes out. It is taken at once, even when the cells are full. One without
    ``last`` is taken and does nothing.

    With ``order.cardinality`` each tuple comes out with the number of tuples of its group in its
    chunk; what it had of that at ``i`` has no say. See :class:`~rtl.sort.group_marks.GroupMarks`.

    Latency 1 cycle from the last tuple of a chunk to its least, 2 with cardinality; so n or n + 1
    cycles from the first of n when ``i`` does not pause. Initiation interval 1 cycle: n cycles a
    chunk, whatever the lengths of chunks.

    Parameters
    ----------
    order : SortOrder
    cells : int

    Members
    -------
    i : In(stream.Signature(beat(order.row, 1)))
    o : Out(stream.Signature(beat(order.row, 1)))

    Source: seed 003, section 3.3 and figure 7 (the linear sorter); that groups are marked at their
    first tuple instead of counted in each cell is ours.
    """

    initiation_interval = 1

    def __init__(self, order, cells):
        if not isinstance(cells, int) or cells < 1:
            raise ValueError(f"cells must be an integer of at least 1, not {cells!r}")
        self._order, self._cells = order, cells
        single = beat(order.row, 1)
        super().__init__({"i": In(stream.Signature(single)), "o": Out(stream.Signature(single))})

    @staticmethod
    def latency_of(order):
        """One cycle more for the register in which groups are counted."""
        return 2 if order.cardinality else 1

    @property
    def latency(self):
        return self.latency_of(self._order)

    def elaborate(self, platform):
        m = Module()
        head = stream.Signature(head_layout(self._order, self._cells)).create()
        order, cells = self._order.bare, range(self._cells)
        body = [Signal(order.row, name=f"body{k}", reset_less=True) for k in cells]
        used = Signal(self._cells)
        growing = Signal(self._cells, reset_less=True)
        end = Signal(self._cells, reset_less=True)
        passes = Signal(self._cells)  # the arriving tuple belongs left of cell k
        insert, drop, pop = Signal(), Signal(), Signal()

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
        # Without a pop, what is right of the arriving tuple's place moves one cell to the right;
        # with one, what is left of it moves to the left, and with no arrival everything does.
        kept = used & ~(growing & drop.replicate(self._cells))
        left, right = Cat(0, passes[:-1]), Cat(passes[1:], 1)
        m.d.sync += used.eq(kept)
        for k in cells:
            after, ahead = min(k + 1, self._cells - 1), max(k - 1, 0)
            takes = Signal(name=f"takes{k}")  # the arriving tuple, not a neighbour's
            m.d.comb += takes.eq(Mux(pop, insert & right[k], ~left[k]))
            with m.If(pop ^ (insert & passes[k])):
                neighbour = Mux(pop, body[after].as_value(), body[ahead].as_value())
                m.d.sync += [
                    body[k].eq(Mux(takes, arriving.as_value(), neighbour)),
                    growing[k].eq(takes | ~pop | growing[after]),
                    used[k].eq(takes | Mux(pop, kept[after] if after > k else 0, used[ahead])),
                ]
            # With the final tuple the chunk's last cell is marked: the first that was not used so
            # far, or with a pop the one before that.
            beyond = Mux(pop, Cat(used[1:], 0)[k], used[k])
            with m.If(pop | (insert & passes[k])):
                shift = pop & ~(insert & right[k])
                m.d.sync += end[k].eq(Mux(shift, end[after], self.i.p.last & ~beyond))
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
        self._give(m, head)
        return m

    def _give(self, m, head):
        """The cells' first tuple; with cardinality by way of a register, as that takes a while."""
        source = head
        if self._order.cardinality:
            m.submodules.head = register = StreamRegister(head.p.shape())
            wiring.connect(m, head, register.i)
            source = register.o
            length = Signal(range(self._cells + 1))
            rest = Signal.like(length)  # the length of a group whose first tuple has left
            length_of(m, source.p.search, length)
            begins = source.p.search.first
            m.d.comb += self.o.p.tuples[0].cardinality.eq(Mux(begins, length, rest))
            with m.If(source.valid & source.ready & begins):
                m.d.sync += rest.eq(length)
        m.d.comb += [
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            self._order.tuple(self.o.p.tuples[0]).eq(source.p.tuple),
            self.o.p.valid.eq(1),
            self.o.p.last.eq(source.p.last),
        ]
