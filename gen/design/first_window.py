"""Reads and prints the time at which the first window of RANGE begins."""

import re

from query.errors import UserError
from query.literals import part_of_step
from query.query import Query
from query.types import number_of
from query.units import spelled, steps, undeclared
from query.window import Range

#: A number and a word behind it; the number itself is checked by the type of the column.
_WITH_UNIT = re.compile(r"(?P<number>.*[0-9.])[ \t]*(?P<unit>[A-Za-z]+)[ \t]*")


def start_of(
    query: Query, text: str | None, option: str = "--start"
) -> tuple[int | None, str | None]:
    """Returns the raw time of ``--start`` and a warning about its unit; each may be None.

    The text is a literal of the time column's type, or a number with a unit of time that makes a
    whole number of the column's steps. Raises UserError for any other text, and if the query has no
    RANGE. Messages name the start by ``option``.
    """
    if text is None:
        return None, None
    if not isinstance(query.window, Range):
        raise UserError(
            f"{option} is where the first window of RANGE begins; the query has no RANGE"
        )
    time = query.window.attribute
    match = _WITH_UNIT.fullmatch(text)
    try:
        if not match:
            return time.type.parse(text), None
        raw = _in_steps(match["number"], spelled(match["unit"]), time, text)
    except ValueError as refusal:
        raise UserError(f"{option}, a time as in {time}: {refusal}") from None
    meaning = f"{option} {text} is {time.type.text(raw)}"
    return raw, None if time.unit else undeclared(time, meaning)


def _in_steps(number, unit, time, text):
    """Returns the raw time of a number with its unit; raises ValueError."""
    exact = number_of(number, time.type)
    raw = steps(exact, unit, time)
    if raw.denominator != 1:
        part = part_of_step(exact, unit, time)
        raise ValueError(f"{text} is no whole number of the column's steps: {part}")
    if not time.type.raw_min <= raw <= time.type.raw_max:
        raise ValueError(f"{text} does not fit {time.type}")
    return int(raw)


def start_text(query: Query, start: int | None) -> str | None:
    """Returns the literal of a raw start, or None for None."""
    return None if start is None else query.window.attribute.type.text(start)


def shown_start(query: Query, text: str) -> str:
    """Returns the text of a start with the unit of the time column, if the schema declares one."""
    unit = query.window.attribute.unit
    return text if unit is None else f"{text} {unit}"
