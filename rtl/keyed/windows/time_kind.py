"""Windows of time as a window kind of a plan: layouts, sequence numbers, and the components."""

from dataclasses import dataclass, replace

from rtl.contract.counters import LATE, OVERRUN
from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.time_steps import TimeSteps
from rtl.keyed.windows.window_ends import WindowEnds

LATE_IN_KEY = replace(
    LATE,
    doc="tuples dropped because they are older than the start, or than the end of a window that "
    "their key has closed",
)
FULL_RING = replace(
    OVERRUN,
    doc="tuples dropped because their key has too many that its windows need, there is no number "
    "for their windows, or the settings of their stream are not allowed",
)


@dataclass(frozen=True, kw_only=True)
class TimeKind:
    """Windows ``[RANGE r SLIDE s]`` of each key.

    The attributes and methods are those of :class:`~rtl.keyed.windows.row_kind.RowKind`.

    Attributes
    ----------
    times : KeyTimes
        The windows of one key. This object is the ``membership``, too: a stored item has a stamp.
    """

    times: KeyTimes

    includes_closing_value = False
    drops = (LATE_IN_KEY, FULL_RING)

    def check(self, item, ring_items):
        """Raises ValueError unless items have stamps, and ``times.items`` items fill a line."""
        if self.times.items != ring_items:
            items = self.times.items
            raise ValueError(f"times.items must be the items of a line, {ring_items}, not {items}")
        members = getattr(item, "members", {})
        if item != self.times.stamped(members.get("item", 0)):
            raise ValueError(f"item of a line must be a stamped one, not {item!r}")

    @property
    def membership(self):
        """Object with a method ``belongs``, true if an item is in a window."""
        return self.times

    @property
    def arriving(self):
        """Members of an arriving tuple besides key and item: its ``time``."""
        return {"time": self.times.time}

    @property
    def places(self):
        """Number of places of a key's ring, after which sequence numbers begin anew."""
        return self.times.places

    @property
    def state(self):
        """Layout of the state of a key in the table."""
        return self.times.state

    @property
    def number_bits(self):
        """Width of a window's number, in bits."""
        return self.times.number_bits

    @property
    def window_values_max(self):
        """Largest number of values that a window may have."""
        return self.times.places

    def lines_max(self, items, ring_lines):
        """Returns the greatest number of lines that a window takes before its last line.

        The largest window is a full ring, with an empty last line.
        """
        return ring_lines

    @property
    def settings(self):
        """Layout of the host's settings, ``range``, ``slide`` and ``start``."""
        return self.times.settings

    def value_of(self, item):
        """Returns the shape of a value, given the shape of a stored item with a stamp."""
        return item.members["item"]

    @property
    def span(self):
        """Members of a step from which :meth:`span_of` computes a window's sequence numbers.

        ``left`` is the number of values from the head of the next window to before the tuple;
        ``window_info.bound`` is the number of values from the head of the closed window.
        """
        return {"left": range(self.places)}

    def span_of(self, step, number):
        """Returns the window of a step as three sequence numbers.

        The first value that may be in the window, the value after the window, and the first value
        that may be in the next window. ``number`` is the sequence number of the step's own value.
        For instance with number 100, a bound of 30 and 12 left: 70, 100, 88.
        """
        return number - step.window_info.bound, number, number - step.left

    def steps(self, plan, **table):
        """Builds the component that makes the steps of a plan."""
        return TimeSteps(plan, **table)

    def steps_latency(self, plan):
        """Returns the latency of :meth:`steps`, in cycles."""
        return TimeSteps.latency_of(plan)

    def row_ends(self, row):
        """Builds the component that adds the window's end to each row."""
        return WindowEnds(self.times, row)

    @property
    def row_ends_latency(self):
        """Latency of :meth:`row_ends`, in cycles."""
        return WindowEnds.latency_of(self.times)
