"""Options: what is built into an engine. Each is a field of the engine's frozen ``Options`` class.

An option that was not given is None; what stands for it then is told by ``Options.resolved``, the
same class with nothing left open. So every field can be replaced by itself, as with
:func:`dataclasses.replace`, and the others follow: with ``modules`` not given, a query with a
greater SLACK has more of them.
"""

import dataclasses


def option(doc, *, default=None, unit=None, absent=None, **limits):
    """A field of an engine's options.

    Parameters
    ----------
    doc : str
        What it is, for a user, without a full stop.
    default : int, str or None
        None is "not given".
    unit : str or None
        Of a number, such as ``tuples``.
    absent : str or None
        What stands for an option that was not given, for a user.
    limits
        ``choices``, a tuple of str; or ``range``, the least and the greatest number, with
        ``power_of_two=True`` when it must be one. A text has neither: the engine itself looks at
        what it says.
    """
    told = {"doc": doc, "unit": unit, "absent": absent} | limits
    return dataclasses.field(default=default, metadata=told)


def option_fields(options):
    """The dataclass fields of ``options``, a class or an instance, that a user may give."""
    return tuple(field for field in dataclasses.fields(options) if "doc" in field.metadata)


def values(options):
    """Every option and its value, those that were not given resolved, in order of declaration."""
    resolved = options.resolved
    return {field.name: getattr(resolved, field.name) for field in option_fields(options)}


def check(options):
    """Raises TypeError or ValueError unless each option that was given keeps its own limits."""
    for field in option_fields(options):
        value, limits = getattr(options, field.name), field.metadata
        if value is None and field.default is None:
            continue
        if "choices" in limits:
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
    _whole(name, value)
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")


def power_of_two(name, value, low, high):
    """Raises TypeError or ValueError unless ``value`` is a power of two in ``low`` to ``high``."""
    _whole(name, value)
    if not low <= value <= high or value & (value - 1):
        raise ValueError(f"{name} must be a power of two from {low} to {high}, not {value}")


def _whole(name, value):
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
