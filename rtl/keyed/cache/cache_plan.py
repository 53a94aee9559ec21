"""Describes the cache of uncompressed windows, and builds its components."""

from dataclasses import dataclass, replace

from amaranth.lib import data

from rtl.contract.counters import Counter
from rtl.keyed.cache.block_walks import BlockWalks
from rtl.keyed.cache.cached_item import CachedItem
from rtl.keyed.cache.cached_lines import CachedLines
from rtl.keyed.cache.cached_values import CachedValues
from rtl.keyed.cache.sorted_plan import SortedPlan
from rtl.keyed.cache.walk_reports import WalkReports
from rtl.keyed.cache.window_cache import WindowCache
from rtl.keyed.codec.fold import Fold
from rtl.stream.line import line

CACHED = Counter(name="cached_windows", doc="windows that came out of the cache")


@dataclass(frozen=True, kw_only=True)
class CachePlan:
    """Describes places for the last values of some keys, a ring of values for each place.

    A ring has twice the values of the largest window, so a window may be read while later values
    arrive. The number of a value counts the values that were stored in the place before, of any
    key, modulo the ring. So the cache needs no numbers from the store. A line has a value for each
    lane, and a window may begin at any lane. For instance with 4 lanes a window of 6 values from
    number 3 on is read as ``4 5 6 3``, lanes 0 to 3, then ``8 . . 7``.

    :class:`~rtl.keyed.cache.no_cache.NoCache` has the same attributes and methods, so a store need
    not ask whether there is a cache. A store of blocks with a cache of either class has three
    components of the cache in the path of its data::

        values --> compressor --> lookup --+--> ... --> reports --> blocks --> merger --> lines
                                           |  decision  report,                  ^
                                           |  of each   feedback                 |
                                           +--> lines of cached windows ---------+

    ``lookup`` decides about each value, and the ``decision`` goes along with the value. The
    ``report`` about a window goes along with the window: ``reports`` feeds back in which block the
    next window of a cached key begins. ``merger`` inserts the lines of cached windows in their
    places among the other windows. A store of lines has no use for ``reports``, because each of its
    lines has a fixed place.

    Attributes
    ----------
    keys : int
        Number of places, at least 1: at most so many keys are cached at a time.
    lanes : int
        Values of a line, a power of two.
    values : int
        Values of the largest window, rounded up to a power of two, at least ``lanes``.
    item : CachedItem
        A stored item, and the windows to which it belongs.
    fold : Fold
        Aggregates of a line.
    sorting : SortedPlan or None
        Percentiles of cached windows, out of sorted values; None without percentiles.
    """

    keys: int
    lanes: int
    values: int
    item: CachedItem
    fold: Fold
    sorting: SortedPlan | None = None

    def __post_init__(self):
        for name in ("lanes", "values"):
            if (number := getattr(self, name)) < 1 or number & (number - 1):
                raise ValueError(f"{name} must be a power of two, not {number}")
        if self.values < self.lanes:
            raise ValueError(f"values must be at least lanes, {self.lanes}, not {self.values}")
        if self.keys < 1:
            raise ValueError(f"keys must be at least 1, not {self.keys}")

    @property
    def lines(self):
        """Lines of a ring."""
        return 2 * self.values // self.lanes

    @property
    def number_shape(self):
        """Shape of the number of a value in the ring of its place: 0 to 2 * ``values`` - 1."""
        return range(2 * self.values)

    @property
    def window_members(self):
        """Members that describe a window: its ``size`` in values, and the lowest bits of its
        number, ``window``, of 0 bits if no value needs the number."""
        return {"size": range(self.values + 1), "window": self.item.stamp_bits}

    def value_layout(self, entries):
        """Layout of the input of the cache.

        ``entry`` of the key; ``fresh`` is high for the first value since the key was inserted into
        the table; ``valid`` is low if there is no value; ``closes`` is high if a window of ``size``
        values closes, whose last value is this one, or the value before without
        ``includes_closing_value`` (:class:`~rtl.keyed.cache.cached_item.CachedItem`); ``window``,
        the lowest bits of the number of this window; ``item``, the value with its stamp, if it has
        one.
        """
        flags = {"fresh": 1, "valid": 1, "closes": 1, **self.window_members}
        return data.StructLayout({"entry": range(entries), **flags, "item": self.item.shape})

    #: True: values are stored, so a codec must say what its blocks return.
    stores_values = True
    #: Counters of a store with the cache.
    counters = (CACHED,)

    @property
    def decision(self):
        """Layout of the cache's decision about a value.

        ``stored`` is high if the value is written to ``place``, as are all later values of the key
        until another key claims the place, or until the key is ``fresh`` again. ``hit`` is high if
        the window that the value closes is read from the cache. ``claims`` is high if the key gets
        the place with the value.
        """
        return data.StructLayout({"hit": 1, "claims": 1, "stored": 1, "place": range(self.keys)})

    @property
    def report(self):
        """Layout of the report about a window, or about a block that begins without a window.

        ``hit``, ``claims`` and ``place`` are those of the decision about the value that closes the
        window; ``noted`` is high if the growing block begins with this value, and the value is
        stored.
        """
        return data.StructLayout({"hit": 1, "claims": 1, "noted": 1, "place": range(self.keys)})

    @property
    def state_line(self):
        """Layout of the state of a line: the aggregates of the line's values in the window.

        ``last`` marks the window's last line.
        """
        return line(self.fold.states, 1)

    @property
    def read_fold(self):
        """Fold of the values that are read: the ``fold`` without the percentiles."""
        if self.sorting is None:
            return self.fold
        operators = enumerate(self.fold.operators)
        others = tuple(None if k in self.sorting.operators else o for k, o in operators)
        return replace(self.fold, operators=others, pivots=0)

    @property
    def read_line(self):
        """Layout of the state of a line of a window, without the percentiles."""
        return line(self.read_fold.states, 1)

    def lookup(self, entries):
        """Builds the component with the places of keys, the values, and the reads of windows."""
        return WindowCache(self, entries)

    def reports(self, ring, numbered):
        """Builds the component that feeds back in which block the next window of a key begins."""
        return WalkReports(ring, numbered)

    def merger(self, shape):
        """Builds the component that merges lines of cached windows with lines of other windows."""
        return CachedLines(shape, self.state_line)

    def lines_of(self, size):
        """Returns the lines of a cached window of ``size`` values: 2 for 6 values with 4 lanes."""
        return -(-size // self.lanes)

    @property
    def value_memory_bits(self):
        """Size of the memories of values, in bits."""
        return CachedValues.memory_bits_of(self)

    def memory_bits_of(self, ring):
        """Returns the bits of the block memories of values and of walks.

        The cells of ``sorting`` lie in memories of LUTs, which do not count.
        """
        return self.value_memory_bits + BlockWalks.memory_bits_of(ring)
