"""Plans of a window cache, and of blocks with a window cache."""

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.fold import Fold
from rtl.keyed.store.blocks.ring_plan import RingPlan

X = signed(9)
ENTRIES = 8
NUMBER_BITS = 8
MOST = 16


def cache_of(keys, lanes):
    """Returns the plan of a cache of least values, sums and counts."""
    operators = (Min("x", X), Sum("x", X, 6), Count(6))
    fold = Fold(row=data.StructLayout({"x": X}), operators=operators, tuples=MOST)
    return CachePlan(keys=keys, lanes=lanes, values=MOST, item=X, fold=fold)


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
