"""Numbers of the query text: whole ones, exact decimals and durations, checked where they stand."""

from dataclasses import dataclass
from fractions import Fraction

from lark import Token

from query.bounds import STEPS
from query.errors import QueryError, brief, nearest
from query.schema import Column
from query.types import NUMBER

SECONDS = {
    "second": 1,
    "seconds": 1,
    "minute": 60,
    "minutes": 60,
    "hour": 3600,
    "hours": 3600,
}


@dataclass(frozen=True)
class Duration:
    """A number and its unit: how the text said it, and the exact seconds."""

    token: Token
    text: str
    seconds: Fraction

    @classmethod
    def read(cls, number: Token, unit: Token | None):
        if unit is None:
            return cls(number, str(number), exact(number))
        if unit.lower() not in SECONDS:
            raise error(unit, f"unknown unit {unit}{nearest(unit, SECONDS)}")
        return cls(number, f"{number} {unit}", exact(number) * SECONDS[unit.lower()])

    def raw(self, what: str, time: Column, least: int) -> int:
        """In raw units of the time column, where it must come out whole."""
        raw = self.seconds * (1 << time.type.fraction)
        if raw.denominator != 1 or raw < least:
            sign = "positive" if least else "not negative"
            step = f"a multiple of {time.type.text(1)}, the step of {time}"
            raise error(self.token, f"{what} must be {sign} and {step}, not {brief(self.text)}")
        if raw > STEPS:
            steps = f"at most {STEPS} steps of {time}"
            raise error(self.token, f"{what} must be {steps}, not {brief(self.text)}")
        return int(raw)


def error(token: Token, message: str) -> QueryError:
    """The error to raise about a token."""
    return QueryError(message, line=token.line, column=token.column)


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
