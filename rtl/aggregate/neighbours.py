"""Finds the values of a window next to a pivot, for percentiles without sorting."""

from amaranth.hdl import Cat, Const, Mux, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator
from rtl.stream import order
from rtl.stream.choice import chosen

#: Members of a state that are counts.
COUNTS = ("count", "less", "upto")


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
    entries, and zero is the state of no tuple. The other bits of an entry without a value have no
    meaning: such an entry is less than each entry with a value.

    Two lists of K are combined with K + K/2 log2 K comparisons: entry k of one list is compared
    with entry K - 1 - k of the other list, and the greater ones are the K greatest of both. They
    first fall and then rise (a bitonic list), so log2 K steps of K/2 comparisons sort them. The
    state of at most K/2 tuples has shorter lists, so the first levels of a tree are smaller. For
    instance with K = 4 the state of 2 tuples has lists of 2, and two such lists give a list of 4.
    A list of K takes a further value with K comparisons: see :meth:`append_run`.

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
        self.column = column
        self.pivot = pivot
        self.floating = floating
        self.shape = Shape.cast(shape)
        self.tuples = tuples
        self.neighbours = neighbours

    @property
    def below(self):
        """Names of the members with the values below the pivot, nearest first."""
        return tuple(f"below{k}" for k in range(self.neighbours))

    @property
    def above(self):
        """Names of the members with the values above the pivot, nearest first."""
        return tuple(f"above{k}" for k in range(self.neighbours))

    def state(self, tuples):
        length = self.neighbours
        if tuples < self.tuples:
            length = min(length, 1 << (tuples - 1).bit_length())
        counts = dict.fromkeys(COUNTS, bits_for(tuples))
        names = (*self.below[:length], *self.above[:length])
        return data.StructLayout(counts | dict.fromkeys(names, self.shape.width + 1))

    def lift(self, tuple_, context):
        return self.repeat(tuple_, 1, context)

    def repeat(self, tuple_, times, context):
        counts, entries = self._single(tuple_, times)
        for names, entry in entries.items():
            counts |= {name: _entry_if(_exceeds(times, k), entry) for k, name in enumerate(names)}
        return counts

    def masked(self, state, condition):
        counts = {name: Mux(condition, state[name], 0) for name in COUNTS}
        return counts | {
            name: _entry_if(condition, entry) for name, entry in state.items() if name not in COUNTS
        }

    def append_run(self, left, tuple_, times, restart, context):
        """Returns the state of ``left`` followed by ``times`` equal tuples; with ``restart``, of
        these tuples alone.

        The entry of the value is compared with each entry of the list. The new list has the entries
        that are not smaller, ``times`` copies of the value's entry, and the smaller entries, cut
        off after K. For instance 6 comes twice to 9 7 5 4: 9 7 6 6.
        """
        counts, entries = self._single(tuple_, times)
        joined = {name: Mux(restart, 0, left[name]) + value for name, value in counts.items()}
        for names, entry in entries.items():
            before = [_entry_if(~restart, left[name]) for name in names]
            joined |= dict(zip(names, inserted(before, entry, times), strict=True))
        return joined

    def combine(self, left, right, context):
        left = self._full(left)
        right = self._full(right)
        joined = {name: left[name] + right[name] for name in COUNTS}
        for names in (self.below, self.above):
            lists = ([state[name] for name in names] for state in (left, right))
            joined |= dict(zip(names, greatest(*lists), strict=True))
        return joined

    def restart(self, left, right, restart, context):
        return super().restart(left, self._full(right), restart, context)

    @property
    def result(self):
        return self.state(self.tuples)

    def lower(self, state, quotients, context):
        return {name: state[name] for name in self.result.members}

    def _single(self, tuple_, times):
        """Returns the counts of ``times`` equal tuples, and the entry of either side by its names.

        Only the entry of the value's side has the value; with the pivot itself neither entry has.
        """
        key = order.rank(tuple_.row[self.column], self.floating)
        pivot = tuple_.row[self.pivot]
        is_less = key < pivot
        is_greater = key > pivot
        counts = {
            "count": times,
            "less": Mux(is_less, times, 0),
            "upto": Mux(is_greater, 0, times),
        }
        entries = {
            self.below: Cat(key, is_less),
            self.above: Cat(~key, is_greater),
        }
        return counts, entries

    def _full(self, state):
        """Returns a state with lists of K entries; the number 0 for each entry that it lacks."""
        members = state if isinstance(state, dict) else state.shape().members
        names = (*COUNTS, *self.below, *self.above)
        return {name: state[name] if name in members else 0 for name in names}


def greatest(left, right):
    """Returns the K greatest of two descending lists of K unsigned entries, descending.

    For instance 9 4 and 7 5: the pairs (9, 5) and (4, 7) have the greater entries 9 and 7. Constant
    zeros at the end of a list take no hardware.
    """
    length = len(left)
    used = max(len(_without_zeros(left)), len(_without_zeros(right)))
    if 2 * used <= length:
        merged = _descending([*left[:used], *reversed(right[:used])])
        return [*merged, *[0] * (length - 2 * used)]
    pairs = zip(left, reversed(right), strict=True)
    return _descending([_ordered(a, b)[0] for a, b in pairs])


def inserted(entries, entry, times):
    """Returns the K greatest of a descending list of K entries and ``times`` copies of ``entry``.

    Place k keeps its entry if ``entry`` is not greater. Otherwise it gets a copy, or the entry
    ``times`` places before, if ``entry`` is greater than the entry there, too. For instance 6 comes
    twice to 9 5 4 3: place 3 gets the 5 of place 1, and the list is 9 6 6 5.
    """
    is_greater = [entry > own for own in entries]  # for each place: `entry` belongs before it
    result = []
    for k, own in enumerate(entries):
        source = 1  # 0: the entry itself; 1: a copy; n + 1: the entry n places before
        for distance in range(1, k + 1):
            comes = is_greater[k - distance] & _equals(times, distance)
            source = Mux(comes, distance + 1, source)
        source = Mux(is_greater[k], source, 0)
        result.append(chosen([own, entry, *reversed(entries[:k])], source))
    return result


def _descending(entries):
    """Sorts a bitonic list in descending order.

    Such a list falls and then rises, or is a rotation of such a list, as 3 4 1 2.
    """
    half = len(entries) // 2
    if not half:
        return entries
    pairs = [_ordered(*pair) for pair in zip(entries[:half], entries[half:], strict=True)]
    greater, lesser = zip(*pairs, strict=True)
    return _descending(greater) + _descending(lesser)


def _ordered(a, b):
    """Returns the greater and the lesser of two entries."""
    if _is_zero(a) or _is_zero(b):
        return (b, a) if _is_zero(a) else (a, b)
    return Mux(a > b, a, b), Mux(a > b, b, a)


def _is_zero(entry):
    """Returns True for a constant: the only constant entries are the zeros of a shorter list."""
    return isinstance(entry, int | Const)


def _without_zeros(entries):
    return [entry for entry in entries if not _is_zero(entry)]


def _entry_if(condition, entry):
    """Returns the entry, but without a value unless the condition holds."""
    return Cat(entry[:-1], entry[-1] & condition)


def _exceeds(times, k):
    """Returns a bit: ``times`` is greater than k, for a ``times`` of at least 1."""
    if isinstance(times, int):
        return int(times > k)
    return times > k if k else 1


def _equals(times, count):
    return int(times == count) if isinstance(times, int) else times == count
