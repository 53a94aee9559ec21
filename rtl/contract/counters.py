"""What a block counts, and what it warns of: declared beside the block, kept in registers."""

from dataclasses import dataclass, replace

from amaranth.lib import data


@dataclass(frozen=True, kw_only=True)
class Counter:
    """Something that is counted, in 64 bits.

    Attributes
    ----------
    name, doc : str
    most : int
        The most that is counted in a cycle.
    dropped : bool
        It counts tuples that have no say in any row.
    """

    name: str
    doc: str
    most: int = 1
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class Flag:
    """An error bit of the status register: once set it stays until a reset.

    Attributes
    ----------
    name, doc : str
    """

    name: str
    doc: str


def events(counters):
    """Layout of how much each of ``counters`` counts in a cycle, by name."""
    return data.StructLayout({counter.name: counter.most.bit_length() for counter in counters})


def errors(flags):
    """Layout of a bit for each of ``flags``: set it."""
    return data.StructLayout({flag.name: 1 for flag in flags})


def together(*declared):
    """The counters of several blocks; one that several have counts what they count in all."""
    joined = {}
    for counter in (counter for counters in declared for counter in counters):
        if counter.name in joined:
            counter = replace(counter, most=counter.most + joined[counter.name].most)
        joined[counter.name] = counter
    return tuple(joined.values())


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
