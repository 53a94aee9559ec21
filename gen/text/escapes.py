"""Escapes texts of a query, such as the strings of WHERE, for Markdown, HTML and SystemRDL."""

import re

_SIGN = re.compile(r"""[^A-Za-z0-9 ,.;:()='"/_-]""")
#: Underscores that Markdown takes for emphasis: those that are not between letters or digits.
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def printable(text: str) -> str:
    """Returns the text with each character that is not printable as an escape, such as ``\\x1b``.

    XML forbids most control characters, and some of them end a line of C or of Markdown.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def markdown(text: str) -> str:
    """Returns the text for a cell of a Markdown table, and for HTML made from Markdown.

    A character that may have a meaning in Markdown, HTML, PeakRDL or MathJax becomes its number:
    ``<`` becomes ``&#60;``. ASCII letters, digits, blanks, the signs ``,.;:()='"/-``, and
    underscores between letters or digits stay as they are.
    """
    text = _SIGN.sub(lambda match: f"&#{ord(match[0])};", printable(text))
    return _UNDERSCORE.sub("&#95;", text)


def rdl_string(text: str) -> str:
    """Returns the text as a string of SystemRDL.

    ``<%`` is escaped, because a SystemRDL compiler runs the text behind it as Perl, in strings too.
    """
    text = printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("<%", "\\\\x3c%")
    return f'"{text}"'
