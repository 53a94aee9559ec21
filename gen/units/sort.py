"""Units of sorting: the sorters and mergers, and their order."""

from amaranth.hdl import signed
from amaranth.lib import data

from gen.units.unit import Unit
from rtl.sort.flims import FlimsMerger
from rtl.sort.linear import LinearSorter
from rtl.sort.merge_sorter import MergeSorter
from rtl.sort.order import SortOrder
from rtl.sort.tree import MergeTree

_CARDINALITY = "cardinality is the width of a group's count in bits; 0: no count"


def order_of(width: int, cardinality: int, passenger: int = 0) -> SortOrder:
    """Returns the order of tuples by ``key``, then ``value``, which have ``width`` bits together.

    The key is unsigned and identifies the group; the value is signed. With a ``width`` of 65 the
    key has 32 bits and the value 33. ``cardinality`` is the width of a group's count in bits; 0 is
    a sorter that does not count. ``passenger`` is the width of a third field, by which the tuples
    are not sorted; 0 is a tuple without this field.
    """
    if width < 2:
        raise ValueError(f"width must be at least 2, not {width}")
    fields = {"key": width // 2, "value": signed(width - width // 2)}
    if passenger < 0:
        raise ValueError(f"passenger must be at least 0, not {passenger}")
    row = data.StructLayout(fields | ({"passenger": passenger} if passenger else {}))
    return SortOrder(row, ("key", "value"), group="key", cardinality=cardinality)


def _linear_sorter(*, cells, width, cardinality, passenger):
    return LinearSorter(order_of(width, cardinality, passenger), cells)


def _flims(*, lanes, width, cardinality):
    return FlimsMerger(order_of(width, cardinality), lanes)


def _merge_tree(*, lanes, width, cardinality):
    return MergeTree(order_of(width, cardinality), lanes)


def _merge_sorter(*, lanes, capacity, window_max, width, cardinality, passes):
    order = order_of(width, cardinality)
    return MergeSorter(order, lanes, capacity, window_max, passes=passes)


UNITS = {
    "linear-sorter": Unit(
        about=f"insertion sorter of chunks of up to cells tuples; {_CARDINALITY}; passenger is "
        "the width in bits of a field by which the tuples are not sorted; 0: no such field",
        settings={"cells": 32, "width": 64, "cardinality": 0, "passenger": 0},
        create=_linear_sorter,
    ),
    "flims": Unit(
        about=f"merger of two sorted lists; {_CARDINALITY}",
        settings={"lanes": 4, "width": 64, "cardinality": 0},
        create=_flims,
    ),
    "merge-tree": Unit(
        about=f"merger of one sorted list from each leaf; {_CARDINALITY}",
        settings={"lanes": 4, "width": 64, "cardinality": 0},
        create=_merge_tree,
    ),
    "merge-sorter": Unit(
        about="sorter of windows of up to window_max tuples, in chunks of capacity tuples; passes "
        f"is shared or pipelined; {_CARDINALITY}",
        settings={
            "lanes": 4,
            "capacity": 64,
            "window_max": 256,
            "width": 64,
            "cardinality": 0,
            "passes": "shared",
        },
        create=_merge_sorter,
    ),
}
