"""Defines the units of time: their spellings in a query, and the length of each unit."""

from fractions import Fraction

from query.errors import nearest
from query.schema import Column

#: Length of each unit, in nanoseconds, under the name that the canonical text writes.
NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "seconds": 10**9,
    "minutes": 60 * 10**9,
    "hours": 3600 * 10**9,
    "days": 86400 * 10**9,
}
_LONG = {"nanosecond": "ns", "microsecond": "us", "millisecond": "ms"}

#: Name of the unit of each spelling; spellings are in small letters.
SPELLINGS = {
    **{name: name for name in NANOSECONDS},
    **{name.removesuffix("s"): name for name in ("seconds", "minutes", "hours", "days")},
    **_LONG,
    **{f"{word}s": name for word, name in _LONG.items()},
}
#: Unit of a column's 1, if a duration has a unit and the column declares none.
ASSUMED = "seconds"


def spelled(word: str) -> str:
    """Returns the name of the unit that a word spells; raises ValueError for any other word."""
    if word.lower() not in SPELLINGS:
        near = nearest(word, SPELLINGS, else_list=False) if len(word) > 2 else ""
        raise ValueError(f"unknown unit {word}{near or '; known are ' + ', '.join(NANOSECONDS)}")
    return SPELLINGS[word.lower()]


def steps(number: Fraction, unit: str | None, time: Column) -> Fraction:
    """Returns a length in raw steps of the time column, exactly.

    A column with ``fraction`` bits after the point counts its unit in ``2**fraction`` steps. For
    instance 1.5 seconds are 1500 steps of a ``uint(64) ms``, and 384 steps of a
    ``fixed(24,8) seconds``. If ``unit`` is None, the number is in the column's unit.
    """
    column_unit = time.unit or ASSUMED
    scale = Fraction(NANOSECONDS[unit], NANOSECONDS[column_unit]) if unit else 1
    return number * scale * (1 << time.type.fraction)


def coarsest(number: Fraction, unit: str, time: Column) -> str | None:
    """Returns the coarsest unit of the time column with which a length is whole steps, or None.

    The column's declared unit does not matter. For instance 90 seconds are whole steps of a
    ``uint(64) seconds``, and of a ``fixed(24,1) minutes``, whose steps are half minutes.
    """
    for name in reversed(NANOSECONDS):
        if steps(number, unit, Column(time.name, time.type, name)).denominator == 1:
            return name
    return None


def undeclared(time: Column, meanings: str) -> str:
    """Returns the warning about lengths with units over a column that declares no unit.

    ``meanings`` lists the numbers of the lengths, as in ``RANGE 1 minute is 60``.
    """
    name = f"{time.name} {time.type}"
    return (
        f"{time.name} declares no unit, so its numbers count seconds: {meanings}; "
        f'declare the unit, as in "{name} seconds" or "{name} ms"'
    )
