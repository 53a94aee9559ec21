"""Paths of a command line: looked at when it is read, before any work is done."""

import os
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import typer

from caching.place import check_usable
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


def cache_folder(text) -> Path:
    """The folder of a cache; raises BadParameter when it cannot be used.

    It can be used when entries can be made there, by this user alone; or when it cannot be written,
    but holds some already.
    """
    path = named(text)
    try:
        check_usable(path)
    except UserError as error:
        raise typer.BadParameter(str(error)) from None
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None
    return path


def check_output(path, suffixes, content, reads=()):
    """Raises UserError unless a file can be written to ``path``: before the work is done.

    Parameters
    ----------
    path : path-like
    suffixes : tuple of str
        The endings that its name may have.
    content : str
        What the file is for, in the message.
    reads : sequence of path-like
        Files that the command reads. ``path`` must be none of them, under any spelling or link.
    """
    path = Path(path)
    if not path.name.endswith(suffixes):
        raise UserError(f"{content} must go to a {' or '.join(suffixes)} file", file=path)
    with _refusing(path):
        if not path.parent.is_dir():
            _refuse(path, "there is no such folder")
        if path.is_dir():
            _refuse(path, "it is a directory")
        if path.exists() and not path.is_file():
            _refuse(path, "it is no regular file")
        if any(same_file(path, read) for read in reads):
            _refuse(path, "it is what the command reads")
        with TemporaryFile(dir=path.parent):  # permissions do not say all: nobody writes in /proc
            pass
    if path.exists() and not os.access(path, os.W_OK):
        _refuse(path, "Permission denied")


def check_apart(path, others):
    """Raises UserError when ``path`` leads to another output of the command.

    Two files that are not there yet are the same when their folder is, whatever leads to it, and
    when their names differ in nothing but case: some file systems do not tell these apart.

    Parameters
    ----------
    path : path-like
    others : dict of path-like to str
        What the command writes to other files.
    """
    with _refusing(path):
        for other, content in others.items():
            if same_file(path, other) or _spelling(path) == _spelling(other):
                _refuse(path, f"the command writes {content} there")


def same_file(path, other):
    """True if both paths exist and lead to one file, also by symbolic or hard links."""
    return Path(path).exists() and Path(other).exists() and os.path.samefile(path, other)


def _spelling(path):
    """Returns the identity of a file's folder, and the file's name without its case."""
    path = Path(path).resolve()
    folder = os.stat(path.parent)
    return folder.st_dev, folder.st_ino, unicodedata.normalize("NFC", path.name).casefold()


def _refuse(path, reason):
    raise UserError(f"cannot be written: {reason}", file=path)


@contextmanager
def _refusing(path):
    """Turns the errors of the operating system into a refusal of ``path``."""
    try:
        yield
    except RuntimeError:  # what resolve() says of links that lead to each other, up to Python 3.12
        _refuse(path, "links lead in a circle")
    except OSError as error:
        _refuse(path, error.strerror)
