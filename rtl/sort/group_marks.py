"""Computes the length of the next group that leaves a linear sorter."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

#: Cells of a part. The first cycle of a search finds the first stop of each part, the second cycle
#: the first part with a stop.
PART = 8


def search_layout(cells):
    """Returns the layout of a search for a group's end, after its first cycle.

    ``first``: cell 0 is marked. ``parts``: part p describes the cells 8 p to 8 p + 7; ``any``: the
    part has a stop; ``at``: number of the first stop within the part. A first stop in cell 19 is
    ``at`` 3 of part 2.
    """
    part = data.StructLayout({"any": 1, "at": range(PART)})
    parts = data.ArrayLayout(part, cells // PART + 1)
    return data.StructLayout({"first": 1, "parts": parts})


def length_of(m, search, length):
    """Assigns the number of cells before the first stop to ``length``: a search's second cycle."""
    for part, stop in reversed(list(enumerate(search.parts))):
        with m.If(stop.any):
            m.d.comb += length.eq(PART * part + stop.at)


class GroupMarks(wiring.Component):
    """Marks each cell of a linear sorter that holds the first tuple of a group.

    Tuples of a group are neighbours. So the length of a group whose first tuple is in cell 0 is the
    number of the first *stop* after cell 0: a marked cell, an unused cell, or the end of the cells.
    With groups 7 and 9 in six cells::

        cell      0 1 2 3 4 5
        group     7 7 7 9 - -
        mark      1 0 0 1 . .
        stop      . 0 0 1 1 1 1     the first is at 3, so group 7 has 3 tuples

    Marks move with their tuples. An arriving tuple is inserted into a cell p: the tuples of cell p
    and of all cells to the right move one cell to the right. The arriving tuple is marked unless
    the tuple in cell p - 1 belongs to the same group; the next tuple of the group, if marked, loses
    its mark. When the tuple in cell 0 leaves, all tuples move one cell to the left.

    The search takes two cycles: this component computes the first, and :func:`length_of` the
    second. ``search`` is combinational.

    Parameters
    ----------
    cells : int

    Members
    -------
    same : In(cells)
        Cells with a tuple of the arriving tuple's group and chunk.
    passes : In(cells)
        The arriving tuple belongs to the left of the cell's tuple, or the cell is unused: high for
        cell p and for all cells to the right of cell p.
    used : In(cells)
        Cells with a tuple.
    insert : In(1)
        The arriving tuple is inserted.
    pop : In(1)
        The tuple in cell 0 leaves.
    search : Out(search_layout(cells))

    Source: seed 003, section 3.3 and figure 7, which has a counter in each cell; marks are ours.
    """

    def __init__(self, cells):
        self._cells = cells
        super().__init__(
            {
                "same": In(cells),
                "passes": In(cells),
                "used": In(cells),
                "insert": In(1),
                "pop": In(1),
                "search": Out(search_layout(cells)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        passes = self.passes
        insert = self.insert
        pop = self.pop
        first = Signal(self._cells, reset_less=True)  # the marks
        # An insertion moves the mark of cell k to cell k + 1. So ``marks[k]`` is the mark that cell
        # k + 1 has after the insertion: ``marks[p - 1]`` of the arriving tuple, whose left
        # neighbour is in cell p - 1, and ``marks[k]`` with k >= p of the tuple in cell k.
        marks = Signal(self._cells)
        m.d.comb += marks.eq(~self.same & (first | ~passes))
        from_left = Cat(1, marks[:-1])
        from_right = Cat(first[1:], 0)
        right_passes = Cat(passes[1:], 1)
        for k in range(self._cells):
            with m.If(pop | (insert & passes[k])):
                # With a pop and an insertion, the tuples to the left of the arriving tuple shift
                # left, the arriving tuple goes to cell p - 1, and all other tuples stay.
                shift = pop & ~(insert & right_passes[k])
                m.d.sync += first[k].eq(Mux(shift, from_right[k], Mux(pop, marks[k], from_left[k])))
        stops = Cat(0, (first | ~self.used)[1:], 1)
        m.d.comb += self.search.first.eq(first[0])
        for part, stop in enumerate(self.search.parts):
            bits = stops[PART * part :][:PART]
            m.d.comb += [stop.any.eq(bits.any()), stop.at.eq(lowest(bits))]
        return m


def lowest(bits):
    """Returns the number of the lowest set bit, or of the highest bit if none is set."""
    if len(bits) == 1:
        return Const(0, 0)
    half = 1 << (len(bits) - 1).bit_length() - 1
    low = bits[:half]
    high = lowest(bits[half:])
    return Mux(low.any(), lowest(low), half | high)
