"""Rules about several host settings, as plain data that a host can work out by itself."""

from dataclasses import dataclass

#: A number, the name of a setting, or an operation with its two terms: ``("+", term, term)``, also
#: ``*``, ``gcd``, and ``/``, the quotient rounded up.
Term = int | str | tuple


@dataclass(frozen=True, kw_only=True)
class Rule:
    """``smaller`` must be at most ``greater``; ``says`` is the rule in words.

    For instance RANGE / SLIDE, rounded up, in at most 11 modules:
    ``Rule(smaller=("/", "range", "slide"), greater=11, says="...")``.
    """

    smaller: Term
    greater: Term
    says: str


def at_most(smaller, greater):
    """The rule that one setting is at most another one, or that it is at least a number."""
    if isinstance(smaller, int):
        return Rule(
            smaller=smaller, greater=greater, says=f"{greater} must be at least {smaller} step"
        )
    return Rule(smaller=smaller, greater=greater, says=f"{smaller} must be at most {greater}")


#: Of windows by rows: tuples between two windows would have no say.
ROW_RULES = (at_most("slide", "size"),)
#: Of windows of time; a rule that divides by the slide must come behind them.
TIME_RULES = (at_most(1, "slide"), at_most("slide", "range"))
