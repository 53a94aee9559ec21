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
_MOVED = (
    "the partitions of the tuples have changed since the tuples were numbered; save the frame in "
    "files first, or keep settings such as spark.sql.files.minPartitionNum"
)


@dataclass(frozen=True)
class Times:
    """Holds the first, the smallest and the greatest time of some tuples, in raw units.

    ``disorder`` is the greatest distance of a tuple's time below the greatest time before the
    tuple, or None if it is unknown. The disorder of times in order is 0, and the disorder of the
    times 5, 9, 7, 6 is 3.
    """

    first: int
    smallest: int
    greatest: int
    disorder: int | None = None

    @classmethod
    def of(cls, parts: "list[Times]") -> "Times | None":
        """Returns the times of all ``parts``, in order of arrival; None without parts.

        The disorder is known if it is known of each part. It lies within a part, or between the
        greatest time of the parts before and the smallest time of a part.
        """
        if not parts:
            return None
        all_times = parts[0]
        for part in parts[1:]:
            all_times = all_times._with(part)
        return all_times

    def _with(self, later):
        """Returns the times of the tuples of both; the tuples of ``later`` arrived last."""
        disorder = None
        if self.disorder is not None and later.disorder is not None:
            disorder = max(self.disorder, later.disorder, self.greatest - later.smallest)
        smallest = min(self.smallest, later.smallest)
        return Times(self.first, smallest, max(self.greatest, later.greatest), disorder)


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
        """Row, in its partition, of the run's first tuple."""
        return self.first & ((1 << _ROW_BITS) - 1)


def first_place(partition: int, row: int = 0) -> int:
    """Returns the place of a row."""
    return (partition << _ROW_BITS) + row


def number_of(runs: list[Run]) -> Column:
    """Returns the number of a tuple from the tuple's place; ``runs`` are in order of arrival.

    A run that lies directly behind another one of the same shift needs no entry of its own. A place
    behind the runs is an error of the Spark job: the partitions have changed since the runs were
    collected, for instance because the job has more executors now.
    """
    shifts: dict[int, list[tuple[int, int]]] = {}
    ends: dict[int, int] = {}
    first_number = 0
    for run in runs:
        shifts.setdefault(run.partition, []).append((run.first, first_number - run.first))
        ends[run.partition] = max(ends.get(run.partition, 0), run.first + run.count)
        first_number += run.count
    partition = f"cast(shiftright(`{PLACE}`, {_ROW_BITS}) as int)"
    count = max(shifts, default=-1) + 1
    end_texts = ", ".join(f"{ends.get(i, 0)}L" for i in range(count)) or "0L"
    is_inside = fn.expr(f"`{PLACE}` < get(array({end_texts}), {partition})")
    number = _shifted([_changes(sorted(shifts.get(i, []))) for i in range(count)], partition)
    return fn.when(is_inside, number).otherwise(fn.raise_error(fn.lit(_MOVED)).cast("long"))


def _shifted(parts, partition):
    """Returns the place plus its shift; ``parts`` has pairs (first place, shift) of partitions."""
    place = fn.col(f"`{PLACE}`")
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


def _changes(shifts):
    """Returns the pairs (first place, shift) at which the shift changes, and the first pair."""
    return [pair for k, pair in enumerate(shifts) if not k or pair[1] != shifts[k - 1][1]]
