"""Where the first window of RANGE begins, as a user writes it and as it is shown."""

import re

from query.errors import UserError
from query.literals import part_of_step
from query.types import number_of
from query.units import spelled, steps, undeclared
from query.window import Range

#: A number and a word behind it; the number itself is checked by the type of the column.
_WITH_UNIT = re.compile(r"(?P<number>.*[0-9.])[ \t]*(?P<unit>[A-Za-z]+)[ \t]*")


def start_of(query, text):
    """Returns the raw time of ``--start`` and a warning about its unit, each of them or None.

    The text is a literal of the time column's type, or a number with a unit of time, which must be
    whole steps of the column. Raises UserError when it is neither, or when the query has no RANGE.
    """
    if text is None:
        return None, None
    if not isinstance(query.window, Range):
        raise UserError("--start is where the first window of RANGE begins; the query has no RANGE")
    time = query.window.attribute
    found = _WITH_UNIT.fullmatch(text)
    try:
        if not found:
            return time.type.parse(text), None
        raw = _in_steps(found["number"], spelled(found["unit"]), time, text)
    except ValueError as refusal:
        raise UserError(f"--start, a time as in {time}: {refusal}") from None
    taken = f"--start {text} is {time.type.text(raw)}"
    return raw, None if time.unit else undeclared(time, taken)


def _in_steps(number, unit, time, text):
    """The raw time of a number with its unit; raises ValueError."""
    exact = number_of(number, time.type)
    raw = steps(exact, unit, time)
    if raw.denominator != 1:
        part = part_of_step(exact, unit, time)
        raise ValueError(f"{text} is no whole number of its steps: {part}")
    if not time.type.raw_min <= raw <= time.type.raw_max:
        raise ValueError(f"{text} does not fit {time.type}")
    return int(raw)


def start_text(query, start):
    """Returns the literal of a raw start; None stays None."""
    return None if start is None else query.window.attribute.type.text(start)


def shown_start(query, text):
    """Returns the text of a start with the unit that the time column declares, if it does."""
    unit = query.window.attribute.unit
    return text if unit is None else f"{text} {unit}"
