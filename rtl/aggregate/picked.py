"""A percentile that the sorter computes."""

from rtl.aggregate.percentile import Percentile


class Picked(Percentile):
    """Stands for a percentile among the choices of a :class:`~rtl.aggregate.select.Select`.

    The sorter supplies the percentile, so the reduction has nothing to add: ``lift`` returns 0, the
    state of no tuple.
    """

    def lift(self, tuple_, context):
        return {"value": 0}
