"""Converts WHERE to a Spark expression."""

from decimal import Decimal
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.values.carry import place
from query.predicate import And, Comparison, Op, Predicate
from query.types import String, Type

_COMPARE = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def condition(predicate: Predicate, columns: dict[str, Column]) -> Column:
    """Returns the expression that is True for the tuples that pass.

    ``columns`` holds, by the schema's names, the columns of `golden.values.carry.carried`. So
    floats are compared as integers, and strings without their padding.
    """
    if isinstance(predicate, Comparison):
        column = columns[predicate.column.name]
        return _COMPARE[predicate.op](column, literal(predicate.raw, predicate.column.type))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, (condition(term, columns) for term in predicate.terms))


def literal(raw: int, type_: Type) -> Column:
    """Returns the constant of ``raw``, in the form of a column of `golden.values.carry.carried`."""
    if isinstance(type_, String):
        return fn.lit(type_.value(raw))
    if type_.floating:
        return fn.lit(place(raw, type_)).cast("long")
    if type_.raw_max < 1 << 63:
        return fn.lit(raw).cast("long")
    return fn.lit(Decimal(raw)).cast("decimal(20,0)")
