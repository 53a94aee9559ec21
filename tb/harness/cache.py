"""Directories built once for each content, whoever asks first, and never seen half built."""

import fcntl
import hashlib
import shutil
import tempfile
from pathlib import Path

from query.errors import UserError


def content_key(*parts):
    """Hex digest that changes when any part (str, bytes, or anything with a stable ``repr``) does.

    Parts are hashed with their lengths, so moving a character from one to the next matters.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:24]


def build_once(cache_dir, key, build):
    """Directory ``cache_dir/key``, filled by ``build(directory)`` unless it is there already.

    Safe under parallel processes: one builds, the others wait for it. ``build`` works in a
    temporary directory beside the final one, which is renamed when ``build`` returns and removed
    when it raises; so it must not leave absolute paths of its directory inside.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    UserError
        When ``cache_dir`` cannot be made or written.
    """
    cache_dir = Path(cache_dir).resolve()
    final = cache_dir / key
    if final.is_dir():
        return final
    with _lock_file(cache_dir, key) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if final.is_dir():
            return final
        work = Path(tempfile.mkdtemp(prefix=f"{key}.", dir=cache_dir))
        try:
            build(work)
            work.rename(final)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
    return final


def _lock_file(cache_dir, key):
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        return open(cache_dir / f"{key}.lock", "w")
    except OSError as error:
        message = f"results cannot be kept here: {error.strerror}"
        raise UserError(message, file=cache_dir) from None
