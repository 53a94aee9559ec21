"""Writing files so that nobody ever sees half of them."""

import os
import shutil
import tempfile
from pathlib import Path

from gen.paths import check_output
from query.errors import UserError


def check_rows_file(path, reads=()):
    """Raises UserError when rows could not be written to ``path``: before the work is done.

    ``reads`` are the files that the command reads.
    """
    check_output(path, (".csv", ".parquet"), "rows", reads)


def write_directory(directory, files):
    """Writes texts below a directory, all of them or none.

    Everything is written to a directory beside it first. That one takes the name of ``directory``
    when there is none yet; otherwise its files replace those of the same name, one by one, and
    other files stay.

    Parameters
    ----------
    directory : path-like
    files : dict of str to str or bytes
        Contents of each file by its path below ``directory``.

    Raises
    ------
    UserError
        When it cannot be written.
    """
    directory = Path(directory)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=directory) from None
    try:
        for name, text in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        scratch.chmod(0o755)
        _publish(scratch, directory, files)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=directory) from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _publish(scratch, directory, files):
    if not directory.exists():
        scratch.rename(directory)
        return
    for name in files:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(scratch / name, path)
