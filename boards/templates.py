"""Filling in the text templates of the boards."""

from string import Template
from textwrap import dedent


def fill(template, **values):
    """``template`` without its indentation, ``$name`` and ``${name}`` replaced; ``$$`` is a ``$``.

    A name without a value is an error, and so is a value that the template does not name.
    """
    text = Template(dedent(template).lstrip("\n"))
    unused = set(values) - set(text.get_identifiers())
    if unused:
        raise ValueError(f"values must be named in the template, not {', '.join(sorted(unused))}")
    return text.substitute(values)
