"""Lists of (key, value) as beats of a sorter's stream, and back."""

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.sort.order import SortOrder

ROW = data.StructLayout({"key": 5, "value": signed(4)})
ORDER = SortOrder(ROW, ("key", "value"))


def beats_of(lists, lanes):
    """Beats of lists of (key, value), each list a stream."""
    beats = []
    for items in lists:
        rows = [items[k : k + lanes] for k in range(0, len(items), lanes)] or [[]]
        for k, row in enumerate(rows):
            tuples = [{"key": key, "value": value} for key, value in row]
            tuples += [{"key": 0, "value": 0}] * (lanes - len(row))
            valid = (1 << len(row)) - 1
            beats.append({"tuples": tuples, "valid": valid, "last": int(k == len(rows) - 1)})
    return beats


def lists_of(beats):
    """The lists again; also holds the beats to being dense."""
    lists, items = [], []
    for beat in beats:
        count = beat["valid"].bit_count()
        assert beat["valid"] == (1 << count) - 1
        assert beat["last"] or count == len(beat["tuples"])
        items += [(t["key"], t["value"]) for t in beat["tuples"][:count]]
        if beat["last"]:
            lists.append(items)
            items = []
    assert not items
    return lists


def rows(length, lanes):
    """Beats of a list of ``length`` tuples."""
    return max(1, -(-length // lanes))


def merged_beats(a, b, input_lanes, lanes):
    """How many beats the merge of lists of ``a`` and ``b`` tuples is.

    Lists come as whole beats of ``input_lanes``. Unless all are full there is a short beat at the
    end, and it is empty when the tuples fill the beats before it.
    """
    entries = input_lanes * (rows(a, input_lanes) + rows(b, input_lanes))
    return min(entries // lanes, (a + b) // lanes + 1)


def random_list(rng, length):
    """Unsorted, with few or many ties."""
    keys = rng.choice([1, 3, 32])
    return [(rng.randrange(keys), rng.randrange(-8, 8)) for _ in range(length)]
