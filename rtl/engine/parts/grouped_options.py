"""The options of engines that give a row for each group."""

from rtl.contract.options import option
from rtl.network.plan import SHAPES


def lanes_option():
    """The option ``lanes``: P."""
    return option(
        "tuples per cycle, a power of two",
        default=4,
        unit="tuples",
        range=(1, 64),
        power_of_two=True,
    )


def results_option():
    """The option ``results``.

    "all": every aggregate has a column of the row. "select": the row has one column, and the
    function register says which aggregate it shows; sampled at each stream's first beat.
    """
    return option(
        "every aggregate in a column of its own, or one column selected at run time",
        default="all",
        choices=("all", "select"),
    )


def scan_option():
    """The option ``scan``: shape of the prefix networks."""
    return option("shape of the prefix scan", default="sklansky", choices=tuple(sorted(SHAPES)))
