"""How long the group is that leaves a linear sorter next."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

#: Cells of which the first mark is found in one cycle; in the next, the first of such parts.
PART = 8


def search_layout(cells):
    """A half-done search for the second mark.

    ``first``: cell 0 is marked. ``parts``: of cells 8 p to 8 p + 7, whether there is ``any`` stop,
    and ``at`` which of them the first is.
    """
    part = data.StructLayout({"any": 1, "at": range(PART)})
    parts = data.ArrayLayout(part, cells // PART + 1)
    return data.StructLayout({"first": 1, "parts": parts})


def length_of(m, search, length):
    """Gives to ``length`` the cells up to the first stop of a search."""
    for part, found in reversed(list(enumerate(search.parts))):
        with m.If(found.any):
            m.d.comb += length.eq(PART * part + found.at)


class GroupMarks(wiring.Component):
    """Keeps a mark in each cell of a linear sorter that holds the first tuple of a group.

    Tuples of a group are neighbours. So a group whose first tuple is in cell 0 is as long as it is
    to the first *stop* behind: a cell that is marked, or not used, or the end of the cells. Of
    groups 7 and 9 in six cells::

        cell      0 1 2 3 4 5
        group     7 7 7 9 - -
        mark      1 0 0 1 . .
        stop      . 0 0 1 1 1 1     the first is at 3, so group 7 has 3 tuples

    Marks move with their tuples. An arriving tuple is marked unless its left neighbour is of its
    group; then the next tuple of its group, if there is one, is the first no longer.

    The search is made in two cycles; this is the first of them, :func:`length_of` the second.
    Combinational to ``search``.

    Parameters
    ----------
    cells : int

    Members
    -------
    same : In(cells)
        Cells whose tuple is of the group of the arriving one, and of its chunk.
    passes : In(cells)
        Cells to whose left the arriving tuple belongs.
    used : In(cells)
    insert : In(1)
        The arriving tuple goes in.
    pop : In(1)
        The tuple in cell 0 leaves.
    search : Out(search_layout(cells))

    Source: seed 003, section 3.3 and figure 7 has a counter in each cell; marks are ours.
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
        passes, insert, pop = self.passes, self.insert, self.pop
        first = Signal(self._cells, reset_less=True)
        # Of each tuple when the arriving one is in; and of that one at the place left of its own.
        marks = Signal(self._cells)
        m.d.comb += marks.eq(~self.same & (first | ~passes))
        before, after, right = Cat(1, marks[:-1]), Cat(first[1:], 0), Cat(passes[1:], 1)
        for k in range(self._cells):
            with m.If(pop | (insert & passes[k])):
                shift = pop & ~(insert & right[k])
                m.d.sync += first[k].eq(Mux(shift, after[k], Mux(pop, marks[k], before[k])))
        stops = Cat(0, (first | ~self.used)[1:], 1)
        m.d.comb += self.search.first.eq(first[0])
        for part, found in enumerate(self.search.parts):
            bits = stops[PART * part :][:PART]
            m.d.comb += [found.any.eq(bits.any()), found.at.eq(lowest(bits))]
        return m


def lowest(bits):
    """The number of the lowest bit that is set; that of the highest if none is."""
    if len(bits) == 1:
        return Const(0, 0)
    half = 1 << (len(bits) - 1).bit_length() - 1
    low, high = bits[:half], lowest(bits[half:])
    return Mux(low.any(), lowest(low), half | high)
