"""Describes how tuples in order of arrival lie in the partitions of a frame.

A *run* is a part of one partition whose tuples arrive one after the other. The column `PLACE` of a
frame is Spark's ``monotonically_increasing_id``: the partition times 2**33 plus the row in the
partition. The driver collects the runs (a few numbers for each partition), sorts them, and counts
the tuples before each run. The number of a tuple is the tuple's place plus a shift. All tuples of a
run have the same shift. For instance, two files of three and two tuples, where partition 0 reads
the second file::

    run of partition 1   places 2**33 to 2**33+2   tuples 0, 1, 2   shift -2**33
    run of partition 0   places 0 and 1            tuples 3, 4      shift 3
"""

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as fn

PLACE = "#place"
_ROW_BITS = 33  # of a place: the row in its partition


@dataclass(frozen=True)
class Times:
    """Holds the first, the smallest and the greatest time of some tuples, in raw units."""

    first: int
    smallest: int
    greatest: int

    @classmethod
    def of(cls, parts: "list[Times]") -> "Times | None":
        """Returns the times of all ``parts``, in order of arrival; None without parts."""
        if not parts:
            return None
        smallest, greatest = min(p.smallest for p in parts), max(p.greatest for p in parts)
        return cls(parts[0].first, smallest, greatest)


@dataclass(frozen=True)
class Run:
    """Describes a run: the first place, the number of tuples (at least 1), and their times."""

    first: int
    count: int
    times: Times | None = None

    @property
    def partition(self) -> int:
        """Partition of the run."""
        return self.first >> _ROW_BITS

    @property
    def row(self) -> int:
        """Row of the first tuple in the partition."""
        return self.first & ((1 << _ROW_BITS) - 1)


def first_place(partition: int, row: int = 0) -> int:
    """Returns the place of a row."""
    return (partition << _ROW_BITS) + row


def number_of(runs: list[Run]) -> Column:
    """Returns the number of a tuple from the tuple's place; ``runs`` are in order of arrival."""
    shifts: dict[int, list[tuple[int, int]]] = {}
    first_number = 0
    for run in runs:
        pairs = shifts.setdefault(run.partition, [])
        if not pairs or pairs[-1][1] != first_number - run.first:
            pairs.append((run.first, first_number - run.first))
        first_number += run.count
    place = fn.col(f"`{PLACE}`")
    partition = f"cast(shiftright(`{PLACE}`, {_ROW_BITS}) as int)"
    parts = [sorted(shifts.get(i, [])) for i in range(max(shifts, default=-1) + 1)]
    if all(len(part) < 2 for part in parts):
        values = (f"{part[0][1]}L" if part else "0L" for part in parts)
        return place + fn.expr(f"get(array({', '.join(values) or '0L'}), {partition})")
    structs = (
        f"array({', '.join(f'struct({first}L as first, {shift}L as shift)' for first, shift in p)})"
        if p
        else "array(struct(0L as first, 0L as shift))"
        for p in parts
    )
    shift_array = f"get(array({', '.join(structs)}), {partition})"
    started_runs = f"filter({shift_array}, r -> r.first <= `{PLACE}`)"
    return place + fn.expr(f"array_max({started_runs}).shift")
