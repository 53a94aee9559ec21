"""Parses the text of a query to a tree, and words syntax errors in the terms of the language."""

import re
from functools import cache
from importlib.resources import files

from lark import Lark, Tree, UnexpectedCharacters, UnexpectedToken

from query import bounds
from query.errors import QueryError, brief, nearest
from query.units import NANOSECONDS

#: Words for each kind of token in a message, in the order in which a message lists them; keywords,
#: which come first, have their own names.
_WORDS = {
    "STREAM": "the name of a stream",
    "COLUMN": "a column",
    "TYPE": "a type",
    "ITEM": "an aggregate or a column",
    "ALIAS": "a name for the result",
    "UNIT": "a unit of time",
    "TIME_UNIT": "a unit of time",
    "NUMBER": "a number",
    "STRING": 'a "string"',
    "STAR": '"*"',
    "OP": "one of = != < <= > >=",
    "_LPAR": '"("',
    "_RPAR": '")"',
    "_LSQB": '"["',
    "_RSQB": '"]"',
    "_COMMA": '","',
    "_SEMICOLON": '";"',
    "$END": "the end of the query",
}

#: Phrases that begin with a keyword, by the name of the keyword's token.
_PHRASES = {
    "_CREATE": "CREATE INPUT STREAM",
    "_PARTITION": "PARTITION BY",
    "_GROUP": "GROUP BY",
}


@cache
def _parser() -> Lark:
    grammar = files("query").joinpath("grammar.lark")  # also in a wheel that is not unpacked
    # Without ASCII four more letters of Unicode, such as the Kelvin sign, would match i, k and s.
    return Lark(grammar.read_text(encoding="utf-8"), parser="lalr", g_regex_flags=re.ASCII)


def tree(text: str) -> Tree:
    """Returns the parse tree of a schema and its query.

    Raises QueryError at the first token out of place, or beyond a bound of `query.bounds`. For
    instance ``SELECT a FRM S`` has the error ``expected AS, FROM, "(" or ",", not FRM; did you mean
    FROM?``.
    """
    try:
        parsed = _parser().parse(text)
    except UnexpectedToken as error:
        raise _unexpected(error) from None
    except UnexpectedCharacters as error:
        raise _unreadable(error, text) from None
    bounds.check(parsed)
    return parsed


def _unexpected(error):
    """Returns the error for a token out of place, or for a text that ends too early.

    The position of an early end is that after the last token.
    """
    token = error.token
    expected = sorted(error.accepts, key=_rank)
    options = _or([_words_of(name) for name in expected])
    if token.type == "$END":
        line, column = (token.end_line, token.end_column) if token.end_line else (1, 1)
        return QueryError(f"expected {options}, but the text ends", line=line, column=column)
    candidates = [name.removeprefix("_") for name in expected if _is_keyword(name)]
    candidates += NANOSECONDS if "TIME_UNIT" in expected else []
    hint = nearest(token.value, candidates, else_list=False)
    message = f"expected {options}, not {brief(token.value)}{hint}"
    return QueryError(message, line=token.line, column=token.column)


def _unreadable(error, text):
    """Returns the error for a character that begins no token."""
    character = text[error.pos_in_stream]
    if character in "\"'":
        message = f"the string that begins here is not closed with {character} on its line"
    else:
        message = f"{character!r} cannot stand here"
        place = error.pos_in_stream
        if character == "-" and re.fullmatch(r"\w-\w", text[max(0, place - 1) : place + 2]):
            message += "; a name holds letters, digits and _ only"
    return QueryError(message, line=error.line, column=error.column)


def _is_keyword(name):
    return name.startswith("_") and name not in _WORDS


def _words_of(name):
    """Returns the words for a kind of token: ``_COMMA`` is "," in quotes, ``_FROM`` is FROM."""
    return _WORDS.get(name) or _PHRASES.get(name) or name.removeprefix("_")


def _rank(name):
    """Returns the sort key of a kind of token: keywords by name, then the others as in `_WORDS`."""
    return (not _is_keyword(name), list(_WORDS).index(name) if name in _WORDS else 0, name)


def _or(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
