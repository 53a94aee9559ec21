"""Builds random tables for any query, and golden's answer with the numbers of host settings."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from golden.cache import cached_answer
from golden.compare.tables import first_difference
from golden.tuples import Tuples, arrow_type
from query.types import String
from query.window import Range, WholeStream


def random_tuples(design, count, seed):
    """Returns tuples of three keys, with few values and ends of types.

    Times mostly ascend, by an eighth of a unit or more where their type has such fractions, so that
    some windows close.
    """
    rng, query = np.random.default_rng(seed), design.query
    time = query.window.attribute.name if isinstance(query.window, Range) else None
    names = [field.name for field in design.input.packing.fields]
    arrays = []
    for name in names:
        type_ = query.schema[name].type
        keys = query.key is not None and name == query.key.name
        if name == time:
            steps = np.cumsum(rng.integers(0, 3, count)) + rng.integers(-3, 4, count)
            step = 1 << max(0, type_.fraction - 3)  # an eighth of a unit, or the last place
            raws = [min(max(int(raw) + 8, 0) * step, type_.raw_max) for raw in steps]
        elif isinstance(type_, String):
            raws = None
        else:
            choices = (
                [type_.raw_max, 1, 2] if keys else [0, 1, 2, 3, 5, type_.raw_max, type_.raw_min]
            )
            raws = [choices[k] for k in rng.integers(0, len(choices), count)]
        arrays.append(_array(raws, type_, rng, count, 3 if keys else 7))
    return Tuples(schema=query.schema, table=pa.table(arrays, names=names))


def _array(raws, type_, rng, count, choice_count):
    kind = arrow_type(type_)
    if raws is None:
        texts = [t[: type_.length] for t in ("", "a", "ab", "zz")]
        return pa.array([texts[k] for k in rng.integers(0, min(4, choice_count), count)], kind)
    if type_.floating:
        choices = [0.0, -0.0, 1.5, -2.25, 3.0, float("inf"), float("nan")]
        return pa.array(np.array([choices[k] for k in rng.integers(0, choice_count, count)]), kind)
    return (
        pa.array(raws, kind)
        if max(raws, default=0) >= 1 << 63
        else pa.array(raws, pa.int64()).cast(kind)
    )


def expected(design, tuples, numbers, cache):
    """Returns golden's answer, with the window's numbers replaced by settings in ``numbers``."""
    window = design.query.window
    if not isinstance(window, WholeStream):
        names = {"size": "size", "range": "size", "slide": "slide", "slack": "slack"}
        window = replace(window, **{names[n]: v for n, v in numbers.items() if n in names})
    query = replace(design.query, window=window)
    return cached_answer(query, tuples, "local[2]", cache / "golden", numbers.get("start"))


def same_kinds(table, like):
    """Returns the table with each column converted to the column's type in ``like``.

    Both have the same columns in the same order.
    """
    assert list(getattr(table, "column_names", table)) == like.column_names
    columns = []
    for name, kind in zip(like.column_names, like.schema.types, strict=True):
        column = table[name].combine_chunks()
        columns.append(column if column.type == kind else column.cast(kind))
    return pa.table(columns, names=like.column_names)


def check_rows(design, received, tuples, settings, cache):
    """Checks that a run has rows, and that they equal golden's rows with these settings."""
    rows = expected(design, tuples, design.settings.values | settings, cache).rows
    assert rows.num_rows
    assert first_difference(rows, same_kinds(received, rows)) is None
