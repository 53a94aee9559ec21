"""Which of two tuples comes first: the order that a caller gives to the sorters."""

from amaranth.hdl import Cat, Mux, Shape, Signal, Value
from amaranth.lib import data

from rtl.stream import order


class SortOrder:
    """Ascending by some fields of a tuple, the first named first.

    Signed and unsigned fields compare by value, floating ones in IEEE-754 totalOrder with -0 < +0.
    Fields that are not named have no say: tuples that agree in all named ones are ties.

    Parameters
    ----------
    row : data.StructLayout
        A tuple.
    fields : iterable of str
        At least one.
    floating : container of str
        The fields among them that hold the bits of a float or a double.
    """

    def __init__(self, row, fields, floating=()):
        self.row = row
        self.fields = tuple(fields)
        self.floating = frozenset(floating)
        if not self.fields:
            raise ValueError("fields must not be empty")
        for name in self.fields:
            if name not in row.members:
                raise ValueError(f"fields must be among {', '.join(row.members)}, not {name!r}")

    @property
    def width(self):
        """Bits of a key."""
        return sum(Shape.cast(self.row[name].shape).width for name in self.fields)

    def key(self, tuple_):
        """An unsigned value that orders tuples as they are to be sorted."""
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


def before(order, left, right):
    """High when entry ``left`` must come before entry ``right``; low when they tie."""
    keys = [Cat(order.key(entry["body"]), entry["pad"]) for entry in (left, right)]
    return keys[0] < keys[1]


def compare_and_swap(m, order, low, high, left, right):
    """Gives the lesser of two entries to ``low``, the other to ``high``, by one comparison.

    Ties stay where they are. All four are mappings of the members of :func:`entry_layout`.
    """
    swap = Signal()
    m.d.comb += swap.eq(before(order, right, left))
    m.d.comb += [*choose(low, swap, right, left), *choose(high, swap, left, right)]


def choose(target, condition, one, other):
    """Statements that give entry ``one`` to ``target`` where ``condition``, else ``other``."""
    body = Mux(condition, Value.cast(one["body"]), Value.cast(other["body"]))
    return [
        Value.cast(target["body"]).eq(body),
        target["pad"].eq(Mux(condition, one["pad"], other["pad"])),
    ]
