"""Implements docs/query-language.md a second time, as plain loops over lists, for checks.

The module uses nothing of golden. Tuples are dicts of raw values in order of arrival (floats as
Python floats, strings as str); rows are dicts by `Query.row_names`.
"""

import struct
from functools import partial, reduce
from math import isnan, nan

import numpy as np

from query.predicate import And, Comparison, Op
from query.types import Double, Float
from query.window import Rows, WholeStream
from tb.aggregates import Arithmetic, plain_result

NUMBER = "#"  # in windows of keys: number of a tuple among the tuples of its key


def rows(query, tuples, start=None):
    """Returns the expected rows of ``tuples``."""
    return run(query, tuples, start)[0]


def run(query, tuples, start=None, evictions=()):
    """Returns (rows, number of late tuples).

    ``evictions`` are pairs of a key and an arrival, counted among the tuples that pass. The
    eviction erases all state of the key before this arrival.
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
    """Returns True if the window sees a tuple: it has no NaN, and WHERE is true."""
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
        for evicted_key in forgotten.get(n, ()):
            history.pop(evicted_key, None)
        key_tuples = history.setdefault(order(t[key], query.key.type), [])
        key_tuples.append(t | {NUMBER: len(key_tuples)})
        if len(key_tuples) >= size and (len(key_tuples) - size) % slide == 0:
            j = (len(key_tuples) - size) // slide
            out.append({"window": j, key: t[key], **results(query, key_tuples[-size:])})
    return out


def stream_range(query, tuples, start):
    size, slide, slack = query.window.size, query.window.slide, query.window.slack
    name = query.window.attribute.name
    contents, out, late, greatest, punctuation = {}, [], 0, None, start
    next_window = 0

    def emit(limit):
        nonlocal next_window
        while start + next_window * slide + size <= limit:
            window_tuples = contents.pop(next_window, [])
            end = start + next_window * slide + size
            out.extend(
                {"window": next_window, "window_end": end, **row}
                for row in grouped(query, window_tuples)
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
        for evicted_key in forgotten.get(n, ()):
            open_windows.pop(evicted_key, None)
            closed_end.pop(evicted_key, None)
            let_in.pop(evicted_key, None)
        time, k = t[name], order(t[key], query.key.type)
        key_windows = open_windows.setdefault(k, {})
        for j in sorted(key_windows):
            end = start + j * slide + size
            if time >= end:
                row = results(query, key_windows.pop(j))
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
                key_windows.setdefault(j, []).append(t)
            else:
                closed_end[k] = max(closed_end.get(k, start), end)
            j += 1
    return out, late


def grouped(query, tuples):
    """Returns one row without GROUP BY, or a row for each group, in ascending order."""
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
    if aggregate.column is None:
        return plain_result(aggregate, tuples)
    type_ = aggregate.column.type
    values = [t[aggregate.column.name] for t in tuples]
    ordered = partial(order, type_=type_)
    if not type_.floating:
        return plain_result(aggregate, values, Arithmetic(order=ordered))
    kind = np.float64 if isinstance(type_, Double) else np.float32

    def mean(total, count):
        with np.errstate(all="ignore"):
            return one_nan(kind(total) / kind(count))

    arithmetic = Arithmetic(
        order=ordered, total=lambda _: float_sum(tuples, aggregate.column), quotient=mean
    )
    return plain_result(aggregate, values, arithmetic)


def float_sum(tuples, column):
    """Adds floats in order of arrival, but a key's floats in a tree over their numbers."""
    kind = np.float64 if isinstance(column.type, Double) else np.float32
    values = [kind(t[column.name]) for t in tuples]
    with np.errstate(all="ignore"):
        if tuples and NUMBER in tuples[0]:
            return one_nan(tree_sum({t[NUMBER]: x for t, x in zip(tuples, values, strict=True)}))
        return one_nan(reduce(kind.__add__, values)) if values else 0.0


def one_nan(number):
    """Returns the number, and the same NaN for every NaN, whose sign depends on the processor."""
    return nan if isnan(number) else float(number)


def tree_sum(values):
    """Returns the sum of floats by number: the sum of the lower part plus that of the upper part.

    The parts split at the multiple of the largest 2**k between the numbers: 3 to 6 split at 4, then
    4 to 6 split at 6.
    """
    if len(values) == 1:
        return next(iter(values.values()))
    k = (min(values) ^ max(values)).bit_length() - 1
    middle = max(values) >> k << k
    lower = {n: x for n, x in values.items() if n < middle}
    upper = {n: x for n, x in values.items() if n >= middle}
    return tree_sum(lower) + tree_sum(upper)


def order(value, type_):
    """Returns a sort key with the order of the query language for values of ``type_``."""
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
