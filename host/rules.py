"""Finds the rule that values of settings break, such as ``range / slide <= 11``.

The rules stand in the manifest of a design.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

_OPERATIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: -(-a // b),  # rounded up
    "gcd": gcd,
}


def broken_rule(
    rules: Iterable[Mapping[str, Any]], values: Mapping[str, int]
) -> Mapping[str, Any] | None:
    """Returns the first rule that the values break, or None.

    Parameters
    ----------
    rules : iterable of mapping
        Each rule requires that the term ``smaller`` is at most the term ``greater``; ``says`` has
        the rule in words. A term is a number, the name of a setting, or a list of an operation and
        its two terms. The operations are ``+``, ``*``, ``gcd``, and ``/``, whose quotient is
        rounded up.
    values : mapping of str to int
        Raw number of each setting, by its name. A rule is skipped if ``values`` lacks one of the
        rule's settings. Divisors must not be 0: the limits of a setting must be checked before.

    Example: ``{"smaller": ["/", "range", "slide"], "greater": 11}`` is broken by range 23 and slide
    2, because 23 / 2, rounded up, is 12.
    """
    for rule in rules:
        is_known = settings_of(rule) <= values.keys()
        if is_known and _evaluate(rule["smaller"], values) > _evaluate(rule["greater"], values):
            return rule
    return None


def settings_of(rule: Mapping[str, Any]) -> set[str]:
    """Returns the names of the settings in a rule."""
    return _names(rule["smaller"]) | _names(rule["greater"])


def _names(term):
    """Returns the names of the settings in a term."""
    if isinstance(term, str):
        return {term}
    return set() if isinstance(term, int) else set().union(*map(_names, term[1:]))


def _evaluate(term, values):
    """Returns the number that a term stands for."""
    if isinstance(term, str):
        return values[term]
    if isinstance(term, int):
        return term
    operation, *terms = term
    return _OPERATIONS[operation](*(_evaluate(inner, values) for inner in terms))
