"""The engines in plain Python: the expected rows of a stream of raw tuples, tuple by tuple.

The model follows docs/query-language.md. It shares no code with golden, and with the hardware only
the formats of floating point.
"""

import struct
from functools import partial
from itertools import groupby

from rtl.float.format import FORMATS
from tb.aggregates import Arithmetic, plain_result
from tb.rtl.float.adding import numpy_quotients
from tb.rtl.float.tree import tree_sum

#: Field of a tuple with its number within its key; the number sets the order of float additions.
NUMBER = "#"


def rank(type_, raw):
    """Returns an integer that orders raws like their values: IEEE-754 totalOrder for floats."""
    if not type_.floating or not raw >> (type_.width - 1):
        return raw
    return -(raw & ((1 << (type_.width - 1)) - 1)) - 1


def is_nan(type_, raw):
    if not type_.floating:
        return False
    code = {32: "f", 64: "d"}[type_.width]
    value = struct.unpack(">" + code, raw.to_bytes(type_.width // 8, "big"))[0]
    return value != value


def group_rows(query, tuples):
    """Returns the rows of a stream: ``(key, result, ...)`` as raw integers, in the stream's order.

    ``tuples`` are mappings of column name to raw, sorted by the query's group.
    """
    rows = []
    for key, members in groupby(without_nan(query, tuples), key=lambda t: t[query.group.name]):
        members = list(members)
        rows.append((key, *(result_of(item.aggregate, members) for item in query.items)))
    return rows


def without_nan(query, tuples):
    """Returns the tuples without a NaN."""
    return [t for t in tuples if not any(is_nan(c.type, t[c.name]) for c in query.columns)]


def window_rows(query, tuples):
    """Returns the rows of each window of a stream, a list for each, ascending by group."""
    size, slide = query.window.size, query.window.slide
    valid_tuples = without_nan(query, tuples)
    group = query.group
    return [
        group_rows(
            query, sorted(valid_tuples[k : k + size], key=lambda t: rank(group.type, t[group.name]))
        )
        for k in range(0, len(valid_tuples) - size + 1, slide)
    ]


def result_of(aggregate, members):
    """Returns the raw result over the tuples ``members``, which may be none."""
    if aggregate.column is None:
        return plain_result(aggregate, members)
    type_ = aggregate.column.type
    values = [member[aggregate.column.name] for member in members]
    order = partial(rank, type_)
    if not type_.floating:
        return plain_result(aggregate, values, Arithmetic(order=order))
    format_ = FORMATS[type_.width]

    def total(values):
        numbers = (member[NUMBER] for member in members)
        return tree_sum(format_, dict(zip(numbers, values, strict=True)))

    def quotient(total, count):
        return numpy_quotients(format_, [(total, count)])[0]

    return plain_result(aggregate, values, Arithmetic(order=order, total=total, quotient=quotient))


def row_windows(query, tuples):
    """Returns the rows of windows of a stream without groups: ``(result, ...)`` of each."""
    size, slide = query.window.size, query.window.slide
    valid_tuples = without_nan(query, tuples)
    return [
        tuple(result_of(item.aggregate, valid_tuples[k : k + size]) for item in query.items)
        for k in range(0, len(valid_tuples) - size + 1, slide)
    ]


def time_windows(query, start, events, generate=True):
    """Returns rows of windows of time, ``(end, result or None, ...)``, and the late tuples count.

    ``events`` are tuples, and punctuations as plain numbers. With ``generate`` the model makes the
    punctuations, and ignores punctuations among the events.
    """
    window, name = query.window, query.window.attribute.name
    p, seen, timely, late = start, [], [], 0
    for event in events:
        if isinstance(event, int):
            p = p if generate else max(p, event)
            continue
        seen.append(event[name])
        if generate:
            ahead = max(seen) - window.slack - start
            p = max(p, start + ahead // window.slide * window.slide)
        if event[name] < p:
            late += 1
        else:
            timely.append(event)
    last = max([p, *(event[name] + window.size for event in timely)])
    rows = []
    for begin in range(start, last - window.size + 1, window.slide):
        members = [t for t in timely if begin <= t[name] < begin + window.size]
        rows.append((begin + window.size, *(result_of(i.aggregate, members) for i in query.items)))
    return rows, late
