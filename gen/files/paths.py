"""Checks the paths of a command line before the command does any work.

`checked_path` and `cache_folder` parse arguments and options, so they raise BadParameter, to which
typer adds the name of the argument or option. The other functions raise UserError.
"""

import errno
import os
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from glob import glob, has_magic
from pathlib import Path
from tempfile import TemporaryFile

import typer

from caching.place import check_usable
from query.errors import UserError, brief


def checked_path(text: object) -> Path:
    """Returns the path that an argument names; raises BadParameter if no file can have the name."""
    text = str(text)
    if not text:
        raise typer.BadParameter("a path cannot be empty")
    if "\0" in text:
        raise typer.BadParameter(f"{text!r} holds a zero byte, which no path can")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise typer.BadParameter(f"{text!r} is not UTF-8") from None
    try:
        os.lstat(text)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise typer.BadParameter(f"{brief(text)}: {error.strerror}") from None
    return Path(text)


def cache_folder(text: object) -> Path:
    """Returns the folder of a cache; raises BadParameter if the folder cannot be used.

    A folder can be used if no other user can replace entries in it, and if it can be written or
    holds entries. A missing folder can be used if the nearest folder above it can be written.
    """
    path = checked_path(text)
    try:
        check_usable(path)
    except UserError as error:
        raise typer.BadParameter(str(error)) from None
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None
    return path


def check_suffix(path: str | os.PathLike, suffixes: tuple[str, ...], content: str) -> None:
    """Raises UserError unless the name of a file for ``content`` has a stem and an allowed ending.

    For instance ``a.csv``, but not ``.csv``.
    """
    name = Path(path).name
    if not name.endswith(suffixes) or name in suffixes:
        raise UserError(f"{content} must go to a {' or '.join(suffixes)} file", file=Path(path))


def check_output(
    path: str | os.PathLike,
    suffixes: tuple[str, ...],
    content: str,
    reads: Sequence[str | os.PathLike] = (),
) -> None:
    """Raises UserError if no file can be written to ``path``.

    Parameters
    ----------
    path : path-like
    suffixes : tuple of str
        Allowed endings of the file's name.
    content : str
        Content of the file, for the message.
    reads : sequence of path-like
        Files that the command reads. ``path`` must differ from each, under any spelling or link.
    """
    path = Path(path)
    check_suffix(path, suffixes, content)
    with _refusing(path):
        if not path.parent.is_dir():
            _refuse(path, "there is no such folder")
        if path.is_dir():
            _refuse(path, "it is a directory")
        if path.exists() and not path.is_file():
            _refuse(path, "it is no regular file")
        check_unread(path, reads)
        # Permissions do not suffice: nobody can write to /proc, for example. So create a file.
        with TemporaryFile(dir=path.parent):
            pass
    if path.exists() and not os.access(path, os.W_OK):
        _refuse(path, "Permission denied")


def check_unread(path: str | os.PathLike, reads: Sequence[str | os.PathLike]) -> None:
    """Raises UserError if writing ``path`` would change the data of the command.

    An element of ``reads`` is a file, a directory, or a pattern such as ``data/*.csv``. ``path``
    must not be such a file or directory, must not lie in such a directory or fit such a pattern,
    and must not be a directory that contains such a file.
    """
    with _refusing(path):
        place = Path(path).resolve()
        is_there = place.exists()
    for read in reads:
        try:
            _check_apart_from_source(path, place, is_there, read)
        except RuntimeError:  # up to Python 3.12 resolve() raises it
            raise UserError("cannot be read: links lead in a circle", file=Path(read)) from None
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", file=Path(read)) from None


def _check_apart_from_source(path, place, is_there, read):
    """Raises UserError if the file ``place``, which the user calls ``path``, is part of ``read``.

    ``is_there`` tells whether the file exists.
    """
    if is_there and same_file(path, read):
        _refuse(path, "it is what the command reads")
    source = Path(read).resolve()
    if place in source.parents:
        _refuse(path, f"the command reads {read}")
    is_pattern = has_magic(str(read)) and not Path(read).exists()
    if is_pattern and place.match(str(source)):
        _refuse(path, f"the command reads {read}")
    found = [Path(name) for name in glob(str(read))] if is_pattern else [Path(read)]
    if any(_is_within(place, folder) for folder in found if folder.is_dir()):
        _refuse(path, f"the command reads {read}")


def _is_within(place, folder):
    """Returns True if a place lies in a folder, or a link in the folder leads to the place."""
    if folder.resolve() in place.parents:
        return True
    return place.exists() and any(same_file(place, entry) for entry in folder.rglob("*"))


def check_apart(path: str | os.PathLike, others: Mapping[Path, str]) -> None:
    """Raises UserError if ``path`` leads to another output of the command.

    Two files in the same folder, by any link, count as one file if their names differ only in case,
    or in the encoding of letters with accents: some file systems do not tell such names apart.

    Parameters
    ----------
    path : path-like
    others : mapping of Path to str
        The other files that the command writes, and the content of each.
    """
    with _refusing(path):
        for other, content in others.items():
            if same_file(path, other) or _spelling(path) == _spelling(other):
                _refuse(path, f"the command writes {content} there")


def same_file(path: str | os.PathLike, other: str | os.PathLike) -> bool:
    """True if both paths exist and lead to one file, also by symbolic or hard links."""
    return Path(path).exists() and Path(other).exists() and os.path.samefile(path, other)


def _spelling(path):
    """Returns the identity of a file's folder, and the file's name without case, in Unicode's NFC.

    A folder that does not exist yet is identified by its path without links.
    """
    path = Path(path).resolve()
    folder: tuple = (path.parent,)
    if path.parent.exists():
        status = os.stat(path.parent)
        folder = status.st_dev, status.st_ino
    return *folder, unicodedata.normalize("NFC", path.name).casefold()


def _refuse(path, reason):
    raise UserError(f"cannot be written: {reason}", file=path)


@contextmanager
def _refusing(path):
    """Turns the errors of the operating system into a refusal of ``path``."""
    try:
        yield
    except RuntimeError:  # up to Python 3.12 resolve() raises it for links that lead to each other
        _refuse(path, "links lead in a circle")
    except OSError as error:
        _refuse(path, error.strerror)
