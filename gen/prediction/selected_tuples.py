"""Evaluates NaN and WHERE over raw values, to tell which tuples reach the windows.

The evaluation is independent of Spark and of the hardware, so that both are checked against it.
"""

from collections.abc import Mapping
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

import numpy as np

from golden.tuples import Tuples
from query.predicate import And, Comparison, Op
from query.query import Query
from query.types import Double
from sim.pack import order_key, to_raw

_COMPARE = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def raw_columns(query: Query, tuples: Tuples) -> dict[str, np.ndarray]:
    """Returns the raw integers of each column that the query uses, in the order of the schema."""
    return {c.name: to_raw(tuples.table[c.name], c.type) for c in query.columns}


def passing(query: Query, raws: Mapping[str, np.ndarray]) -> np.ndarray:
    """Returns a bool for each tuple of `raw_columns`: true if it has no NaN and WHERE is true."""
    return ~_nan(query, raws) & _satisfies(query.where, raws)


def filtered_count(query: Query, tuples: Tuples) -> int:
    """Returns the number of tuples without a NaN that WHERE drops."""
    if query.where is None:
        return 0
    raws = raw_columns(query, tuples)
    return int((~_nan(query, raws) & ~_satisfies(query.where, raws)).sum())


def _nan(query, raws):
    floats = [c for c in query.columns if c.type.floating]
    none = np.zeros(len(next(iter(raws.values()), ())), bool)
    return reduce(or_, (np.isnan(_floats(raws[c.name], c.type)) for c in floats), none)


def _floats(raws, type_):
    if isinstance(type_, Double):
        return raws.astype(np.uint64).view(np.float64)
    return raws.astype(np.uint32).view(np.float32)


def _satisfies(predicate, raws):
    if predicate is None:
        return True
    if isinstance(predicate, Comparison):
        column, type_ = raws[predicate.column.name], predicate.column.type
        constant = np.array([predicate.raw], column.dtype)
        return _COMPARE[predicate.op](order_key(column, type_), order_key(constant, type_))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, (_satisfies(term, raws) for term in predicate.terms))
