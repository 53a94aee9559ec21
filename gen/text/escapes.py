"""Texts of a query, such as the strings of WHERE, in languages that have signs of their own."""

import re

_SIGN = re.compile(r"""[^A-Za-z0-9 ,.;:()='"/_-]""")
#: A ``_`` between letters or digits emphasises nothing.
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def printable(text):
    """Returns the text with each character that is not printable as an escape, such as ``\\x1b``.

    XML has no place for control characters, and some of them end a line of C or of Markdown.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def markdown(text):
    """Returns the text for Markdown, fit for a table's cell, and for HTML made from Markdown.

    All signs but a few are written by their numbers, such as ``&#60;``: those that Markdown, HTML,
    PeakRDL or MathJax take for their own among them.
    """
    text = _SIGN.sub(lambda found: f"&#{ord(found[0])};", printable(text))
    return _UNDERSCORE.sub("&#95;", text)


def rdl_string(text):
    """Returns the text as a string of SystemRDL.

    ``<%`` would begin a piece of Perl, which every compiler of SystemRDL runs, within a string too.
    """
    text = printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("<%", "\\\\x3c%")
    return f'"{text}"'
