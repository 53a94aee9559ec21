"""Describes a store of values in lines behind a cache of windows, and builds its components."""

from dataclasses import dataclass, replace

from amaranth.lib import data, wiring

from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.store.lines.cached_levels import CachedLevels
from rtl.keyed.store.lines.cached_windows import CachedWindows
from rtl.keyed.store.lines.line_store import LineStore


@dataclass(frozen=True, kw_only=True)
class CachedLineStore:
    """Wraps a store of lines with a cache of the windows of some keys.

    The store works as without a cache, with any memory and M2; attributes that are not defined here
    are the store's. The cache sees each step before the store does. Windows come as the states of
    their lines, as with a serial codec, because a line from the cache has other lanes than a line
    of the store. For instance with lines of 8 values and 128 lanes in the cache, a window of 256
    values is 33 states from M3, or 2 states from the cache.

    Attributes
    ----------
    store : LineStore
        Its windows have no sums of floating point, and percentiles only by pivots.
    cache : CachePlan
    """

    store: LineStore
    cache: CachePlan

    def __getattr__(self, name):
        if name in ("store", "cache"):  # before the fields are set, as in a copy
            raise AttributeError(name)
        return getattr(self.store, name)

    @property
    def counters(self):
        """Counters of KeyWindows that the store adds, with the counter of cached windows."""
        return (*self.store.counters, *self.cache.counters)

    def line_format(self, window, lines):
        """Returns the format of the lines of a window: a lane with the state of a line."""
        fold = self.cache.fold
        inner = self.store.line_format(window, lines)
        return replace(inner, shape=fold.states, lanes=1, block=fold.block_tuples)

    def info_members(self, lines):
        """Returns the members that the store adds to the description of a window.

        ``cached``: the lines of the window come from the cache.
        """
        return {**self.store.info_members(lines), "cached": 1}

    def position_layout(self, window, lines):
        """Returns the layout of a tuple's place, with ``fresh``: it is its key's first tuple."""
        return data.StructLayout({**self.store.position_layout(window, lines).members, "fresh": 1})

    def members_to_steps(self, places):
        """Returns the members that the store adds to a tuple between the table and the steps."""
        return {**self.store.members_to_steps(places), "fresh": 1}

    def levels(self, plan):
        """Builds the component that stores the items of steps, and requests windows."""
        return CachedLevels(plan, self.store.levels(plan))

    def collector(self, plan):
        """Builds the component that collects the lines of windows from the store and the cache."""
        return CachedWindows(plan, self.store.collector(plan))

    def collector_latencies(self, plan):
        """Returns two parts of the latency of :meth:`collector`, in cycles.

        The collector repeats windows with pivots between the two parts.
        """
        to_passes, after_passes = self.store.collector_latencies(plan)
        return to_passes, after_passes + CachedWindows.latency_after_collector_of(plan)

    def connect(self, m, levels, collector):
        """Connects the cache to the collector."""
        self.store.connect(m, levels, collector)
        wiring.connect(m, levels.cached, collector.cached)

    def events_of(self, levels):
        """Returns the values of the :attr:`counters` by name."""
        hits = {counter.name: levels.hit for counter in self.cache.counters}
        return {**self.store.events_of(levels), **hits}

    def memory_bits(self, entries):
        """Returns the size of the memories on the chip, in bits."""
        return self.store.memory_bits(entries) + self.cache.value_memory_bits
