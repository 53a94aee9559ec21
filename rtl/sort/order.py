"""Describes the order of sorted tuples, and compares two tuples."""

from amaranth.hdl import Cat, Mux, Shape, Signal, Value
from amaranth.lib import data

from rtl.stream import order


class SortOrder:
    """Describes an order: ascending by some fields of a tuple, of which the first counts most.

    Signed and unsigned fields compare by value, floating ones in IEEE-754 totalOrder with -0 < +0.
    Other fields do not count: tuples that agree in all of ``fields`` are ties.

    Sorters carry *items*. An item is a tuple, or with ``cardinality`` a tuple and the number of
    tuples in its group. Tuples of a *group* agree in the first field of the order, so a group is
    contiguous once it is sorted.

    Parameters
    ----------
    row : data.StructLayout
        Layout of a tuple. The attribute ``row`` is the layout of an item: with ``cardinality``, its
        members are ``tuple`` and ``cardinality``.
    fields : iterable of str
        Fields to sort by, at least one.
    floating : container of str
        Fields of ``fields`` that hold the bits of a float or a double.
    group : str or None
        Field that identifies a group; the first of ``fields``.
    cardinality : int
        Bits of the number of tuples of a group; 0 for sorters that do not count groups.
    """

    def __init__(self, row, fields, floating=(), *, group=None, cardinality=0):
        self.fields = tuple(fields)
        self.floating = frozenset(floating)
        self.group = group
        self.cardinality = cardinality
        if not self.fields:
            raise ValueError("fields must not be empty")
        for name in self.fields:
            if name not in row.members:
                raise ValueError(f"fields must be among {', '.join(row.members)}, not {name!r}")
        if group not in (None, self.fields[0]):
            raise ValueError(f"group must be the first of fields, not {group!r}")
        if not isinstance(cardinality, int) or cardinality < 0:
            raise ValueError(f"cardinality must be an integer of at least 0, not {cardinality!r}")
        if cardinality and group is None:
            raise ValueError("group must be given when cardinality is not 0")
        self._tuple = row
        counted = data.StructLayout({"tuple": row, "cardinality": cardinality})
        self.row = counted if cardinality else row

    @property
    def bare(self):
        """The same order for tuples without cardinality."""
        return SortOrder(self._tuple, self.fields, self.floating, group=self.group)

    @property
    def tuple_layout(self):
        """Layout of a tuple: an item without its cardinality."""
        return self._tuple

    @property
    def width(self):
        """Width of a sort key, in bits."""
        return sum(Shape.cast(self._tuple[name].shape).width for name in self.fields)

    @property
    def group_width(self):
        """Width of the field that identifies a group, in bits."""
        return Shape.cast(self._tuple[self.group].shape).width

    def tuple(self, item):
        """Returns the tuple of an item."""
        return item["tuple"] if self.cardinality else item

    def group_of(self, item):
        """Returns the bits that identify an item's group; equal bits mean the same group."""
        return Value.cast(self.tuple(item)[self.group])

    def key(self, item):
        """Returns an unsigned value; ascending keys are the order of the items."""
        tuple_ = self.tuple(item)
        return Cat(self._field(tuple_[name], name) for name in reversed(self.fields))

    def _field(self, value, name):
        if name in self.floating:
            return order.encode(value, True)
        if value.shape().signed:
            return Cat(value[:-1], ~value[-1])
        return value


def entry_layout(order):
    """Returns the layout of a merger's entry: a tuple, or a pad, greater than every tuple."""
    return data.StructLayout({"body": order.row, "pad": 1})


def before(order, left, right, tie=0):
    """Returns 1 if ``left`` precedes ``right``, and the bit ``tie`` if neither entry precedes."""
    left_key, right_key = (order.key(entry["body"]) for entry in (left, right))
    if isinstance(tie, int) and not tie:
        return Cat(left_key, left["pad"]) < Cat(right_key, right["pad"])
    return Cat(0, left_key, left["pad"]) < Cat(tie, right_key, right["pad"])


def compare_and_swap(m, order, low, high, left, right):
    """Assigns the lesser of two entries to ``low`` and the greater to ``high``: one comparison.

    On a tie ``left`` goes to ``low``. All four views have the same members, among them those of
    :func:`entry_layout`.
    """
    swap = Signal()
    m.d.comb += swap.eq(before(order, right, left))
    m.d.comb += [*choose(low, swap, right, left), *choose(high, swap, left, right)]


def choose(target, condition, one, other):
    """Returns statements: ``target`` gets ``one`` if ``condition`` is high, else ``other``."""
    return [
        Value.cast(target[name]).eq(Mux(condition, Value.cast(one[name]), Value.cast(other[name])))
        for name in one.shape().members
    ]
