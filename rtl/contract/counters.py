"""Counters and error flags that blocks declare; the register file keeps their values."""

from dataclasses import dataclass, replace

from amaranth.lib import data


@dataclass(frozen=True, kw_only=True)
class Counter:
    """An event that is counted in 64 bits.

    Attributes
    ----------
    name, doc : str
        Name of the counter, and the counted event in words for a user.
    max_increment : int
        Largest increment in one cycle.
    dropped : bool
        The counter counts tuples that no row takes into account.
    """

    name: str
    doc: str
    max_increment: int = 1
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class Flag:
    """An error bit of the status register. A bit that was set stays set until a reset.

    Attributes
    ----------
    name, doc : str
        Name of the flag, and the error in words for a user.
    """

    name: str
    doc: str


def events(counters):
    """Returns the layout of the increments of ``counters`` in a cycle, by name."""
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
    tuples in a cycle drop at most 5 together.
    """
    merged = {}
    for counter in (counter for counters in counter_groups for counter in counters):
        if counter.name in merged:
            counter = replace(
                counter, max_increment=counter.max_increment + merged[counter.name].max_increment
            )
        merged[counter.name] = counter
    return tuple(merged.values())


NAN = Counter(name="nan", doc="tuples dropped for a NaN in a column of the query", dropped=True)
FILTERED = Counter(name="filtered", doc="tuples that WHERE left out")
LATE = Counter(
    name="late",
    doc="tuples dropped because a punctuation had promised that none so old would come",
    dropped=True,
)
OVERRUN = Counter(
    name="overrun", doc="tuples dropped because no window could take them", dropped=True
)
COLLISION = Counter(
    name="collision", doc="keys that were thrown out of the table for another, see m_axis_evicted"
)
BAD_SETTING = Flag(
    name="bad_setting",
    doc="a setting was written that is not allowed, or a stream began with settings that are not: "
    "it was dropped whole, and its tuples counted as overrun. The next stream that begins with "
    "settings that are allowed is answered again, without any reset",
)
UNSORTED = Flag(
    name="unsorted",
    doc="a tuple came that belongs before the one before it: the stream was not sorted as the "
    "engine asks; a group of it may have several rows, or a value count twice as distinct",
)
MEMORY_ERROR = Flag(
    name="memory_error",
    doc="the memory answered a read or a write with an error: rows of the keys that it is about "
    "have valid 0. Only a reset ends it, as nobody knows what such a memory holds",
)
