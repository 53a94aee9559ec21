"""min(x)."""

from pyspark.sql import functions as fn

from golden.aggregates.extreme import Extreme


class Min(Extreme):
    """Picks the least value."""

    pick = staticmethod(fn.min)


OPERATOR = Min
