"""Paths of a command line: looked at when it is read, before any work is done."""

import os
from pathlib import Path
from tempfile import TemporaryFile

import typer

from query.errors import UserError


def named(text) -> Path:
    """The path that an argument names; raises BadParameter for what can name no file."""
    text = str(text)
    if not text:
        raise typer.BadParameter("a path cannot be empty")
    if "\0" in text:
        raise typer.BadParameter(f"{text!r} holds a zero byte, which no path can")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise typer.BadParameter(f"{text!r} is not UTF-8") from None
    return Path(text)


def kept_in(text) -> Path:
    """The directory of a cache; raises BadParameter unless it is one, or can be made."""
    path = named(text)
    try:
        there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None
    if not there.is_dir():
        raise typer.BadParameter(f"{there} is not a directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"{there} cannot be written: Permission denied")
    return path


def check_output(path, suffixes, what, reads=()):
    """Raises UserError unless a file can be written to ``path``: before the work is done.

    Parameters
    ----------
    path : path-like
    suffixes : tuple of str
        What its name must end in, one of these.
    what : str
        What goes there, for the message.
    reads : sequence of path-like
        Files that the command reads, none of which ``path`` may be.
    """
    path = Path(path)
    if not path.name.endswith(suffixes):
        raise UserError(f"{what} must go to a {' or '.join(suffixes)} file", file=path)

    def refuse(reason):
        raise UserError(f"cannot be written: {reason}", file=path)

    try:
        if not path.parent.is_dir():
            refuse("there is no such folder")
        if path.is_dir():
            refuse("it is a directory")
        if path.exists() and not path.is_file():
            refuse("it is no regular file")
        if any(path.exists() and Path(r).exists() and path.samefile(r) for r in reads):
            refuse("it is what the command reads")
        with TemporaryFile(dir=path.parent):  # permissions do not say all: nobody writes in /proc
            pass
    except OSError as error:
        refuse(error.strerror)
    if path.exists() and not os.access(path, os.W_OK):
        refuse("Permission denied")
