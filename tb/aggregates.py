"""Plain models of the aggregate functions, shared by all tests.

The models share no code with golden and the hardware. A test adds what its values are: raw
integers, Python floats or the bits of floats.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from query.aggregate import Function


def truncated(dividend, divisor):
    """Returns the quotient, rounded toward zero."""
    quotient = abs(dividend) // divisor
    return -quotient if dividend < 0 else quotient


@dataclass(frozen=True, kw_only=True)
class Arithmetic:
    """Describes how values compare, add and divide; by default they are integers.

    Attributes
    ----------
    order : callable
        Returns the sort key of a value.
    total : callable
        Returns the sum of a list of values in order of arrival.
    quotient : callable
        Returns a total over a count.
    """

    order: Callable = int
    total: Callable = sum
    quotient: Callable = truncated


@dataclass(frozen=True, kw_only=True)
class PlainModel:
    """Models a function.

    Attributes
    ----------
    spellings : tuple of str
        Ways to write the function in a query over the column x.
    result : callable
        Returns the result of a list of at least one value, an Arithmetic, and p of a percentile.
    empty : int or None
        Result over no tuple.
    """

    spellings: tuple[str, ...]
    result: Callable
    empty: int | None = None


MODELS = {
    Function.COUNT: PlainModel(
        spellings=("count(*)",), result=lambda values, arithmetic, p: len(values), empty=0
    ),
    Function.COUNT_DISTINCT: PlainModel(
        spellings=("count(distinct x)",),
        result=lambda values, arithmetic, p: len(set(map(arithmetic.order, values))),
        empty=0,
    ),
    Function.SUM: PlainModel(
        spellings=("sum(x)",),
        result=lambda values, arithmetic, p: arithmetic.total(values),
        empty=0,
    ),
    Function.MIN: PlainModel(
        spellings=("min(x)",),
        result=lambda values, arithmetic, p: min(values, key=arithmetic.order),
    ),
    Function.MAX: PlainModel(
        spellings=("max(x)",),
        result=lambda values, arithmetic, p: max(values, key=arithmetic.order),
    ),
    Function.AVG: PlainModel(
        spellings=("avg(x)",),
        result=lambda values, arithmetic, p: arithmetic.quotient(
            arithmetic.total(values), len(values)
        ),
    ),
    Function.PERCENTILE: PlainModel(
        spellings=("percentile(x, p)", "median(x)"),
        result=lambda values, arithmetic, p: sorted(values, key=arithmetic.order)[
            ceil(p * len(values)) - 1
        ],
    ),
}


def plain_result(aggregate, values, arithmetic=None):
    """Returns the result of a query's aggregate over values in order of arrival."""
    model = MODELS[aggregate.function]
    if not values:
        return model.empty
    return model.result(values, arithmetic or Arithmetic(), aggregate.fraction)


def spellings(column="x", fraction="0.9"):
    """Returns every way to write each function over a column; ``fraction`` is p of a percentile."""
    names = {"x": column, "p": fraction}
    return {
        function: [
            re.sub(r"\b[xp]\b", lambda name: names[name[0]], text) for text in model.spellings
        ]
        for function, model in MODELS.items()
    }


def words():
    """Returns the words that select the functions in a query."""
    return {text.partition("(")[0] for texts in spellings().values() for text in texts}
