"""Writes and checks the seal of an entry: the hash of each file, signed with the user's key."""

import hashlib
import hmac
import json
import os
import stat
from pathlib import Path

from caching.signing_key import signing_key

#: Name of the file with the seal: the signature, then a line of JSON with each other file's hash.
SEAL = "seal"
#: First bytes of every signed text, so that no signature for another purpose is a valid seal.
_PURPOSE = b"sluice cache entry 1\0"


def seal(directory: str | Path, name: str) -> None:
    """Writes the seal of the entry ``name`` into its directory.

    Raises ValueError if the directory, or a folder in it, holds a link, pipe or device.
    """
    directory = Path(directory)
    hashes = {}
    for file in _files(directory):
        path = directory / file
        if not _is_plain(path):
            raise ValueError(f"an entry must hold plain files, and {file} is none")
        hashes[file] = _hash(path)
    text = json.dumps(hashes, sort_keys=True).encode()
    (directory / SEAL).write_bytes(_signature(name, text).encode() + b"\n" + text)


def fault(directory: str | Path, name: str) -> str | None:
    """Describes the fault of the entry ``name`` in ``directory``; returns None for a sound entry.

    The signature covers the name, so an entry that was moved to another name has a fault. The
    signature is checked before any other file is read. A file that the seal does not list is a
    fault, too: a compiler could include the file as a header.
    """
    directory = Path(directory)
    try:
        if directory.is_symlink() or not directory.is_dir():
            return "it is no directory"
        if not _is_plain(directory / SEAL):
            return "it has no seal"
        signature, _, text = (directory / SEAL).read_bytes().partition(b"\n")
        if not hmac.compare_digest(signature, _signature(name, text).encode()):
            return "its seal is damaged, or is not yours"
        hashes = json.loads(text)
        present = set(_files(directory))
        for file, expected in hashes.items():
            if file not in present:
                return f"{file} is missing"
            if not _is_plain(directory / file) or _hash(directory / file) != expected:
                return f"{file} is damaged"
        added = sorted(present - set(hashes))
        return f"{added[0]} does not belong to it" if added else None
    except OSError as error:
        return f"it cannot be read: {error.strerror}"


def _files(directory):
    """Yields the relative path of each file and link below a directory, except the seal."""
    for folder, folders, files in os.walk(directory, onerror=_raise):
        relative = Path(folder).relative_to(directory)
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        paths = ((relative / file).as_posix() for file in (*files, *links))
        yield from (path for path in paths if path != SEAL)


def _raise(error):
    raise error


def _is_plain(path):
    """Returns True for a regular file: links may change, and reading a pipe may never end."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False


def _hash(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _signature(name, text):
    return hmac.new(signing_key(), _PURPOSE + name.encode() + b"\0" + text, "sha256").hexdigest()
