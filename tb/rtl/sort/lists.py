"""Converts lists of (key, value) to beats of a sorter's stream, and back.

With the order ``COUNTED`` a key is a group, and items are (key, value, cardinality).
"""

from collections import Counter

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.sort.order import SortOrder

ROW = data.StructLayout({"key": 5, "value": signed(4)})
ORDER = SortOrder(ROW, ("key", "value"))
COUNTED = SortOrder(ROW, ("key", "value"), group="key", cardinality=8)


def payload(item):
    """Returns an item as the payload of a lane."""
    key, value, *cardinality = item
    tuple_ = {"key": key, "value": value}
    return {"tuple": tuple_, "cardinality": cardinality[0]} if cardinality else tuple_


def beats_of(lists, lanes, order=ORDER):
    """Returns the beats of lists, a stream per list; invalid lanes repeat the last item."""
    beats = []
    for items in lists:
        key, value, *_ = items[-1] if items else (0, 0)
        filler = payload((key, value, 99) if order.cardinality else (key, value))
        rows = [items[k : k + lanes] for k in range(0, len(items), lanes)] or [[]]
        for k, row in enumerate(rows):
            tuples = [payload(item) for item in row] + [filler] * (lanes - len(row))
            valid = (1 << len(row)) - 1
            beats.append({"tuples": tuples, "valid": valid, "last": int(k == len(rows) - 1)})
    return beats


def item_of(tuple_):
    """Reverses :func:`payload`."""
    if "tuple" in tuple_:
        return (*item_of(tuple_["tuple"]), tuple_["cardinality"])
    return tuple_["key"], tuple_["value"]


def lists_of(beats):
    """Returns the lists of dense beats; asserts that the beats are dense."""
    lists, items = [], []
    for beat in beats:
        count = beat["valid"].bit_count()
        assert beat["valid"] == (1 << count) - 1
        assert beat["last"] or count == len(beat["tuples"])
        items += [item_of(t) for t in beat["tuples"][:count]]
        if beat["last"]:
            lists.append(items)
            items = []
    assert not items
    return lists


def rows(length, lanes):
    """Returns the number of beats of a list of ``length`` tuples."""
    return max(1, -(-length // lanes))


def merged_beats(a, b, input_lanes, lanes):
    """Returns the number of beats of the merge of lists of ``a`` and ``b`` tuples.

    Lists arrive as beats of ``input_lanes``. If any is not full, the merge ends with a short beat,
    which is empty if the tuples fill the earlier beats.
    """
    entries = input_lanes * (rows(a, input_lanes) + rows(b, input_lanes))
    return min(entries // lanes, (a + b) // lanes + 1)


def random_list(rng, length):
    """Returns an unsorted list with few or many ties."""
    keys = rng.choice([1, 3, 32])
    return [(rng.randrange(keys), rng.randrange(-8, 8)) for _ in range(length)]


def counted(items):
    """Adds to each tuple the number of tuples with the same key."""
    count = Counter(key for key, _ in items)
    return [(key, value, count[key]) for key, value in items]
