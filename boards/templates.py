"""Fills in the text templates of the boards."""

from string import Template
from textwrap import dedent


def fill(template: str, **values: object) -> str:
    """Returns ``template`` without indentation, with ``$name`` and ``${name}`` replaced by values.

    ``$$`` becomes ``$``. Raises KeyError if a name has no value, and ValueError if the template
    does not use a value.
    """
    text = Template(dedent(template).lstrip("\n"))
    unused = set(values) - set(text.get_identifiers())
    if unused:
        raise ValueError(f"values must be named in the template, not {', '.join(sorted(unused))}")
    return text.substitute(values)
