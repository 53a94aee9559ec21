"""A percentile whose value comes from elsewhere."""

from rtl.aggregate.percentile import Percentile


class Picked(Percentile):
    """A percentile among the choices of a :class:`~rtl.aggregate.select.Select`, not reduced.

    Its state comes out of the sorter; in the reduction it is that of no tuple.
    """

    def lift(self, tuple_, context):
        return {"value": 0}
