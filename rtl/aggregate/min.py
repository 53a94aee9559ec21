"""min(x)."""

from rtl.aggregate.extremum import Extremum


class Min(Extremum):
    """``min(x)``: the least x in the order of :mod:`rtl.stream.order`."""

    fold = "min"

    @staticmethod
    def keeps_left(left, right):
        return left < right
