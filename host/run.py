"""Holds the counts of one run of an engine, and checks that nothing was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .description import Description
from .errors import DeviceError, EvictionError, OverflowedWindowError, OverrunError

#: Counter of the tuples that WHERE drops.
FILTERED = "filtered"


@dataclass(frozen=True)
class Run:
    """Holds the counts of one run.

    With ``results=select`` a run sends the table once for each function of the query. Then
    ``tuples``, ``rows`` and ``dropped`` count one stream, and ``counters`` count all streams. For
    instance 100 tuples and 3 functions: ``tuples`` is 100, the counter ``tuples`` 300.

    Attributes
    ----------
    tuples, rows : int
        Number of tuples that entered, and of rows that came out.
    dropped : dict of str to int
        Number of tuples that contribute to no row, by the reason.
    counters : dict of str to int
        Increase of every counter in the run.
    evicted : tuple of numpy.ndarray
        Packets of the stream of evicted keys; empty without such a stream.
    link : dict of str to int
        How often the link was repaired in the run, by the kind of repair; empty if the link loses
        nothing. By UDP: ``tuple_datagrams_sent_again``, ``row_datagrams_repeated`` (they came twice
        and count once), ``row_datagrams_foreign`` (of an earlier stream, or too short; they were
        dropped), ``requests_sent_again``. By a serial line also ``frames_damaged``: frames from the
        board that were dropped.
    """

    tuples: int
    rows: int
    dropped: dict
    counters: dict
    evicted: tuple
    link: dict

    @classmethod
    def of(
        cls,
        description: Description,
        counts: dict[str, int],
        streams: int,
        evicted: Sequence[np.ndarray],
        link: dict[str, int],
    ) -> Run:
        """Returns the run for the increases of all counters over ``streams`` streams."""
        dropped = [c["name"] for c in description.counters if c["dropped"] or c["name"] == FILTERED]
        return cls(
            tuples=counts["tuples"] // streams,
            rows=counts["rows"] // streams,
            dropped={name: counts[name] // streams for name in dropped},
            counters=counts,
            evicted=tuple(evicted),
            link=link,
        )


def check_counts(
    description: Description,
    tuples: int,
    streams: Sequence[Sequence[np.ndarray]],
    counts: Mapping[str, int],
    rows: Any,
) -> None:
    """Raises DeviceError if tuples, rows or the values of rows are missing.

    The subclass OverrunError says that tuples had no room, and OverflowedWindowError that windows
    had no room. Both messages have the count of one stream.

    Parameters
    ----------
    description : Description
    tuples : int
        Number of tuples that were sent in all streams, without punctuations.
    streams : sequence of sequence of numpy.ndarray
        Packets of rows that came, of each stream.
    counts : mapping of str to int
        Increase of every counter.
    rows : table
        The rows that came, for the error.
    """
    if counts["tuples"] < 0:  # the counters were cleared after they had been read
        raise DeviceError(
            "the counters began again at 0 during the stream: has the board lost its power, or "
            "did another program reset the engine? run it again"
        )
    if counts["tuples"] != tuples:
        raise DeviceError(
            f"{counts['tuples']} of {tuples} tuples have arrived in the engine: did a reset "
            "cut the stream? run it again"
        )
    row_count = sum(len(packet) for packets in streams for packet in packets)
    if counts["rows"] != row_count:
        raise DeviceError(
            f"{row_count} of {counts['rows']} rows have come out: the buffer or the DMA has "
            "lost some; run it again"
        )
    if lost_count := counts.get("overrun", 0):
        doc = next(c["doc"] for c in description.counters if c["name"] == "overrun")
        raise OverrunError(
            f"{_of_one(lost_count, len(streams))} were lost ({doc}): change the settings, or "
            "generate the design with more room; the rows that arrived are in `rows` of this error",
            rows,
        )
    if window_count := counts.get("overflowed_windows", 0):
        raise OverflowedWindowError(
            f"{_of_one(window_count, len(streams))} windows did not fit into the rings of their "
            "keys, and the values of their rows are NULL: generate the design with a smaller "
            "expected_ratio; the rows are in `rows` of this error",
            rows,
        )


def check_evictions(counts: Mapping[str, int], streams: int, rows: Any) -> None:
    """Raises EvictionError if keys were evicted, which the counter ``collision`` counts.

    ``counts`` are those of ``streams`` streams with the same tuples.
    """
    if eviction_count := counts.get("collision", 0):
        raise EvictionError(
            f"{_of_one(eviction_count, streams)} times a key was evicted from the table of keys, "
            "so rows of the query are missing or differ: generate the design with more entries, or "
            "accept it by run(table, allow_evictions=True); the rows that arrived are in `rows` of "
            "this error",
            rows,
        )


def _of_one(total, streams):
    """Returns the count of one of several streams with the same tuples, rounded up."""
    return -(-total // streams)


def error_text(errors: Mapping[str, str]) -> str:
    """Returns names and meanings of error bits in one line."""
    return "; ".join(f"{name}: {doc}" for name, doc in errors.items())
