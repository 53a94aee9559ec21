"""Shows rows that differ, as a table and as plain data."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gen.terminal.console import table
from golden.compare.streams import Differences
from golden.compare.values import DOUBLE, FLOAT
from query.errors import one_line

_WIDTHS = {FLOAT: 32, DOUBLE: 64}  # bits of the values of a kind of column
_NAN = {32: 0x7FC0_0000, 64: 0x7FF8_0000_0000_0000}  # bits of the NaN that ``nan`` is read as
_LONG = 40  # characters: of longer texts the table shows the part that differs
_BEFORE = 8  # characters of such a part before the first difference


def float_widths(names: Sequence[str], kinds: Sequence[str]) -> dict[str, int | None]:
    """Returns 32 or 64 for each column of floats, and None for any other column, by its name."""
    return {name: _WIDTHS.get(kind) for name, kind in zip(names, kinds, strict=True)}


def differences_table(
    differences: Differences, expected: Path, actual: Path, widths: dict[str, int | None]
) -> Any:
    """Returns a table with two lines for each difference, A and B.

    Line B is blank where both have the same text. Example: for (7, 1.5) and (7, 2.5) line A has 7
    and 1.5, line B has a blank and 2.5. Of two long texts both lines show the part around the first
    difference.
    """
    columns = next(row for d in differences.first for row in (d.expected, d.actual) if row)
    lines = []
    for difference in differences.first:
        a, b = plain_row(difference.expected, widths), plain_row(difference.actual, widths)
        a_texts, b_texts = _texts(a, columns), _texts(b, columns)
        if a is not None and b is not None:  # texts, because 0.0 == -0.0, though the rows differ
            pairs = [_differing_parts(x, y) for x, y in zip(a_texts, b_texts, strict=True)]
            a_texts, b_texts = ([*texts] for texts in zip(*pairs, strict=True))
        lines.append([str(difference.index), "A", *a_texts])
        lines.append(["", "B", *b_texts])
    title = f"the first differences between {expected} (A) and {actual} (B)"
    return table(title, ["row", "", *columns], lines)


def _differing_parts(a, b):
    """Returns the texts to show for two values; the second text is empty if they are equal.

    For instance 500 times ``a``, and 499 times ``a`` and then a ``b``, become ``…aaaaaaaaa`` and
    ``…aaaaaaaab``.
    """
    if a == b:
        return a, ""
    if max(len(a), len(b)) <= _LONG:
        return a, b
    differing = (k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    begin = max(0, next(differing, min(len(a), len(b))) - _BEFORE)
    return _part(a, begin), _part(b, begin)


def _part(text, begin):
    """Returns `_LONG` characters of a text from ``begin`` on, with … where the text is cut."""
    end = begin + _LONG
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def _texts(row, columns):
    """Returns the values of a row as texts; for None, a row beyond its file's end, "no row"."""
    if row is None:
        return ["no row", *[""] * (len(columns) - 1)]
    return [_text(value) for value in row.values()]


def _text(value):
    """Returns a value as a text; different values of a column have different texts.

    NULL is printed without quotes. A text is printed in quotes, as in JSON, if it is empty, is the
    word NULL, begins or ends with a blank, or has quotes, backslashes or control characters.
    """
    if value is None:
        return "NULL"
    text = one_line(str(value))
    is_plain = text == value == text.strip() and text not in ("", "NULL")
    is_plain = is_plain and not {'"', "\\"} & {*text}
    if is_plain or not isinstance(value, str):
        return text
    return one_line(json.dumps(value, ensure_ascii=False))  # JSON leaves U+007F to U+009F


def plain_row(row: dict | None, widths: dict[str, int | None]) -> dict | None:
    """Returns a row for JSON: integers, finite floats, texts and NULL stay, others become texts.

    ``widths`` has the bits of the floats of each column. A NaN with other bits than the usual NaN
    is shown with its bits, such as ``nan (0xffc00001)``: NaN with different bits differ.
    """
    if row is None:
        return None
    return {name: _plain_value(value, widths[name]) for name, value in row.items()}


def _plain_value(value, width):
    if isinstance(value, float) and math.isnan(value) and width is not None:
        bits = int(np.array(value, f"f{width // 8}").view(f"u{width // 8}"))
        return "nan" if bits == _NAN[width] else f"nan ({bits:#x})"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, bool | int | str) else str(value)
