"""count(distinct x)."""

from rtl.aggregate.count import Count
from rtl.aggregate.entry import Entry


class CountDistinct(Count):
    """``count(distinct x)`` of tuples sorted by x within each group.

    Equal values are neighbours, so a value counts if it differs from the previous value. The seed's
    operator has first, last and count of each run, and a comparison in every node of the scan (003
    section 3.1 step c). Here the operator is a plain count, because each tuple is compared once, by
    the component that marks group boundaries.

    Parameters
    ----------
    column : str
        The column x.
    width : int
        Width of the result, in bits.
    """

    invertible = False

    def __init__(self, column, width):
        super().__init__(width)
        self.column = column

    def lift(self, tuple_, context):
        return {"value": tuple_.fresh[self.column]}

    def repeat(self, tuple_, times, context):
        """Returns the state of one tuple: repetitions add no new value."""
        return self.lift(tuple_, context)


ENTRY = Entry(
    operator=lambda operand: CountDistinct(operand.column, operand.count_width),
    needs_sorted_windows=True,
)
