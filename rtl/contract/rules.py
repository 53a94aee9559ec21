"""Rules between several host settings, as plain data that a host evaluates by itself."""

from dataclasses import dataclass
from math import gcd
from operator import add, mul

#: A number, the name of a setting, or an operation with its two terms: ``("+", term, term)``.
#: Operations are ``+``, ``*``, ``gcd``, and ``/``, the quotient rounded up.
Term = int | str | tuple


@dataclass(frozen=True, kw_only=True)
class Rule:
    """``smaller`` must be at most ``greater``; ``says`` is the rule in words.

    For instance, "RANGE / SLIDE, rounded up, must fit 11 modules" is
    ``Rule(smaller=("/", "range", "slide"), greater=11, says="...")``.
    """

    smaller: Term
    greater: Term
    says: str

    def holds(self, numbers):
        """Returns True if ``numbers``, a mapping of names of settings to numbers, keep the rule."""
        return _evaluate(self.smaller, numbers) <= _evaluate(self.greater, numbers)


_OPERATIONS = {"+": add, "*": mul, "/": lambda a, b: -(-a // b), "gcd": gcd}


def _evaluate(term, numbers):
    """Returns the number that a term stands for."""
    if isinstance(term, str):
        return numbers[term]
    if isinstance(term, int):
        return term
    operation, *terms = term
    return _OPERATIONS[operation](*(_evaluate(inner, numbers) for inner in terms))


def at_most(smaller, greater):
    """Returns the rule that a setting is at most another setting, or that a setting is at least a
    number."""
    if isinstance(smaller, int):
        return Rule(
            smaller=smaller, greater=greater, says=f"{greater} must be at least {smaller} step"
        )
    return Rule(smaller=smaller, greater=greater, says=f"{smaller} must be at most {greater}")


#: Rule of windows by rows: with a slide above the size, no window would have the tuples between.
ROW_RULES = (at_most("slide", "size"),)
#: Rules of windows of time. A rule that divides by the slide must follow them.
TIME_RULES = (at_most(1, "slide"), at_most("slide", "range"))
