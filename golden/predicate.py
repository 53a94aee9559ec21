"""WHERE as a Spark expression."""

from decimal import Decimal
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from pyspark.sql import Column
from pyspark.sql import functions as fn

from golden.aggregates import ordered
from query.predicate import And, Comparison, Op, Predicate
from query.types import Double, Float, String, Type

_COMPARE = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def condition(predicate: Predicate, columns: dict[str, Column]) -> Column:
    """True for the tuples that pass; ``columns`` holds the raw columns by their schema names."""
    if isinstance(predicate, Comparison):
        type_ = predicate.column.type
        left = ordered(columns[predicate.column.name], type_)
        return _COMPARE[predicate.op](left, ordered(literal(predicate.raw, type_), type_))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, (condition(term, columns) for term in predicate.terms))


def literal(raw: int, type_: Type) -> Column:
    """The constant that ``raw`` stands for, as Spark carries a column of ``type_``."""
    if isinstance(type_, String):
        return fn.lit(type_.value(raw))
    if isinstance(type_, Float):
        return fn.lit(type_.value(raw)).cast("double" if isinstance(type_, Double) else "float")
    if type_.raw_max < 1 << 63:
        return fn.lit(raw).cast("long")
    return fn.lit(Decimal(raw)).cast("decimal(20,0)")
