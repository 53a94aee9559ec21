"""Moves the cells of a line of sorted values when a value enters or leaves."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Mux, Signal, Value


def from_first(bits):
    """Returns bits that are high from the lowest high bit of ``bits`` up.

    The formula ``bits | -bits`` uses the carry chain of an FPGA. Without it a synthesis tool makes
    a long chain of LUTs. For instance 001010, from bit 5 down to bit 0, becomes 111110.
    """
    return (bits | -bits)[: len(bits)]


def selected(values, index):
    """Returns the value with number ``index``; the number of values is a power of two."""
    for bit in index:
        if len(values) == 1:
            break
        values = [Mux(bit, b, a) for a, b in zip(values[::2], values[1::2], strict=True)]
    return values[0]


def count_to_three(bits):
    """Returns whether at least 1, 2 and 3 bits are high, as three values."""
    counts = [(bit, 0, 0) for bit in bits]
    while len(counts) > 1:
        pairs = zip(counts[::2], counts[1::2], strict=False)
        counts = [added(a, b) for a, b in pairs] + counts[len(counts) & ~1 :]
    return counts[0]


def added(a, b):
    """Returns the sum of two counts, but at most 3, in the form of :func:`count_to_three`.

    For instance 1 1 0, which stands for 2 bits, plus 1 0 0, for 1 bit, is 1 1 1. The sum of 2 and 2
    is 1 1 1, too.
    """
    return a[0] | b[0], a[1] | b[1] | (a[0] & b[0]), a[2] | b[2] | (a[1] & b[0]) | (a[0] & b[1])


@dataclass(frozen=True)
class LineMoves:
    """Decides which content each cell of a line gets.

    Let p be the place of the first cell with a greater key than the new value, where free cells
    count as greater, and r the place of the value that leaves, both before the change. The cells
    between the two places move by one: from p to r upwards, or from r to p downwards. Without a new
    value p is after all cells; without a leaving value r is after all cells. For instance 6 enters
    and 3 leaves, and then 1 enters and 8 leaves::

        2 3 5 8 9     r = 1, p = 3: cell 1 gets 5, cell 2 gets 6
        2 5 6 8 9     r = 3, p = 0: cell 0 gets 1, cells 1 to 3 get 2, 5, 6
        1 2 5 6 9

    All decisions look at the cell and its two neighbours, so a line is changed in a cycle, and
    lines one after the other: the cell before a line comes from a register, the cell after a line
    from the next line, which has not changed yet.

    Attributes
    ----------
    greater : list of Value
        For each cell and the cell after the line: p is at the cell, or before.
    from_leaver : list of Value
        For each cell: r is at the cell, or before.
    before : (Value, Value)
        ``greater`` and ``from_leaver`` of the cell before the line.
    """

    greater: list
    from_leaver: list
    before: tuple

    def rises(self, k):
        """Returns whether cell k gets the content of the cell before it."""
        greater, from_leaver = self._before(k)
        return greater & ~from_leaver

    def takes(self, k):
        """Returns whether cell k gets the new value."""
        greater, from_leaver = self._before(k)
        first = self.greater[k] & ~greater & ~from_leaver
        return first | (~self.greater[k] & self.greater[k + 1] & self.from_leaver[k])

    def falls(self, k):
        """Returns whether cell k gets the content of the cell after it."""
        return self.from_leaver[k] & ~self.greater[k + 1]

    def _before(self, k):
        return (self.greater[k - 1], self.from_leaver[k - 1]) if k else self.before

    def moved(self, m, cells, new):
        """Returns the changed cells.

        ``cells`` has the cell before the line, the cells of the line, and the cell after the line.
        Each cell is a mapping from names of members to values, and so is ``new``.
        """
        result = []
        for k in range(len(self.from_leaver)):
            before, own, after = cells[k : k + 3]
            choices = Signal(3, name=f"choices{k}")
            m.d.comb += choices.eq(Cat(self.rises(k), self.takes(k), self.falls(k)))
            changed = {}
            for name, value in own.items():
                changed[name] = Signal(len(value), name=f"{name}_changed{k}")
                others = (Value.cast(other[name]) for other in (before, new, after))
                for choice, other in zip(choices, others, strict=True):
                    value = Mux(choice, other, value)
                m.d.comb += changed[name].eq(value)
            result.append(changed)
        return result
