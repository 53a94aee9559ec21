"""Computes ``count(distinct x)`` of a sorted column."""

from rtl.aggregate.count import Count
from rtl.aggregate.entry import Entry


class CountDistinct(Count):
    """``count(distinct x)`` of tuples sorted by x within each group.

    Equal values are neighbours, so a value counts if the value differs from the previous value of
    the group: the values 3 3 5 7 7 count as 1 0 1 1 0, and the result is 3. The component that
    marks group boundaries compares each tuple once with the previous tuple, so this operator only
    counts. The operator of seed 003 (section 3.1, step c) stores first, last and count of each run
    instead, and compares in every node of the scan.

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
