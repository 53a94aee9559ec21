"""The options of engines with a row for each group."""

from rtl.contract.options import option
from rtl.network.plan import SHAPES


def lanes_option():
    """Returns the option ``lanes``, P in the formulas."""
    return option(
        "tuples that may enter in a cycle, a power of two",
        default=4,
        unit="tuples",
        range=(1, 64),
        power_of_two=True,
    )


def results_option():
    """Returns the option ``results``.

    "all": every aggregate has a column of the row. "select": the row has one column, and the
    function register selects the aggregate in that column. The register is sampled at the first
    beat of each stream.
    """
    return option(
        "every aggregate in a column of its own, or one column selected at run time",
        default="all",
        choices=("all", "select"),
    )


def scan_option():
    """Returns the option ``scan``, the shape of the prefix networks."""
    return option("shape of the prefix scan", default="sklansky", choices=tuple(sorted(SHAPES)))
