"""Windows of rows as a window kind of a plan: layouts, sequence numbers, and the component."""

from dataclasses import dataclass
from types import MappingProxyType

from amaranth.lib import data

from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_steps import RowSteps


@dataclass(frozen=True, kw_only=True)
class RowKind:
    """Windows of the last ``size`` tuples of each key, after every ``slide`` of them.

    Each window kind has the attributes and methods of this class, so that a plan and a store need
    not ask which kind they have. The other kind is
    :class:`~rtl.keyed.windows.time_kind.TimeKind`.

    Attributes
    ----------
    rows : KeyRows
        The windows of one key.
    closer : int
        1 if the tuple that closes a window belongs to it, else 0.
    drops : tuple of Counter
        Counters of the tuples that are dropped.
    membership : None
        Object whose ``belongs(stamp, window)`` says whether an item is in a window, and whose
        ``stamp_bits`` is the width of a stamp; None if all values from a window's first to its last
        are in the window, so that items need no stamps.
    arriving : mapping of str to ShapeLike
        Members of an arriving tuple besides key and item.
    """

    rows: KeyRows

    closer = 1
    drops = ()
    membership = None
    arriving = MappingProxyType({})

    def check(self, item, ring_items):
        """Raises ValueError unless the items of a ring suit the windows; any items suit these."""

    @property
    def places(self):
        """Number of places of a key's ring, after which sequence numbers begin anew."""
        return self.rows.places

    @property
    def state(self):
        """Layout of the state of a key in the table."""
        return self.rows.state

    @property
    def numbers(self):
        """Width of a window's number, in bits."""
        return self.rows.numbers

    @property
    def bound_max(self):
        """Largest number of values that a window may have."""
        return self.rows.window_max

    def lines_max(self, items, ring_lines):
        """Returns the number of whole lines that the largest window has before its last line.

        The window's first item may be the last item of a line.
        """
        return (items - 1 + self.rows.window_max - 1) // items

    @property
    def settings(self):
        """Layout of the host's settings, ``size`` and ``slide``."""
        number = range(self.rows.window_max + 1)
        return data.StructLayout({"size": number, "slide": number})

    def value_of(self, item):
        """Returns the shape of a value, given the shape of a stored item: the same."""
        return item

    @property
    def span(self):
        """Members of a step that tell a window by sequence numbers, as :meth:`span_of` reads them.

        ``number`` is that of the tuple, which is the last value of the window.
        """
        return {"number": range(self.places), **self.settings.members}

    def span_of(self, step, number):
        """Returns the window of a step as three sequence numbers.

        They are the numbers of the window's first value, of the value after its last, and of the
        first value of the next window. ``number`` is the number of the step's own value.
        """
        begin = number + 1 - step.size
        return begin, number + 1, begin + step.slide

    def steps(self, plan, **table):
        """Builds the component that makes the steps of a plan."""
        return RowSteps(plan, **table)

    def steps_latency(self, plan):
        """Returns the latency of :meth:`steps`, in cycles."""
        return RowSteps.latency

    def row_ends(self, row):
        """Returns None: the rows of these windows have no ends that a component must add."""
        return None

    @property
    def row_ends_latency(self):
        """Latency of :meth:`row_ends`, in cycles."""
        return 0
