"""Describes the search for percentiles by a pivot of each key; no hardware is built here."""

from dataclasses import dataclass

from amaranth.lib import data

from rtl.aggregate.pivot_selection import search_layout

#: Number of windows that may be in the buffer of windows, a power of two.
WINDOWS = 32


@dataclass(frozen=True, kw_only=True)
class PivotPlan:
    """Describes the search for percentiles of the windows of keys.

    Attributes
    ----------
    width : int
        Bits of a value of the column.
    fractions : tuple of Fraction
        Fraction of each percentile, such as 1/2 for a median.
    neighbours : int
        K: number of values next to a pivot that a pass keeps on either side, a power of two.
    entries : int
        Entries of the table of keys.
    lines : int
        Lines, or blocks, of the largest window.
    """

    width: int
    fractions: tuple
    neighbours: int
    entries: int
    lines: int

    @property
    def depth(self):
        """Number of lines that the buffer of windows holds: the first power of two above both
        2 * WINDOWS and the lines of the largest window + 1, so 128 for windows of up to 126 lines.
        """
        return 1 << max(2 * WINDOWS, self.lines + 1).bit_length()

    @property
    def pivots(self):
        """Layout of the pivots of a window, one for each percentile."""
        return data.ArrayLayout(self.width, len(self.fractions))

    @property
    def searches(self):
        """Layout of the searches of a window, one for each percentile."""
        return data.ArrayLayout(search_layout(self.width), len(self.fractions))

    @property
    def started(self):
        """Layout of the data with which a pass begins: its ``searches``, ``turn`` and ``slot``.

        ``turn`` changes when the windows are sent again from the oldest on. ``slot`` numbers
        windows and ends of streams together, modulo :data:`WINDOWS`.
        """
        return data.StructLayout({"turn": 1, "slot": range(WINDOWS), "searches": self.searches})

    @property
    def verdict(self):
        """Layout of the result of a pass.

        ``found``: the pass found all answers, which are the pivots of ``searches``. ``in_order``:
        no earlier pass since the last restart has failed. If both are high, the row of the window
        leaves. Otherwise the next pass of the window in ``slot`` begins with ``searches``, unless
        this pass has ended early.
        """
        return data.StructLayout(
            {"found": 1, "in_order": 1, "slot": range(WINDOWS), "searches": self.searches}
        )

    def passing(self, line):
        """Returns the layout of a line of a pass, for the layout of a line of a window.

        The line's ``passenger`` also has the ``pivots``, and ``again``: the line was sent before.
        """
        members = {name: field.shape for name, field in line}
        carried = {name: field.shape for name, field in members["passenger"]}
        carried |= {"pivots": self.pivots, "again": 1}
        return data.StructLayout(members | {"passenger": data.StructLayout(carried)})

    def memory_bits(self, line):
        """Returns the bits of memory of WindowPasses, for the layout of a line of a window."""
        saved = WINDOWS * self.searches.size
        return self.depth * line.size + self.entries * self.pivots.size + saved
