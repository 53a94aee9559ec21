"""Checks the files that a command writes, before the command does any work."""

from collections.abc import Mapping, Sequence
from os import PathLike
from os.path import exists, isfile, realpath
from pathlib import Path

from gen.files.paths import check_apart, check_output, check_suffix, check_unread, same_file
from golden.frames.sink import check_directory
from golden.rows import is_originals_file, originals_file
from query.errors import UserError
from query.query import Query

_TABLES = (".csv", ".parquet")


class Outputs:
    """Collects the files that a command is about to write, and refuses forbidden ones.

    Each file is checked when it is added: the command must be able to write it, must not read it,
    and must not write another output to the same file by another spelling or link. A command adds
    all its files before it writes the first one.

    Parameters
    ----------
    reads : sequence of path-like
        Files that the command reads: the design point, its query, the data, evictions. Of a
        directory, and of a pattern such as ``data/*.csv``, the command reads all files, also those
        that it would write there.
    makes : Path or None
        The directory that the command creates. As long as it does not exist, nothing can be in the
        way of files directly in it, so these files must only differ from the other outputs.

    Example
    -------
    >>> outputs = Outputs([point.file, point.query_file, data])
    >>> outputs.add_rows("rows.csv")
    >>> outputs.add_evictions("sub/../rows.csv")
    query.errors.UserError: sub/../rows.csv: cannot be written: the command writes rows there
    """

    def __init__(self, reads: Sequence[str | PathLike], makes: Path | None = None):
        self._reads = tuple(reads)
        self._makes = makes
        self._written: dict[Path, str] = {}

    def add_rows(self, path: str | PathLike) -> None:
        """Adds a file of rows.

        Raises UserError, as all methods do, if the file cannot or must not be written.
        """
        self._add(path, "rows", _TABLES)

    def add_parts(self, path: str | PathLike) -> None:
        """Adds a directory of part files, which may replace a directory of an earlier run."""
        check_directory(Path(path))
        if Path(path).is_dir():
            check_suffix(path, _TABLES, "rows")
            check_unread(path, self._reads)
            check_apart(path, self._written)
            self._written[Path(path)] = "rows"
        else:
            self._add(path, "rows", _TABLES)

    def add_evictions(self, path: str | PathLike) -> None:
        """Adds a file of evicted keys."""
        self._add(path, "evicted keys", _TABLES)

    def add_frames(self, path: str | PathLike) -> None:
        """Adds a file of frames."""
        self._add(path, "frames", (".pcap",))

    def add_originals(self, rows: Path, query: Query, mappings: Mapping) -> Path | None:
        """Adds the file that maps each id of the key to its original value; returns its path.

        The file lies beside ``rows``. It may replace an older file of ids of the same key, so that
        the same command can run twice. Any other file is refused, since the user has not named it.
        Returns None if the key has no ids.
        """
        path = originals_file(rows, query, mappings)
        if path is not None:
            self._add(path, f"ids of {query.key.name}", (".csv",))
            if path.exists() and not self._has_ids(path, query):
                raise UserError(
                    f"is in the way: ids of {query.key.name} must go there, and it is no file of "
                    "ids; move it away, or name another file for the rows",
                    file=path,
                )
        return path

    def remove_old_originals(self, rows: Path, query: Query) -> None:
        """Removes the ids of an earlier run beside ``rows``, where the key of this run has no ids.

        The old ids would give the new rows a wrong meaning. A file stays if it is no file of ids,
        if the command reads it, and if rows in the other format lie beside it, which may need it.
        Raises UserError if the file cannot be removed.
        """
        if query.key is None:
            return
        path = originals_file(rows, query, {query.key.name: None})
        others = [Path(rows).with_suffix(suffix) for suffix in _TABLES if suffix != rows.suffix]
        if path is None or not isfile(path) or any(map(exists, others)):
            return
        try:
            is_old = is_originals_file(path, query)
            if is_old and not any(same_file(path, read) for read in self._reads):
                path.unlink()
        except OSError as error:
            message = f"may have ids of an earlier run, and cannot be removed: {error.strerror}"
            raise UserError(message, file=path) from None

    @staticmethod
    def _has_ids(path, query):
        """Returns True if the file has ids of the query's key; raises UserError if unreadable."""
        try:
            return is_originals_file(path, query)
        except OSError as error:
            message = f"is in the way of ids, and cannot be read: {error.strerror}"
            raise UserError(message, file=path) from None

    def _add(self, path, content, suffixes):
        if self._will_be_made(Path(path).parent):
            check_suffix(path, suffixes, content)
        else:
            check_output(path, suffixes, content, self._reads)
        check_apart(path, self._written)
        self._written[Path(path)] = content

    def _will_be_made(self, folder):
        """True if the folder, under any spelling or link, is the one that the command creates."""
        made = self._makes
        return made is not None and not exists(made) and realpath(folder) == realpath(made)
