"""A percentile that the sorter computes."""

from rtl.aggregate.percentile import Percentile


class Picked(Percentile):
    """A percentile among the choices of a :class:`~rtl.aggregate.select.Select`, not reduced.

    The sorter supplies the state; in the reduction the state is that of no tuple.
    """

    def lift(self, tuple_, context):
        return {"value": 0}
