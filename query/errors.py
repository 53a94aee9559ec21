"""Defines the exception for mistakes of a user: a message of one line, with the place if known."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Self

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class UserError(Exception):
    """Reports a bad query, parameter or input; the command line prints it and exits with code 2.

    Parameters
    ----------
    message : str
        Names the mistake and the offending value. Control characters, which a value or a file's
        name may contain, are escaped, so that the message is one line.
    file : str or Path or None
        File with the mistake.
    line, column : int or None
        Position in ``file``, counted from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.message = one_line(message)
        self.file = None if file is None else one_line(file)
        self.line = line
        self.column = column
        super().__init__(str(self))

    def at(self, file: str | Path | None) -> Self:
        """Returns the same error with the name of its file."""
        return type(self)(self.message, file=file, line=self.line, column=self.column)

    def __str__(self) -> str:
        return _placed(self.message, self.file, self.line, self.column)


class QueryError(UserError):
    """Reports a query text that does not parse or has no meaning."""


@dataclass(frozen=True)
class QueryWarning:
    """Warns of a part of a query text that the writer may misunderstand."""

    message: str
    line: int
    column: int
    file: str | Path | None = None

    def at(self, file: str | Path | None) -> "QueryWarning":
        """Returns the same warning with the name of its file."""
        return replace(self, file=file)

    def __str__(self) -> str:
        return _placed(self.message, self.file, self.line, self.column)


def _placed(message, file, line, column):
    """Returns file, line and column, as far as known, and then the message, in one line."""
    place = [str(part) for part in (file, line, column) if part is not None]
    return one_line(":".join([*place, f" {message}"]) if place else message)


def refuse_device(path: str | Path) -> None:
    """Raises UserError if ``path`` is a character device, such as the endless /dev/zero."""
    if Path(path).is_char_device():
        raise UserError("cannot be read: it is a device", file=path)


def refuse_special_file(path: str | Path) -> None:
    """Raises UserError if ``path`` is a device, a pipe or a socket.

    A file that is read several times must be a regular file: a pipe gives its bytes only once.
    """
    place = Path(path)
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise UserError("cannot be read: it is no regular file", file=path)


def one_line(text: object) -> str:
    """Returns ``text`` with escaped control characters, which could move a terminal's cursor."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), str(text))


def brief(text: object, limit: int = 60) -> str:
    """Returns ``text`` for an error message; a long text is cut, and its length is added."""
    string = str(text)
    return string if len(string) <= limit else f"{string[:limit]}... ({len(string)} characters)"


def nearest(name: str, names: Iterable[str], *, else_list: bool = True) -> str:
    """Returns the end of an "unknown name" message: the name that the user probably meant.

    The end is ``"; did you mean X?"`` if a known name is similar (letter case is ignored).
    Otherwise it is ``"; known are X, Y, Z"`` in the order of ``names``, or empty if ``else_list``
    is false.
    """
    candidates = [str(candidate) for candidate in names]
    folded = {candidate.casefold(): candidate for candidate in candidates}
    close = get_close_matches(name.casefold(), folded, n=1)
    if close:
        return f"; did you mean {folded[close[0]]}?"
    return f"; known are {', '.join(candidates)}" if candidates and else_list else ""
