"""WHERE, and the tuples that no query can use."""

from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from amaranth.hdl import Cat, Const

from query.predicate import And, Comparison, Op, comparisons
from rtl.stream import order

_OPERATORS = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def needs_selection(query):
    """Whether the query can drop a tuple: it has WHERE, or floats, which may be NaN."""
    return query.where is not None or any(column.type.floating for column in query.columns)


def constant_name(index):
    """Name of the setting that holds the constant of the query's comparison of this index."""
    return f"where{index}"


def constant_names(query):
    """The names of all settings that hold constants of the query's WHERE, where there are such."""
    return tuple(constant_name(k) for k, _ in enumerate(comparisons(query.where)))


def verdict(query, row, settings):
    """What the query thinks of a tuple: it has a NaN, and it fails WHERE, if it has none.

    ``row`` is a mapping of column name to value, ``settings`` one of setting to value. A constant
    of WHERE that is not among the settings is the query's own.
    """
    nan = Cat(order.is_nan(row[c.name]) for c in query.columns if c.type.floating).any()
    constants = []
    for k, leaf in enumerate(comparisons(query.where)):
        own = Const(leaf.raw, row[leaf.column.name].shape())
        constants.append(settings.get(constant_name(k), own))
    return nan, ~nan & ~_passes(query.where, row, iter(constants))


def _passes(predicate, row, constants):
    """High when ``row`` satisfies ``predicate``, whose constants come in the order of its text."""
    if predicate is None:
        return Const(1)
    if isinstance(predicate, Comparison):
        floating = predicate.column.type.floating
        value = order.encode(row[predicate.column.name], floating)
        return _OPERATORS[predicate.op](value, order.encode(next(constants), floating))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, [_passes(term, row, constants) for term in predicate.terms])
