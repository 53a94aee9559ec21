"""Defines the counters and error flags that blocks declare; the host reads them in registers."""

from dataclasses import dataclass, replace

from amaranth.lib import data


@dataclass(frozen=True, kw_only=True)
class Counter:
    """Describes a counter of 64 bits and its event.

    Attributes
    ----------
    name, doc : str
        Name of the counter, and the counted event in words for a user.
    max_increment : int
        Largest increment in one cycle, for instance the number of lanes for tuples of a beat.
    dropped : bool
        True if the counter counts tuples that are missing in the rows. False for `FILTERED`,
        because the query itself excludes tuples that fail WHERE.
    """

    name: str
    doc: str
    max_increment: int = 1
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class Flag:
    """Describes an error bit of the status register; a set bit stays set until a reset.

    A soft reset and ``aresetn`` clear the bit.

    Attributes
    ----------
    name, doc : str
        Name of the flag, and the error in words for a user.
    """

    name: str
    doc: str


def events(counters):
    """Returns the layout of the increments of ``counters`` in a cycle, by name.

    Each increment has just the bits for ``max_increment``: 3 bits for 5 events.
    """
    return data.StructLayout(
        {counter.name: counter.max_increment.bit_length() for counter in counters}
    )


def errors(flags):
    """Returns the layout of one bit for each of ``flags``, by name; a 1 sets the flag."""
    return data.StructLayout({flag.name: 1 for flag in flags})


def merged_counters(*counter_groups):
    """Returns the counters of several blocks as one tuple, each name once.

    A counter that several blocks declare counts the events of all these blocks. Its largest
    increment is the sum of the blocks' largest increments: two blocks that drop at most 1 and 4
    tuples in a cycle drop at most 5 together. The counter has the place of its first declaration.
    """
    merged = {}
    for counter in (counter for counters in counter_groups for counter in counters):
        if counter.name in merged:
            counter = replace(
                counter, max_increment=counter.max_increment + merged[counter.name].max_increment
            )
        merged[counter.name] = counter
    return tuple(merged.values())


NAN = Counter(
    name="nan", doc="tuples dropped because of a NaN in a column of the query", dropped=True
)
FILTERED = Counter(name="filtered", doc="tuples dropped by WHERE")
LATE = Counter(
    name="late",
    doc="tuples dropped because a punctuation had announced that no tuple so old would follow",
    dropped=True,
)
OVERRUN = Counter(
    name="overrun", doc="tuples dropped because no window could take them", dropped=True
)
COLLISION = Counter(
    name="collision",
    doc="keys evicted from the table to make room for another key, see m_axis_evicted",
)
BAD_SETTING = Flag(
    name="bad_setting",
    doc="a setting was written that is not allowed, or a stream began with settings that are not "
    "allowed: the stream was dropped, and its tuples counted as overrun. The next stream with "
    "allowed settings is answered again, without a reset",
)
UNSORTED = Flag(
    name="unsorted",
    doc="a tuple came that belongs before the previous tuple: the stream was not sorted as the "
    "engine requires; a group may have several rows, or a value may count twice as distinct",
)
MEMORY_ERROR = Flag(
    name="memory_error",
    doc="the memory answered a read or a write with an error: rows of the keys concerned have "
    "valid 0. Only a reset clears the error, as the contents of the memory are unknown",
)
