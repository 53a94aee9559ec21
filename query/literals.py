"""Converts the numbers of the query text: whole numbers, exact decimals and durations.

Each conversion checks the number, and names its place in an error.
"""

from dataclasses import dataclass
from fractions import Fraction

from lark import Token

from query.bounds import STEPS
from query.errors import QueryError, QueryWarning, brief
from query.schema import Column
from query.types import NUMBER
from query.units import coarsest, spelled, steps


@dataclass(frozen=True)
class Duration:
    """Holds a number of the text with its unit of time, if the text has a unit.

    A number without a unit is a value of the time column: 2 of a ``fixed(24,8)`` is 2.0, which is
    512 raw steps.

    Attributes
    ----------
    token : Token
        Token of the number; errors name its place.
    number : Fraction
    unit : str or None
        A name of `query.units.NANOSECONDS`.
    text : str
        Number and unit, as spelled in the text.
    """

    token: Token
    number: Fraction
    unit: str | None
    text: str

    @classmethod
    def read(cls, number: Token, unit: Token | None) -> "Duration":
        """Reads the two tokens; raises QueryError for an unknown unit."""
        if unit is None:
            return cls(number, exact(number), None, str(number))
        try:
            name = spelled(unit)
        except ValueError as refusal:
            raise error(unit, str(refusal)) from None
        return cls(number, exact(number), name, f"{number} {unit}")

    def raw(self, keyword: str, time: Column, minimum: int) -> int:
        """Returns the duration in raw steps of the time column.

        For instance 1.5 seconds of a column in ms are 1500 steps. Raises QueryError, which names
        ``keyword``, unless the number of steps is whole, at least ``minimum`` and at most `STEPS`.
        """
        raw = steps(self.number, self.unit, time)
        if raw.denominator != 1 or raw < minimum:
            sign = "positive" if minimum else "not negative"
            step = f"a multiple of {time.type.text(1)}, the step of {time}"
            if self.unit:
                step = f"whole steps of {time}"
            message = f"{keyword} must be {sign} and {step}, not {brief(self.text)}"
            if self.unit and raw.denominator != 1:
                message += f": {part_of_step(self.number, self.unit, time)}"
            raise error(self.token, message)
        if raw > STEPS:
            message = f"at most {STEPS} steps of {time}"
            raise error(self.token, f"{keyword} must be {message}, not {brief(self.text)}")
        return int(raw)


def part_of_step(number: Fraction, unit: str, time: Column) -> str:
    """Returns the end of an error message about a length that is no whole number of steps.

    The text has the number of steps, and the unit that would make it whole. For instance for 0.5 ms
    of ``t uint(64) ms``: ``it is 0.5 steps; it would be whole steps of "t uint(64) us"``.
    """
    count = steps(number, unit, time)
    endless = 10 ** (count.denominator.bit_length()) % count.denominator
    message = f"it is {brief(count if endless else decimal(count))} steps"
    finer = coarsest(number, unit, time)
    declared = f'"{time.name} {time.type} {finer}"'
    if time.unit is not None:
        return message + (f"; it would be whole steps of {declared}" if finer else "")
    message += f", as {time.name} declares no unit and its numbers count seconds"
    return message + (f"; declare the unit, as in {declared}" if finer else "")


def error(token: Token, message: str) -> QueryError:
    """Returns the error about a token."""
    return QueryError(message, line=token.line, column=token.column)


def warning(token: Token, message: str) -> QueryWarning:
    """Returns the warning about a token."""
    assert token.line is not None
    assert token.column is not None
    return QueryWarning(message, line=token.line, column=token.column)


def whole_number(token: Token, name: str, minimum: int = 0, maximum: int | None = None) -> int:
    """Returns the whole number of a token; an error calls the number ``name``."""
    number = exact(token)
    if number.denominator != 1 or number < minimum:
        message = f"{name} must be a whole number of at least {minimum}, not {brief(token)}"
        raise error(token, message)
    if maximum is not None and number > maximum:
        raise error(token, f"{name} must be at most {maximum}, not {brief(token)}")
    return int(number)


def exact(token: Token) -> Fraction:
    """Returns the exact number of a token.

    Raises QueryError for a token of more than `NUMBER` characters, or an exponent of more than 3
    digits without leading zeros.
    """
    if len(token) > NUMBER:
        raise error(token, f"a number must have at most {NUMBER} characters, not {len(token)}")
    digits = token.lower().partition("e")[2].lstrip("+-0")
    if len(digits) > 3:
        raise error(token, f"{brief(token)} is out of every range")
    return Fraction(str(token))


def decimal(number: Fraction) -> str:
    """Returns the exact decimal digits of a decimal number, without trailing zeros."""
    places = 0
    while (number * 10**places).denominator != 1:
        places += 1
    sign = "-" if number < 0 else ""
    digits = f"{int(abs(number) * 10**places):0{places + 1}d}"
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
