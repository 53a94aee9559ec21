"""Options of an engine, which are built in: fields of the engine's frozen ``Options`` class.

An option that the user did not set is None. ``Options.resolved`` is an instance of the same class
in which every option has a value. The original instance keeps None, so ``dataclasses.replace`` may
change one field, and ``resolved`` computes the options that are None anew: if the user did not set
``modules``, a query with a greater SLACK has more modules.
"""

import dataclasses
import re
from fractions import Fraction

from query.types import NUMERAL

#: A fraction such as 1/4.
_FRACTION = re.compile(r"[0-9]{1,9}/[0-9]{1,9}")


def option(doc, *, default=None, unit=None, absent=None, needs=None, **limits):
    """Returns a field of an engine's options.

    Parameters
    ----------
    doc : str
        Meaning of the option, for a user, without a full stop.
    default : int, str or None
        None: ``resolved`` chooses the value if the user did not set the option.
    unit : str or None
        Unit of a number, such as ``tuples``.
    absent : str or None
        Value that ``resolved`` chooses, in words for a user.
    needs : tuple or None
        Condition without which the option has no effect: words for a user, and a function of the
        options that returns whether it holds. For instance
        ``("codec=sz", lambda options: options.codec == "sz")``. None if there is no condition.
    limits
        ``choices``, a tuple of str; ``range``, the smallest and the largest number, with
        ``power_of_two=True`` for a power of two; or both, for a number or one of the choices. An
        option without limits is a text that the engine itself checks.
    """
    metadata = {"doc": doc, "unit": unit, "absent": absent, "needs": needs} | limits
    return dataclasses.field(default=default, metadata=metadata)


def option_fields(options):
    """Returns the dataclass fields of ``options``, a class or an instance, that a user may set."""
    return tuple(field for field in dataclasses.fields(options) if "doc" in field.metadata)


def values(options):
    """Returns a dict of each option's name and its resolved value, in order of declaration."""
    resolved = options.resolved
    return {field.name: getattr(resolved, field.name) for field in option_fields(options)}


def without_effect(options):
    """Returns a list: name, value and missing condition of each set option without an effect.

    An option that has its default value counts as not set. For instance ``decoders=8`` with
    ``codec=base-delta`` is ``("decoders", 8, "codec=xor, xor-chained, grid or sz")``.
    """
    unused = []
    for field in option_fields(options):
        value = getattr(options, field.name)
        condition, holds = field.metadata["needs"] or ("", None)
        if value != field.default and holds is not None and not holds(options):
            unused.append((field.name, value, condition))
    return unused


def check(options):
    """Raises TypeError or ValueError if an option is outside its own limits.

    None is allowed only for an option whose default is None.
    """
    for field in option_fields(options):
        value = getattr(options, field.name)
        limits = field.metadata
        if value is None and field.default is None:
            continue
        words = limits.get("choices", ())
        if "range" in limits and value in words:
            continue
        if "range" in limits and words and isinstance(value, str):
            others = " or ".join(words)
            raise TypeError(f"{field.name} must be an integer or {others}, not {value!r}")
        if "choices" in limits and "range" not in limits:
            one_of(field.name, value, limits["choices"])
        elif limits.get("power_of_two"):
            power_of_two(field.name, value, *limits["range"])
        elif "range" in limits:
            integer(field.name, value, *limits["range"])


def one_of(name, value, choices):
    """Raises ValueError unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def integer(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is an integer from ``low`` to ``high``."""
    _check_integer(name, value)
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def power_of_two(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is a power of two in ``low`` to ``high``."""
    _check_integer(name, value)
    if not low <= value <= high or value & (value - 1):
        raise ValueError(f"{name} must be a power of two from {low} to {high}, not {value}")


def _check_integer(name, value):
    """Raises TypeError unless ``value`` is an integer; a bool is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")


def exact_number(text):
    """Returns the number of an option's text as a Fraction; None for any other text.

    The text is a decimal number such as ``4.5`` or ``1e-3``, or a fraction without a sign, such as
    ``1/4``. An exponent has at most three digits after leading zeros, and each part of a fraction
    at most nine, so that the number is computed quickly.
    """
    if not (NUMERAL.fullmatch(text) or _FRACTION.fullmatch(text)):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None
