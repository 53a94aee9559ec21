"""Plans of a window cache, and of blocks with a window cache."""

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import pivot_member
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.cached_item import CachedItem
from rtl.keyed.cache.sorted_plan import SortedPlan
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.fold import Fold
from rtl.keyed.store.blocks.ring_plan import RingPlan

X = signed(9)
ENTRIES = 8
NUMBER_BITS = 8
MAX_VALUES = 16


def cache_of(keys, lanes, fractions=(), times=None):
    """Returns the plan of a cache of least values, sums and counts, and of percentiles.

    With ``times``, a KeyTimes, windows are those of time.
    """
    operators = (Min("x", X), Sum("x", X, 6), Count(6))
    searched = {
        len(operators) + k: Neighbours("x", X, tuples=MAX_VALUES, pivot=pivot_member(k))
        for k in range(len(fractions))
    }
    fold = Fold(
        row=data.StructLayout({"x": X}),
        operators=(*operators, *searched.values()),
        tuples=MAX_VALUES,
        pivots=len(fractions),
    )
    item = CachedItem(shape=X)
    if times is not None:
        item = CachedItem(shape=times.stamped(X), includes_closing_value=False, membership=times)
    sorting = SortedPlan(operators=searched, fractions=fractions) if fractions else None
    return CachePlan(
        keys=keys, lanes=lanes, values=MAX_VALUES, item=item, fold=fold, sorting=sorting
    )


def plan_of(keys, lanes):
    """Returns a plan of rings of 8 blocks with a cache."""
    cache = cache_of(keys, lanes)
    return RingPlan(
        codec=BaseDelta(32),
        entries=ENTRIES,
        blocks=8,
        number_bits=NUMBER_BITS,
        fold=cache.fold,
        cache=cache,
    )
