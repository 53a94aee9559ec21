"""max(x)."""

from pyspark.sql import functions as fn

from golden.aggregates.extreme import Extreme


class Max(Extreme):
    """Picks the greatest value."""

    pick = staticmethod(fn.max)


OPERATOR = Max
