"""Describes windows of rows as a window kind: layouts, sequence numbers, and the component."""

from dataclasses import dataclass
from types import MappingProxyType

from amaranth.lib import data

from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_steps import RowSteps


@dataclass(frozen=True, kw_only=True)
class RowKind:
    """Describes windows of the last ``size`` tuples of each key, after every ``slide`` tuples.

    Each window kind has the attributes and methods of this class, so a plan and a store never ask
    for the class of a window kind. The other kind is
    :class:`~rtl.keyed.windows.time_kind.TimeKind`.

    Attributes
    ----------
    rows : KeyRows
        The windows of one key.
    includes_closing_value : bool
        True if the tuple that closes a window belongs to the window.
    drops : tuple of Counter
        Counters of dropped tuples.
    membership : None
        Object with a method ``belongs(stamp, window)``, true if an item is in a window, and with
        ``stamp_bits``, the width of a stamp, which is the number of an item's slide of time. None
        if all values from a window's first to the last are in the window, so items need no stamps.
    arriving : mapping of str to ShapeLike
        Members of an arriving tuple besides key and item.
    """

    rows: KeyRows

    includes_closing_value = True
    drops = ()
    membership = None
    arriving = MappingProxyType({})

    def check(self, item, ring_items):
        """Accepts any items; another kind raises ValueError if items of a ring do not suit it."""

    @property
    def places(self):
        """Number of places of a key's ring, after which sequence numbers begin anew."""
        return self.rows.places

    @property
    def state(self):
        """Layout of the state of a key in the table."""
        return self.rows.state

    @property
    def number_bits(self):
        """Width of a window's number, in bits."""
        return self.rows.number_bits

    @property
    def window_values_max(self):
        """Largest number of values that a window may have."""
        return self.rows.window_max

    def lines_max(self, items, ring_lines):
        """Returns the greatest number of lines that a window takes before its last line.

        This is the number for a window whose first item is the last item of a line. A line has
        ``items`` items: 10 values in lines of 4 take up to 3 lines before the last one.
        ``ring_lines``, the lines of a ring, matters for windows of time only.
        """
        return (items - 1 + self.rows.window_max - 1) // items

    @property
    def settings(self):
        """Layout of the host's settings, ``size`` and ``slide``."""
        number = range(self.rows.window_max + 1)
        return data.StructLayout({"size": number, "slide": number})

    def value_of(self, item):
        """Returns the shape of a value, which is the shape of a stored item."""
        return item

    @property
    def span(self):
        """Members of a step from which :meth:`span_of` computes a window's sequence numbers.

        ``number`` is the sequence number of the tuple, the last value of the window.
        """
        return {"number": range(self.places), **self.settings.members}

    def span_of(self, step, number):
        """Returns the window of a step as three sequence numbers.

        They are the numbers of the window's first value, of the value after the window, and of the
        next window's first value. ``number`` is the sequence number of the step's own value.
        """
        begin = number + 1 - step.size
        return begin, number + 1, begin + step.slide

    def steps(self, plan, **table):
        """Builds the component that turns an arriving tuple into a step (:mod:`rtl.keyed.step`).

        A step has the tuple's item, and describes the window that the tuple closes.
        """
        return RowSteps(plan, **table)

    def steps_latency(self, plan):
        """Returns the latency of :meth:`steps`, in cycles."""
        return RowSteps.latency

    def row_ends(self, row):
        """Returns None: rows of these windows do not contain an end."""
        return None

    @property
    def row_ends_latency(self):
        """Latency of :meth:`row_ends`, in cycles."""
        return 0
