"""Random tables for any query, and golden's answer to them with other numbers in its window."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from golden.cache import cached_answer
from golden.tuples import Tuples, arrow_type
from query.types import String
from query.window import Range, Whole


def random_tuples(design, count, seed):
    """Three keys, few values and the ends of types, some NaN, and times that mostly ascend."""
    rng, query = np.random.default_rng(seed), design.query
    time = query.window.attribute.name if isinstance(query.window, Range) else None
    arrays, names = [], [field.name for field in design.input.packing.fields]
    for name in names:
        type_ = query.schema[name].type
        keys = query.key is not None and name == query.key.name
        if name == time:
            steps = np.cumsum(rng.integers(0, 3, count)) + rng.integers(-3, 4, count)
            raws = [int(raw) for raw in np.clip(steps + 8, 0, type_.raw_max)]
        elif isinstance(type_, String):
            raws = None
        else:
            few = [type_.raw_max, 1, 2] if keys else [0, 1, 2, 3, 5, type_.raw_max, type_.raw_min]
            raws = [few[k] for k in rng.integers(0, len(few), count)]
        arrays.append(_array(raws, type_, rng, count, 3 if keys else 7))
    return Tuples(schema=query.schema, table=pa.table(arrays, names=names))


def _array(raws, type_, rng, count, most):
    kind = arrow_type(type_)
    if raws is None:
        texts = [t[: type_.length] for t in ("", "a", "ab", "zz")]
        return pa.array([texts[k] for k in rng.integers(0, min(4, most), count)], kind)
    if type_.floating:
        few = [0.0, -0.0, 1.5, -2.25, 3.0, float("inf"), float("nan")]
        return pa.array(np.array([few[k] for k in rng.integers(0, most, count)]), kind)
    return (
        pa.array(raws, kind)
        if max(raws, default=0) >= 1 << 63
        else pa.array(raws, pa.int64()).cast(kind)
    )


def expected(design, tuples, numbers, cache):
    """Golden's answer with the window's numbers replaced by those of the settings."""
    window = design.query.window
    if not isinstance(window, Whole):
        names = {"size": "size", "range": "size", "slide": "slide", "slack": "slack"}
        window = replace(window, **{names[n]: v for n, v in numbers.items() if n in names})
    query = replace(design.query, window=window)
    return cached_answer(query, tuples, "local[2]", cache / "golden", numbers.get("start"))


def same_kinds(table, like):
    """The table with each column of the type that ``like`` has for it: the same values."""
    columns = []
    for name, kind in zip(like.column_names, like.schema.types, strict=True):
        column = table[name].combine_chunks()
        columns.append(column if column.type == kind else column.cast(kind))
    return pa.table(columns, names=like.column_names)
