"""The one exception for what a user wrote or passed wrongly: one line, with the place if known."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class UserError(Exception):
    """A bad query, parameter or input; the command line prints it and exits with code 2.

    Parameters
    ----------
    message : str
        What is wrong, with the offending value. What would make more than one line of it, as a
        value or a file's name may, is escaped.
    file : str or None
        The file at fault.
    line, column : int or None
        Position in ``file``, counted from 1.
    """

    def __init__(self, message, *, file=None, line=None, column=None):
        self.message = one_line(message)
        self.file = None if file is None else one_line(file)
        self.line = line
        self.column = column
        super().__init__(str(self))

    def at(self, file):
        """The same error, with its file named."""
        return type(self)(self.message, file=file, line=self.line, column=self.column)

    def __str__(self):
        return _placed(self.message, self.file, self.line, self.column)


class QueryError(UserError):
    """A query text that does not parse or does not make sense."""


@dataclass(frozen=True)
class QueryWarning:
    """A query text that may mean something else than its writer thinks; with its place."""

    message: str
    line: int
    column: int
    file: str | Path | None = None

    def at(self, file):
        """Returns the same warning, with its file named."""
        return replace(self, file=file)

    def __str__(self):
        return _placed(self.message, self.file, self.line, self.column)


def _placed(message, file, line, column):
    """The message with its place before it, as far as that is known."""
    place = [str(part) for part in (file, line, column) if part is not None]
    return ":".join([*place, f" {message}"]) if place else message


def refuse_device(path):
    """Raises UserError when ``path`` names a device such as /dev/zero, which might never end."""
    if Path(path).is_char_device():
        raise UserError("cannot be read: it is a device", file=path)


def one_line(text: str) -> str:
    """``text`` with its control characters as escapes: nothing moves a terminal's cursor."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), str(text))


def brief(text: str, most: int = 60) -> str:
    """``text`` as an error shows it: one that is long is cut, and says how long it was."""
    text = str(text)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def nearest(name: str, known: Iterable[str], *, else_list: bool = True) -> str:
    """The end of an "unknown name" message: what the user may have meant.

    Returns ``"; did you mean X?"`` when a known name is close (letter case is ignored), else
    ``"; known are X, Y, Z"`` in the order of ``known``, or nothing if ``else_list`` is false.
    """
    known = [str(candidate) for candidate in known]
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), folded, n=1)
    if close:
        return f"; did you mean {folded[close[0]]}?"
    return f"; known are {', '.join(known)}" if known and else_list else ""
