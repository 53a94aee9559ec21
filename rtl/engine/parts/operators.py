"""The hardware operators of the query's aggregates."""

from amaranth.utils import bits_for, ceil_log2

from query.aggregate import Function
from rtl.aggregate.avg import Avg, AvgOrNull
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.float_avg import FloatAvg
from rtl.aggregate.float_sum import FloatSum
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.optional import Optional
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.sum import Sum
from rtl.engine.parts.columns import shape_of
from rtl.float.format import FORMATS


def operator_of(aggregate, tuples, hit=None):
    """Returns the hardware operator of a query's aggregate, for groups of up to ``tuples`` tuples.

    ``hit`` is the index of a percentile in :attr:`~rtl.aggregate.operator.Tuple.hits`.
    """
    count_width = bits_for(tuples)
    if aggregate.function is Function.COUNT:
        return Count(count_width)
    name, type_ = aggregate.column.name, aggregate.column.type
    match aggregate.function:
        case Function.COUNT_DISTINCT:
            return CountDistinct(name, count_width)
        case Function.SUM if type_.floating:
            return FloatSum(name, FORMATS[type_.width])
        case Function.SUM:
            return Sum(name, shape_of(type_), ceil_log2(tuples))
        case Function.AVG if type_.floating:
            return FloatAvg(name, FORMATS[type_.width], count_width)
        case Function.AVG:
            return Avg(name, shape_of(type_), count_width)
        case Function.MIN:
            return Min(name, shape_of(type_), type_.floating)
        case Function.MAX:
            return Max(name, shape_of(type_), type_.floating)
        case Function.PERCENTILE:
            return Percentile(name, shape_of(type_), hit)
    raise ValueError(f"{aggregate} must be an aggregate, not {aggregate.function}")


def nullable(aggregate):
    """Returns True if the aggregate of no tuple is NULL; other aggregates of no tuple are 0."""
    return aggregate.function in (Function.MIN, Function.MAX, Function.AVG)


def operator_or_null(aggregate, tuples):
    """Returns the operator for windows that may be empty: an empty window has the state zero.

    The result is a struct of ``valid`` and ``value`` if the aggregate is :func:`nullable`.
    """
    operator = operator_of(aggregate, tuples)
    if aggregate.function is Function.AVG:
        name, type_ = aggregate.column.name, aggregate.column.type
        return AvgOrNull(name, shape_of(type_), bits_for(tuples))
    return Optional(operator) if nullable(aggregate) else operator


def columns_of(query, *functions):
    """Returns the names of the columns of ``functions`` in the query, in order, each once."""
    aggregates = (item.aggregate for item in query.items)
    return tuple(dict.fromkeys(a.column.name for a in aggregates if a.function in functions))


def float_sum_refusal(query):
    """Returns the reason why an engine cannot run ``query`` if it cannot add floats; or None."""
    for item in query.items:
        function, column = item.aggregate.function, item.aggregate.column
        if function in (Function.SUM, Function.AVG) and column.type.floating:
            return f"{item.aggregate} adds floating-point numbers"
    return None


def sorting_refusal(query):
    """Returns the reason why an engine cannot run ``query`` if it does not sort; or None."""
    for item in query.items:
        if item.aggregate.function in (Function.COUNT_DISTINCT, Function.PERCENTILE):
            return f"{item.aggregate} needs sorted windows"
    return None
