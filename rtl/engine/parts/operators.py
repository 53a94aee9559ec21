"""The hardware operators of the query's aggregates."""

from rtl.aggregate.entry import Operand
from rtl.aggregate.optional import Optional
from rtl.aggregate.registry import ENTRIES


def operator_of(aggregate, tuples, hit=None):
    """Returns the hardware operator of a query's aggregate, for groups of up to ``tuples`` tuples.

    ``hit`` is the index of a percentile in :attr:`~rtl.aggregate.operator.Tuple.hits`.
    """
    return ENTRIES[aggregate.function].operator(_operand(aggregate, tuples, hit))


def nullable(aggregate):
    """Returns True if the aggregate of no tuple is NULL; other aggregates of no tuple are 0."""
    return not aggregate.function.declaration.zero_if_empty


def operator_or_null(aggregate, tuples):
    """Returns the operator for windows that may be empty: an empty window has the state zero.

    The operator's result has ``valid`` and ``value`` if the aggregate is :func:`nullable`.
    """
    entry = ENTRIES[aggregate.function]
    operand = _operand(aggregate, tuples)
    if entry.operator_or_null is not None:
        return entry.operator_or_null(operand)
    operator = entry.operator(operand)
    return Optional(operator) if nullable(aggregate) else operator


def _operand(aggregate, tuples, hit=None):
    column = aggregate.column
    name, type_ = (None, None) if column is None else (column.name, column.type)
    return Operand(column=name, type=type_, tuples=tuples, hit=hit)


def columns_of(query, *functions):
    """Returns the columns that ``functions`` aggregate in the query, by name, each once."""
    aggregates = (item.aggregate for item in query.items)
    return tuple(dict.fromkeys(a.column.name for a in aggregates if a.function in functions))


def float_sum_refusal(query):
    """Returns the reason why an engine that cannot add floats cannot run ``query``, or None."""
    for item in query.items:
        if item.aggregate.adds_floats:
            return f"{item.aggregate} adds floating-point numbers"
    return None


def sorting_refusal(query):
    """Returns the reason why an engine that does not sort cannot run ``query``, or None."""
    for item in query.items:
        if ENTRIES[item.aggregate.function].needs_sorted_windows:
            return f"{item.aggregate} needs sorted windows"
    return None


def repeat_refusal(query, has_pivots=False):
    """Returns the reason why serial decoders and caches cannot aggregate ``query``, or None.

    Both aggregate a run of equal values in one step, so each operator must be able to repeat a
    value. With pivots they do not compute percentiles.
    """
    for item in query.items:
        if has_pivots and item.aggregate.fraction is not None:
            continue
        if item.aggregate.adds_floats:  # the decoders have adders for them
            continue
        if not operator_of(item.aggregate, 1, 0).repeats:
            return f"{item.aggregate} cannot repeat a value"
    return None


def check_results(query, results):
    """Raises ValueError if the function register cannot select among the query's results."""
    for item in query.items:
        if results == "select" and operator_of(item.aggregate, 1, 0).fold is None:
            raise ValueError(f"results must be all for {item.aggregate}, not {results}")
