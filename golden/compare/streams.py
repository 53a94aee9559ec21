"""Compares two sources of rows in this process, a batch at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from golden.compare.sources import RowFiles, kinds_of
from golden.compare.values import NotOfKindError, different
from query.errors import UserError


@dataclass(frozen=True)
class Difference:
    """Holds the two different rows at an ``index``, from 0; None if a source has no such row."""

    index: int
    expected: dict | None
    actual: dict | None


@dataclass(frozen=True)
class Differences:
    """Result of a comparison of rows at the same index.

    Attributes
    ----------
    rows_expected, rows : int
        Number of rows of the first and of the second source.
    mismatches : int
        Number of indices with different rows; a row beyond the other source's end is one, too.
    first : list of Difference
        The first differences, in ascending order of the index.
    """

    rows_expected: int
    rows: int
    mismatches: int
    first: list[Difference] = field(default_factory=list)


def compare(
    expected: RowFiles,
    actual: RowFiles,
    query_kinds: Mapping[str, str] | None = None,
    shown: int = 10,
) -> Differences:
    """Compares two sources, of which only a batch each is in memory.

    ``query_kinds`` is the result of `golden.compare.values.kinds_of_query`, and ``shown`` is the
    greatest number of differences in the result. Example: against the rows ``a b c`` the rows
    ``a x`` have two mismatches, at the indices 1 and 2.

    Raises
    ------
    UserError
        When the columns or their kinds differ, or a file holds a text that is no value.
    """
    kinds = kinds_of(expected, actual, query_kinds)
    streams = [_Stream(source) for source in (expected, actual)]
    mismatches = 0
    first: list[Difference] = []
    begin = 0
    while (count := min(stream.available() for stream in streams)) > 0:
        a, b = (stream.take(count) for stream in streams)
        marked = _different(a, b, kinds, streams)
        mismatches += pc.sum(marked).as_py() or 0
        if len(first) < shown:
            for index in pc.indices_nonzero(marked)[: shown - len(first)].to_pylist():
                first.append(Difference(begin + index, _row(a, index), _row(b, index)))
        begin += count
    ends = [begin, begin]
    for number, stream in enumerate(streams):  # at most one of them has rows left
        while (count := stream.available()) > 0:
            remaining = stream.take(count)
            for index in range(min(count, shown - len(first))):
                rows = [None, None]
                rows[number] = _row(remaining, index)
                first.append(Difference(ends[number] + index, *rows))
            ends[number] += count
    mismatches += abs(ends[0] - ends[1])
    return Differences(rows_expected=ends[0], rows=ends[1], mismatches=mismatches, first=first)


class _Stream:
    """Gives the rows of a source in parts of any size."""

    def __init__(self, source: RowFiles):
        self._batches: Iterator[tuple[Path, pa.Table]] = source.batches()
        self._batch: pa.Table | None = None
        self.file = source.files[0]
        self.row = 0  # number in its file, from 0, of the first row that `take` returned last
        self._next_row = 0

    def available(self) -> int:
        """Returns the number of rows in the current batch; 0 after the last row."""
        while self._batch is None or not self._batch.num_rows:
            file, self._batch = next(self._batches, (self.file, None))
            if self._batch is None:
                return 0
            if file != self.file:
                self.file, self._next_row = file, 0
        return self._batch.num_rows

    def take(self, count: int) -> pa.Table:
        """Returns the next ``count`` rows, which must be available."""
        assert self._batch is not None
        part, self._batch = self._batch[:count], self._batch[count:]
        self.row, self._next_row = self._next_row, self._next_row + count
        return part


def _different(a, b, kinds, streams):
    """Returns for each row True if it differs; raises UserError for a text that is no value."""
    try:
        return different(a, b, kinds)
    except NotOfKindError as error:
        stream = streams[error.side]
        place = f"row {stream.row + error.index + 1}: {error.column}"
        raise UserError(f"{place}: {error}", file=stream.file) from None


def _row(table, index):
    return table.slice(index, 1).to_pylist()[0]
