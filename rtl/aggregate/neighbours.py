"""The values of a window next to a pivot, for percentiles without sorting."""

from amaranth.hdl import Cat, Mux, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator
from rtl.stream import order


class Neighbours(Operator):
    """Counts the values below and up to a pivot, and keeps the K nearest values on either side.

    The *pivot* is any rank key; it comes with each tuple, in the member ``pivot`` of its row. All
    values are rank keys: unsigned numbers in the order of the values
    (:func:`rtl.stream.order.rank`). The state has ``count``, ``less`` (values below the pivot),
    ``upto`` (values below or equal), the K largest values below the pivot in descending order,
    ``below0``, ``below1``, ..., and the K smallest values above it in ascending order, ``above0``,
    ``above1``, ...; equal values count separately. For instance K = 2, the values 3 5 5 8 9 9 and
    the pivot 5::

        count 6, less 1, upto 3, below 3 -, above 8 9

    An entry has one bit more than a key: its highest bit is 1 if the entry has a value. Entries
    above the pivot have the inverted key. So both lists are descending lists of the greatest
    entries, an entry without a value is 0, and zero is the state of no tuple.

    Two lists of K are combined with K + K/2 log2 K comparisons: entry k of one list is compared
    with entry K - 1 - k of the other list, and the greater ones are the K greatest of both. They
    first fall and then rise (a bitonic list), so log2 K steps of K/2 comparisons sort them.

    Parameters
    ----------
    column : str
        The column x.
    shape : ShapeLike
        Shape of x; unsigned bits for a float.
    tuples : int
        Tuples of the largest window.
    neighbours : int
        K, a power of two.
    pivot : str
        Member of a row with the pivot.
    floating : bool
        True if x is a float or a double.

    Source: ours.
    """

    empty_is_zero = True

    def __init__(self, column, shape, *, tuples, neighbours=1, pivot="pivot", floating=False):
        if neighbours < 1 or neighbours & (neighbours - 1):
            raise ValueError(f"neighbours must be a power of two, not {neighbours}")
        self.column, self.pivot, self.floating = column, pivot, floating
        self.shape = Shape.cast(shape)
        self.tuples, self.neighbours = tuples, neighbours

    @property
    def below(self):
        """Names of the members with the values below the pivot, nearest first."""
        return tuple(f"below{k}" for k in range(self.neighbours))

    @property
    def above(self):
        """Names of the members with the values above the pivot, nearest first."""
        return tuple(f"above{k}" for k in range(self.neighbours))

    def state(self, tuples):
        counts = dict.fromkeys(("count", "less", "upto"), bits_for(tuples))
        entries = dict.fromkeys((*self.below, *self.above), self.shape.width + 1)
        return data.StructLayout(counts | entries)

    def lift(self, tuple_, context):
        return self.repeat(tuple_, 1, context)

    def repeat(self, tuple_, times, context):
        key = order.rank(tuple_.row[self.column], self.floating)
        pivot = tuple_.row[self.pivot]
        is_less, is_greater = key < pivot, key > pivot
        counts = {
            "count": times,
            "less": Mux(is_less, times, 0),
            "upto": Mux(is_greater, 0, times),
        }
        entries = {}
        for names, on_side, entry in (
            (self.below, is_less, Cat(key, 1)),
            (self.above, is_greater, Cat(~key, 1)),
        ):
            entries |= {
                name: Mux(on_side & _exceeds(times, k), entry, 0) for k, name in enumerate(names)
            }
        return counts | entries

    def combine(self, left, right, context):
        counts = {name: left[name] + right[name] for name in ("count", "less", "upto")}
        for names in (self.below, self.above):
            lists = ([one[name] for name in names] for one in (left, right))
            counts |= dict(zip(names, greatest(*lists), strict=True))
        return counts

    @property
    def result(self):
        return self.state(self.tuples)

    def lower(self, state, quotients, context):
        return {name: state[name] for name in self.result.members}


def greatest(left, right):
    """Returns the K greatest of two descending lists of K unsigned entries, descending.

    For instance 9 4 and 7 5: the pairs (9, 5) and (4, 7) have the greater entries 9 and 7.
    """
    pairs = zip(left, reversed(right), strict=True)
    return _descending([Mux(a > b, a, b) for a, b in pairs])


def _descending(entries):
    """Sorts a bitonic list in descending order: a circle that rises once, as 3 4 1 2."""
    half = len(entries) // 2
    if not half:
        return entries
    pairs = list(zip(entries[:half], entries[half:], strict=True))
    greater = [Mux(a > b, a, b) for a, b in pairs]
    lesser = [Mux(a > b, b, a) for a, b in pairs]
    return _descending(greater) + _descending(lesser)


def _exceeds(times, k):
    """Returns a bit: a value that comes ``times`` times, at least once, has a copy number k."""
    if isinstance(times, int):
        return int(times > k)
    return times > k if k else 1
