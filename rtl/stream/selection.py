"""Selects tuples: finds tuples with a NaN, and tuples that fail WHERE."""

from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from amaranth.hdl import Cat, Const

from query.predicate import And, Comparison, Op, comparisons
from rtl.stream import order

_OPERATORS = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def needs_selection(query):
    """Returns whether the query can drop a tuple: it has WHERE, or floats, which may be NaN."""
    return query.where is not None or any(column.type.floating for column in query.columns)


def constant_name(index):
    """Returns the name of the setting with the constant of the query's comparison number
    ``index``."""
    return f"where{index}"


def constant_names(query):
    """Returns the names of the settings for the constants of the query's WHERE, if they are
    settings."""
    return tuple(constant_name(k) for k, _ in enumerate(comparisons(query.where)))


def verdict(query, row, settings):
    """Returns two bits on a tuple: it has a NaN; it has no NaN but fails WHERE.

    ``row`` is a mapping of column name to value, ``settings`` is a mapping of setting to value. A
    constant of WHERE that is not among the settings has the value in the query.
    """
    nan = Cat(order.is_nan(row[c.name]) for c in query.columns if c.type.floating).any()
    constants = []
    for k, leaf in enumerate(comparisons(query.where)):
        query_constant = Const(leaf.raw, row[leaf.column.name].shape())
        constants.append(settings.get(constant_name(k), query_constant))
    return nan, ~nan & ~_passes(query.where, row, iter(constants))


def _passes(predicate, row, constants):
    """Returns a bit: ``row`` satisfies ``predicate``, whose constants come in the order of its
    text."""
    if predicate is None:
        return Const(1)
    if isinstance(predicate, Comparison):
        floating = predicate.column.type.floating
        value = order.encode(row[predicate.column.name], floating)
        return _OPERATORS[predicate.op](value, order.encode(next(constants), floating))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, [_passes(term, row, constants) for term in predicate.terms])
