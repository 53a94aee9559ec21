"""Numbers of the query text: whole ones, exact decimals and durations, checked where they stand."""

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
    """A number of the text with its unit, or without one: then it counts the time column's 1.

    Attributes
    ----------
    token : Token
        The number; errors name its place.
    number : Fraction
    unit : str or None
        A name of `query.units.NANOSECONDS`.
    text : str
        The number and the unit as the text spells them.
    """

    token: Token
    number: Fraction
    unit: str | None
    text: str

    @classmethod
    def read(cls, number: Token, unit: Token | None):
        """Reads the two tokens; raises QueryError for an unknown unit."""
        if unit is None:
            return cls(number, exact(number), None, str(number))
        try:
            name = spelled(unit)
        except ValueError as refusal:
            raise error(unit, str(refusal)) from None
        return cls(number, exact(number), name, f"{number} {unit}")

    def raw(self, what: str, time: Column, least: int) -> int:
        """Returns the number of raw steps of the time column; raises QueryError unless whole.

        ``what`` names the duration in the error, ``least`` is the smallest number allowed.
        """
        raw = steps(self.number, self.unit, time)
        if raw.denominator != 1 or raw < least:
            sign = "positive" if least else "not negative"
            step = f"a multiple of {time.type.text(1)}, the step of {time}"
            if self.unit:
                step = f"whole steps of {time}"
            message = f"{what} must be {sign} and {step}, not {brief(self.text)}"
            if self.unit and raw.denominator != 1:
                message += f": {part_of_step(self.number, self.unit, time)}"
            raise error(self.token, message)
        if raw > STEPS:
            message = f"at most {STEPS} steps of {time}"
            raise error(self.token, f"{what} must be {message}, not {brief(self.text)}")
        return int(raw)


def part_of_step(number: Fraction, unit: str, time: Column) -> str:
    """Says how many steps of the column a length is that is not whole steps, and the way out."""
    many = steps(number, unit, time)
    endless = 10 ** (many.denominator.bit_length()) % many.denominator
    many = f"it is {brief(many if endless else decimal(many))} steps"
    finer = coarsest(number, unit, time)
    declared = f'"{time.name} {time.type} {finer}"'
    if time.unit is not None:
        return many + (f"; it would be whole steps of {declared}" if finer else "")
    many += f", as {time.name} declares no unit and its numbers count seconds"
    return many + (f"; declare the unit, as in {declared}" if finer else "")


def error(token: Token, message: str) -> QueryError:
    """The error to raise about a token."""
    return QueryError(message, line=token.line, column=token.column)


def warning(token: Token, message: str) -> QueryWarning:
    """The warning to give about a token."""
    return QueryWarning(message, line=token.line, column=token.column)


def whole(token: Token, what: str, least: int = 0, most: int | None = None) -> int:
    """The whole number of a token; ``what`` names it in the error."""
    number = exact(token)
    if number.denominator != 1 or number < least:
        raise error(token, f"{what} must be a whole number of at least {least}, not {brief(token)}")
    if most is not None and number > most:
        raise error(token, f"{what} must be at most {most}, not {brief(token)}")
    return int(number)


def exact(token: Token) -> Fraction:
    """The number of a token, exactly; refuses those longer than any type's, or out of reach."""
    if len(token) > NUMBER:
        raise error(token, f"a number must have at most {NUMBER} characters, not {len(token)}")
    digits = token.lower().partition("e")[2].lstrip("+-0")
    if len(digits) > 3:
        raise error(token, f"{brief(token)} is out of every range")
    return Fraction(str(token))


def decimal(number: Fraction) -> str:
    """Exact decimal digits of a number that was written in decimal, without trailing zeros."""
    places = 0
    while (number * 10**places).denominator != 1:
        places += 1
    digits = f"{int(number * 10**places):0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits
