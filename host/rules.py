"""Checks the rules of a manifest, such as ``range / slide <= 11``."""

from math import gcd

_OPERATIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: -(-a // b),  # rounded up
    "gcd": gcd,
}


def broken_rule(rules, values):
    """Returns the first rule that the values break, or None.

    Parameters
    ----------
    rules : sequence of dict
        Each with ``smaller``, which must be at most ``greater``; both are a number, the name of a
        setting, or a list of an operation and its two terms.
    values : mapping of str to int
        Raw numbers by the names of the settings. A rule is skipped if one of its settings is
        missing here.
    """
    for rule in rules:
        if settings_of(rule) <= values.keys() and _of(rule["smaller"], values) > _of(
            rule["greater"], values
        ):
            return rule
    return None


def settings_of(rule):
    """Returns the names of the settings that a rule is about."""
    return _names(rule["smaller"]) | _names(rule["greater"])


def _names(term):
    if isinstance(term, str):
        return {term}
    return set() if isinstance(term, int) else set().union(*map(_names, term[1:]))


def _of(term, values):
    if isinstance(term, str):
        return values[term]
    if isinstance(term, int):
        return term
    operation, *terms = term
    return _OPERATIONS[operation](*(_of(inner, values) for inner in terms))
