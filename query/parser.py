"""Reads a query: its text, or the file that holds it.

docs/query-language.md is the user's account of the language, grammar.lark its syntax.
"""

from dataclasses import replace
from pathlib import Path

from lark.exceptions import VisitError

from query.errors import QueryError, UserError, refuse_device
from query.query import Query
from query.resolve import Resolver
from query.syntax import tree


def parse(text: str, file: str | Path | None = None) -> Query:
    """Read a schema and its query.

    Parameters
    ----------
    text : str
        ``CREATE INPUT STREAM ...; SELECT ...;``
    file : str or Path, optional
        What errors name as the place of ``text``.

    Raises
    ------
    QueryError
        With line and column, what was found and what was expected.
    """
    try:
        query = Resolver().transform(tree(text))
    except VisitError as error:
        if isinstance(error.orig_exc, QueryError):
            raise error.orig_exc.at(file) from None
        raise
    except QueryError as error:
        raise error.at(file) from None
    return replace(query, warnings=tuple(warning.at(file) for warning in query.warnings))


def load(path: str | Path) -> Query:
    """Read a ``.cql`` file; raises QueryError, or UserError when the file cannot be read."""
    return parse(read_text(path), path)


def read_text(path: str | Path) -> str:
    """Contents of a UTF-8 file, without a byte-order mark.

    Raises UserError, which names the file, when it cannot be read.
    """
    try:
        refuse_device(path)
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise UserError(f"is not UTF-8 text (byte {error.start})", file=path) from None
    except ValueError:  # Python's words for it do not say of what
        raise UserError("cannot be read: the name holds a zero byte", file=path) from None
