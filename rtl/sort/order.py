"""Which of two tuples comes first: the order that a caller gives to the sorters."""

from amaranth.hdl import Cat, Mux, Shape, Signal, Value
from amaranth.lib import data

from rtl.stream import order


class SortOrder:
    """Ascending by some fields of a tuple, the first named first.

    Signed and unsigned fields compare by value, floating ones in IEEE-754 totalOrder with -0 < +0.
    Fields that are not named have no say: tuples that agree in all named ones are ties.

    What goes through the sorters, an *item*, is a tuple, or with ``cardinality`` a tuple and how
    many of its group there are. Tuples of a *group* agree in one field, the first that is sorted
    by, so that they come one behind the other.

    Parameters
    ----------
    row : data.StructLayout
        A tuple. The attribute ``row`` is the layout of an item: with ``cardinality``, ``tuple``
        and ``cardinality``.
    fields : iterable of str
        At least one.
    floating : container of str
        The fields among them that hold the bits of a float or a double.
    group : str or None
        The field by which tuples are of a group; the first of ``fields``.
    cardinality : int
        Bits of the number of tuples of a group; 0 for sorters that do not count them.
    """

    def __init__(self, row, fields, floating=(), *, group=None, cardinality=0):
        self.fields = tuple(fields)
        self.floating = frozenset(floating)
        self.group, self.cardinality = group, cardinality
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
        """The same order of tuples that are not counted."""
        return SortOrder(self._tuple, self.fields, self.floating, group=self.group)

    @property
    def tuple_layout(self):
        """Layout of a tuple, which is an item's without cardinality."""
        return self._tuple

    @property
    def width(self):
        """Bits of a key."""
        return sum(Shape.cast(self._tuple[name].shape).width for name in self.fields)

    @property
    def group_width(self):
        """Bits that tell groups from each other."""
        return Shape.cast(self._tuple[self.group].shape).width

    def tuple(self, item):
        """The tuple of an item."""
        return item["tuple"] if self.cardinality else item

    def group_of(self, item):
        """What tells the group of an item from others: bits that are equal or not."""
        return Value.cast(self.tuple(item)[self.group])

    def key(self, item):
        """An unsigned value that orders items as they are to be sorted."""
        tuple_ = self.tuple(item)
        return Cat(self._field(tuple_[name], name) for name in reversed(self.fields))

    def _field(self, value, name):
        if name in self.floating:
            return order.encode(value, True)
        if value.shape().signed:
            return Cat(value[:-1], ~value[-1])
        return value


def entry_layout(order):
    """A tuple on its way through a merger: ``pad`` marks one that is none, greater than any."""
    return data.StructLayout({"body": order.row, "pad": 1})


def before(order, left, right, tie=0):
    """High when entry ``left`` must come before entry ``right``; ``tie`` when neither must."""
    low, high = (order.key(entry["body"]) for entry in (left, right))
    if isinstance(tie, int) and not tie:
        return Cat(low, left["pad"]) < Cat(high, right["pad"])
    return Cat(0, low, left["pad"]) < Cat(tie, high, right["pad"])


def compare_and_swap(m, order, low, high, left, right):
    """Gives the lesser of two entries to ``low``, the other to ``high``, by one comparison.

    Ties stay where they are. All four are views with the members of :func:`entry_layout` at least.
    """
    swap = Signal()
    m.d.comb += swap.eq(before(order, right, left))
    m.d.comb += [*choose(low, swap, right, left), *choose(high, swap, left, right)]


def choose(target, condition, one, other):
    """Statements that give entry ``one`` to ``target`` where ``condition``, else ``other``."""
    return [
        Value.cast(target[name]).eq(Mux(condition, Value.cast(one[name]), Value.cast(other[name])))
        for name in one.shape().members
    ]
