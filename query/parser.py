"""Reads a query from its text, or from the file that holds the text.

docs/query-language.md describes the language for users; grammar.lark defines its syntax.
"""

from dataclasses import replace
from pathlib import Path

from lark.exceptions import VisitError

from query.errors import QueryError, UserError, refuse_device
from query.query import Query
from query.resolve import Resolver
from query.syntax import tree


def parse(text: str, file: str | Path | None = None) -> Query:
    """Returns the query of a text: a schema and a SELECT statement.

    Parameters
    ----------
    text : str
        ``CREATE INPUT STREAM ...; SELECT ...;``
    file : str or Path, optional
        File that errors and warnings name.

    Raises
    ------
    QueryError
        Names line and column, the offending text, and the text that is expected in its place.
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
    """Returns the query of a ``.cql`` file.

    Raises UserError if the file cannot be read, and QueryError, its subclass, for a bad text.
    """
    return parse(read_text(path), path)


def read_text(path: str | Path) -> str:
    """Returns the contents of a UTF-8 file, without a byte-order mark.

    Raises UserError, which names the file, if the file cannot be read, or is a device such as
    ``/dev/zero``.
    """
    try:
        refuse_device(path)
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise UserError(f"is not UTF-8 text (byte {error.start})", file=path) from None
    except UnicodeEncodeError:
        raise UserError("cannot be read: the name is not UTF-8 text", file=path) from None
    except ValueError:  # Python's message does not name the cause
        raise UserError("cannot be read: the name holds a zero byte", file=path) from None
