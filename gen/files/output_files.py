"""The files that a command writes, checked before it does any work."""

from pathlib import Path

from gen.files.paths import check_apart, check_output
from golden.rows import is_originals_file, originals_file
from query.errors import UserError

_TABLES = (".csv", ".parquet")


class Outputs:
    """The files that a command is about to write.

    Each is checked as soon as it is known: it can be written, it is none of the files that the
    command reads, and none of its other outputs, whatever links and spellings lead there. Until
    all are known, nothing is written.

    Parameters
    ----------
    reads : sequence of path-like
        Files that the command reads: the design point, its query, the data, evictions.
    makes : Path or None
        The directory that the command makes; outputs in it need not have a folder yet.

    Example
    -------
    >>> outputs = Outputs([point.file, point.query_file, data])  # doctest: +SKIP
    >>> outputs.add_rows("rows.csv")
    >>> outputs.add_evictions("sub/../rows.csv")
    query.errors.UserError: sub/../rows.csv: cannot be written: the command writes rows there
    """

    def __init__(self, reads, makes=None):
        self._reads, self._makes, self._written = tuple(reads), makes, {}

    def add_rows(self, path):
        """Adds a file of rows; raises UserError if it cannot be written, as do all methods."""
        self._add(path, "rows", _TABLES)

    def add_evictions(self, path):
        """Adds a file of evicted keys."""
        self._add(path, "keys that were thrown out", _TABLES)

    def add_frames(self, path):
        """Adds a file of frames."""
        self._add(path, "frames", (".pcap",))

    def add_originals(self, rows, query, mappings):
        """Adds the file of the originals of the key's ids beside ``rows``; returns its path.

        It may replace a file of such ids, which is what a second run of the same command does. Any
        other file there is refused, since the user has not named it. None without ids.
        """
        path = originals_file(rows, query, mappings)
        if path is not None:
            self._add(path, f"ids of {query.key.name}", (".csv",))
            if path.exists() and not is_originals_file(path, query):
                raise UserError(
                    f"is in the way: ids of {query.key.name} must go there, and it is no file of "
                    "ids; move it away, or name another file for the rows",
                    file=path,
                )
        return path

    def _add(self, path, content, suffixes):
        if Path(path).parent == self._makes and not self._makes.exists():
            return
        check_output(path, suffixes, content, self._reads)
        check_apart(path, self._written)
        self._written[Path(path)] = content
