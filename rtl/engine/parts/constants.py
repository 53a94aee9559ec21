"""The option ``constants``: the constants of WHERE are built in, or each has a register."""

from query.predicate import comparisons, without_constants
from rtl.contract.options import option
from rtl.contract.settings import HostSetting
from rtl.stream.selection import constant_name

RUN_TIME = "run-time"


def constants_option():
    """Returns the field ``constants`` of an engine's options."""
    return option(
        "constants of WHERE: built in, or each set at run time in a register",
        default="compiled",
        choices=("compiled", RUN_TIME),
        needs=("WHERE", lambda options: options.query.where is not None),
    )


def check_constants(query, constants):
    """Raises ValueError unless each constant fits into its registers."""
    for leaf in comparisons(query.where):
        if constants == RUN_TIME and leaf.column.type.width > 64:
            raise ValueError(
                f"constants must be compiled for columns of more than 64 bits, not run-time for "
                f"{leaf.column}"
            )


def constant_settings(query, constants):
    """Returns a :class:`HostSetting` for each comparison of WHERE, in the order of its text."""
    if constants != RUN_TIME:
        return ()
    return tuple(
        HostSetting.full_range(
            name=constant_name(k),
            bits=leaf.column.type.width,
            signed=leaf.column.type.signed,
            doc=f"constant of a comparison, as raw value; the query's is {leaf}",
            value=leaf.raw,
        )
        for k, leaf in enumerate(comparisons(query.where))
    )


def built_where(query, constants):
    """Returns WHERE as built in: without the constants that are set at run time."""
    return without_constants(query.where) if constants == RUN_TIME and query.where else query.where
