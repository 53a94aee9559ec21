"""Reads or makes the key that signs entries: secret random bytes in the user's cache folder.

A user who packs or shares a cache does not share this key, so another user finds no valid seal in
the shared cache. Checking the owner of the files would prove nothing, since an unpacked archive
belongs to the user who unpacks it.
"""

import os
import stat
import tempfile
from contextlib import suppress

from caching.notes import say
from caching.place import make_private, user_folder
from query.errors import UserError

SIZE = 32  # bytes


def signing_key() -> bytes:
    """Returns the user's key; makes a key if the user has none.

    Raises UserError if the key can be neither read nor made, or if other users can read the key.
    """
    path = user_folder() / "key"
    try:
        for _ in range(2):  # the second attempt reads the key that this or another process has made
            key = _read(path)
            if key is not None:
                return key
            _make(path)
        raise UserError("is damaged or missing again after a new key was made", file=path)
    except OSError as error:
        raise UserError(
            f"the key of the cache cannot be read or made: {error.strerror}; "
            "set XDG_CACHE_HOME to a folder of yours",
            file=path,
        ) from None


def _read(path):
    """Returns the key; None if there is none. A damaged key is removed and counts as missing."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if info.st_uid != os.geteuid():
            raise UserError(
                "belongs to another user: set XDG_CACHE_HOME to a folder of yours", file=path
            )
        if stat.S_IMODE(info.st_mode) & 0o077:
            raise UserError("can be read by other users: remove it", file=path)
        key = file.read(SIZE + 1) if stat.S_ISREG(info.st_mode) else b""
    if len(key) == SIZE:
        return key
    say(f"{path}: the key of the cache is damaged: a new one is made")
    path.unlink(missing_ok=True)  # another process may have removed it meanwhile
    return None


def _make(path):
    """Writes a new key. If another process has made a key meanwhile, that key stays."""
    make_private(path.parent)
    handle, scratch = tempfile.mkstemp(prefix="key.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(os.urandom(SIZE))
        try:
            os.link(scratch, path)  # unlike a rename it never replaces a key
        except FileExistsError:
            return
        except OSError:  # a file system without links
            os.rename(scratch, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(scratch)
