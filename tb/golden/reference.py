"""DESIGN section 2 once more, as plain loops over lists: what golden's answers are held against.

Nothing here is taken from golden. Tuples are dicts of raw values in order of arrival (floats as
Python floats, strings as str); rows are dicts by `Query.row_names`.
"""

import struct
from functools import reduce
from math import ceil, isnan, nan

import numpy as np

from query.aggregate import Function
from query.predicate import And, Comparison, Op
from query.types import Double, Float
from query.window import Rows, WholeStream

NUMBER = "#"  # of a tuple, in windows of keys: that among its key's


def rows(query, tuples, start=None):
    """The expected rows of ``tuples``."""
    return run(query, tuples, start)[0]


def run(query, tuples, start=None, evictions=()):
    """(rows, number of late tuples).

    ``evictions`` are pairs of a key and the arrival, of those that pass, before which everything
    about the key is forgotten.
    """
    tuples = [t for t in tuples if arrives(query, t)]
    window = query.window
    if isinstance(window, WholeStream):
        return [{"window": 0, **row} for row in grouped(query, tuples)], 0
    forgotten = {}
    if window.partition:
        for key, arrival in evictions:
            forgotten.setdefault(arrival, []).append(order(key, query.key.type))
    if isinstance(window, Rows) and window.partition:
        return partition_rows(query, tuples, forgotten), 0
    if isinstance(window, Rows):
        return stream_rows(query, tuples), 0
    if start is None and tuples:
        first = tuples[0][window.attribute.name] - window.slack
        start = first // window.slide * window.slide
    if window.partition:
        return partition_range(query, tuples, start, forgotten)
    return stream_range(query, tuples, start)


def arrives(query, t):
    """Whether the window sees a tuple: there is no NaN, and WHERE is true."""
    floats = [c.name for c in query.columns if c.type.floating]
    if any(isnan(t[name]) for name in floats):
        return False
    return query.where is None or passes(query.where, t)


def stream_rows(query, tuples):
    size, slide = query.window.size, query.window.slide
    out, j = [], 0
    while j * slide + size <= len(tuples):
        out += [
            {"window": j, **row} for row in grouped(query, tuples[j * slide : j * slide + size])
        ]
        j += 1
    return out


def partition_rows(query, tuples, forgotten):
    size, slide, key = query.window.size, query.window.slide, query.window.partition.name
    history, out = {}, []
    for n, t in enumerate(tuples):
        for gone in forgotten.get(n, ()):
            history.pop(gone, None)
        mine = history.setdefault(order(t[key], query.key.type), [])
        mine.append(t | {NUMBER: len(mine)})
        if len(mine) >= size and (len(mine) - size) % slide == 0:
            j = (len(mine) - size) // slide
            out.append({"window": j, key: t[key], **results(query, mine[-size:])})
    return out


def stream_range(query, tuples, start):
    size, slide, slack = query.window.size, query.window.slide, query.window.slack
    name = query.window.attribute.name
    contents, out, late, greatest, punctuation = {}, [], 0, None, start
    next_window = 0

    def emit(limit):
        nonlocal next_window
        while start + next_window * slide + size <= limit:
            inside = contents.pop(next_window, [])
            end = start + next_window * slide + size
            out.extend(
                {"window": next_window, "window_end": end, **row} for row in grouped(query, inside)
            )
            next_window += 1

    for t in tuples:
        time = t[name]
        if time < punctuation:
            late += 1
        else:
            for j in range((time - start) // slide + 1):
                if start + j * slide <= time < start + j * slide + size:
                    contents.setdefault(j, []).append(t)
        greatest = time if greatest is None else max(greatest, time)
        punctuation = max(punctuation, start + slide * ((greatest - slack - start) // slide))
        emit(punctuation)
    if tuples:
        emit(greatest + size)
    return out, late


def partition_range(query, tuples, start, forgotten):
    size, slide = query.window.size, query.window.slide
    name, key = query.window.attribute.name, query.window.partition.name
    open_windows, closed_end, let_in, out, late = {}, {}, {}, [], 0
    for n, t in enumerate(tuples):
        for gone in forgotten.get(n, ()):
            open_windows.pop(gone, None)
            closed_end.pop(gone, None)
            let_in.pop(gone, None)
        time, k = t[name], order(t[key], query.key.type)
        mine = open_windows.setdefault(k, {})
        for j in sorted(mine):
            end = start + j * slide + size
            if time >= end:
                row = results(query, mine.pop(j))
                out.append({"window": j, "window_end": end, key: t[key], **row})
        if time < max(start, closed_end.get(k, start)):
            late += 1
            continue
        t = t | {NUMBER: let_in.get(k, 0)}
        let_in[k] = t[NUMBER] + 1
        j = 0
        while start + j * slide <= time:
            end = start + j * slide + size
            if time < end:
                mine.setdefault(j, []).append(t)
            else:
                closed_end[k] = max(closed_end.get(k, start), end)
            j += 1
    return out, late


def grouped(query, tuples):
    """One row without GROUP BY, or a row for each group that is there, ascending."""
    if query.group is None:
        return [results(query, tuples)]
    name, type_ = query.group.name, query.group.type
    groups = {}
    for t in tuples:
        groups.setdefault(order(t[name], type_), []).append(t)
    return [{name: groups[g][0][name], **results(query, groups[g])} for g in sorted(groups)]


def results(query, tuples):
    return {item.name: result(item.aggregate, tuples) for item in query.items}


def result(aggregate, tuples):
    function = aggregate.function
    if function == Function.COUNT:
        return len(tuples)
    type_ = aggregate.column.type
    values = [t[aggregate.column.name] for t in tuples]
    if function == Function.COUNT_DISTINCT:
        return len({order(v, type_) for v in values})
    if function == Function.SUM:
        return float_sum(tuples, aggregate.column) if type_.floating else sum(values)
    if not values:
        return None
    ascending = sorted(values, key=lambda v: order(v, type_))
    if function == Function.MIN:
        return ascending[0]
    if function == Function.MAX:
        return ascending[-1]
    if function == Function.PERCENTILE:
        return ascending[ceil(aggregate.fraction * len(values)) - 1]
    if type_.floating:
        kind = np.float64 if isinstance(type_, Double) else np.float32
        with np.errstate(all="ignore"):
            return one_nan(kind(float_sum(tuples, aggregate.column)) / kind(len(values)))
    total = sum(values)
    return abs(total) // len(values) * (-1 if total < 0 else 1)


def float_sum(tuples, column):
    """One after the other; those of a key, which have numbers, in a tree over these."""
    kind = np.float64 if isinstance(column.type, Double) else np.float32
    values = [kind(t[column.name]) for t in tuples]
    with np.errstate(all="ignore"):
        if tuples and NUMBER in tuples[0]:
            return one_nan(tree_sum({t[NUMBER]: x for t, x in zip(tuples, values, strict=True)}))
        return one_nan(reduce(kind.__add__, values)) if values else 0.0


def one_nan(number):
    """The number, and for each that is none the same one: a processor's has a sign, or not."""
    return nan if isnan(number) else float(number)


def tree_sum(values):
    """The sum of floats by number: of those below the first half of all numbers, and the others.

    3 to 6 are halved at 4, then 4 to 6 at 6, as 2**k divides it and no other one between them.
    """
    if len(values) == 1:
        return next(iter(values.values()))
    k = (min(values) ^ max(values)).bit_length() - 1
    middle = max(values) >> k << k
    below, rest = ({n: x for n, x in values.items() if (n < middle) == b} for b in (True, False))
    return tree_sum(below) + tree_sum(rest)


def order(value, type_):
    """A key that orders values of ``type_`` as the query language does."""
    if isinstance(type_, Float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return bits if bits < 1 << 63 else (1 << 63) - 1 - bits
    return value.encode() if isinstance(value, str) else value


def passes(predicate, t):
    if isinstance(predicate, Comparison):
        type_ = predicate.column.type
        a = order(t[predicate.column.name], type_)
        b = order(
            type_.value(predicate.raw) if type_.floating or not type_.numeric else predicate.raw,
            type_,
        )
        return {
            Op.EQ: a == b, Op.NE: a != b, Op.LT: a < b, Op.LE: a <= b, Op.GT: a > b, Op.GE: a >= b,
        }[predicate.op]  # fmt: skip
    combine = all if isinstance(predicate, And) else any
    return combine(passes(term, t) for term in predicate.terms)
