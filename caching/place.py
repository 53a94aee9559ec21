"""Chooses the folder of the cache, and refuses a folder that other users can change."""

import grp
import os
import pwd
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from query.errors import UserError

#: Environment variable that names the folder of the cache.
VARIABLE = "SLUICE_CACHE"
_BLOCK = 4096  # bytes that a probe writes, to detect a full disk, too


def user_folder() -> Path:
    """Returns Sluice's folder in the user's cache directory, ``$XDG_CACHE_HOME`` or ``~/.cache``.

    Raises UserError if the user has no home.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification ignores relative paths
        home = os.path.expanduser("~") if os.environ.get("HOME", "~") else ""
        base = os.path.join(home, ".cache")
    if not os.path.isabs(base):
        raise UserError("there is no home directory: set XDG_CACHE_HOME to a folder of yours")
    return Path(base) / "sluice"


def default_folder() -> Path:
    """Returns ``$SLUICE_CACHE``, or :func:`user_folder` if it is empty or not set.

    Raises UserError as :func:`user_folder` does.
    """
    named = os.environ.get(VARIABLE)
    return Path(named) if named else user_folder()


def make_private(folder: str | Path) -> None:
    """Creates a folder, and missing parents, with access only for the user; raises OSError."""
    folder = Path(folder)
    for missing in reversed([part for part in (folder, *folder.parents) if not part.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def check_private(folder: str | Path) -> None:
    """Raises UserError if the owner or the mode of ``folder`` lets others replace its entries.

    A model in the cache is a program that runs with the rights of this user. A missing folder
    counts as private. A sticky folder such as /tmp also counts as private: no user can replace
    another user's folders in it, and entries that others add have no seal of this user. Folders
    above are not examined: a folder that another user puts in this place belongs to that user, and
    is refused. UserError is also raised for a path that cannot be examined.
    """
    try:
        info = os.stat(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        reason = f"cannot be used: {error.strerror}"
        raise UserError(f"{reason}; name another folder with --cache", file=folder) from None
    if info.st_uid not in (os.geteuid(), 0):
        reason = f"belongs to {_user(info.st_uid)}, who could put programs there"
        raise UserError(f"{reason}: name a folder of yours with --cache", file=folder)
    writable = info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if writable == stat.S_IWGRP and _is_private_group(info.st_gid):
        return
    if writable and not info.st_mode & stat.S_ISVTX:
        reason = "can be written by other users, who could put programs there"
        raise UserError(
            f"{reason}: run chmod go-w on it, or name another folder with --cache", file=folder
        )


def check_usable(folder: str | Path) -> None:
    """Raises UserError unless ``folder`` is private, and can be written or is not empty.

    For a missing folder the nearest existing folder above must be writable: for /tmp/a/b without
    /tmp/a this is /tmp. The check writes a file and removes it, since permission bits do not
    suffice: no user can write to /proc. Raises OSError for a path that cannot be examined, such as
    links in a circle.
    """
    folder = Path(folder)
    with suppress(FileNotFoundError, NotADirectoryError):
        os.stat(folder)  # `Path.exists` hides links in a circle
    nearest = next(part for part in (folder, *folder.absolute().parents) if part.exists())
    if not nearest.is_dir():
        raise UserError(f"{nearest} is not a directory")
    if folder.is_dir():
        check_private(folder)
    try:
        with tempfile.TemporaryFile(dir=nearest, buffering=0) as probe:
            probe.write(bytes(_BLOCK))
    except OSError as error:
        if not (folder.is_dir() and any(folder.iterdir())):
            raise UserError(f"{nearest} cannot be written: {error.strerror}") from None


def _is_private_group(number):
    """Returns True if the group has this user's name and lists no other member.

    Many distributions make such a group for each user. Primary groups of other users are not
    examined.
    """
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    same_name = (user.pw_gid, user.pw_name) == (group.gr_gid, group.gr_name)
    return same_name and set(group.gr_mem) <= {user.pw_name}


def _user(number):
    try:
        return f"user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"user number {number}"
