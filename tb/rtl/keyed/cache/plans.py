"""A plan of blocks with a window cache."""

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.fold import Fold
from rtl.keyed.store.blocks.block_ring import RingPlan

X = signed(9)
NUMBER_BITS = 8
MOST = 16


def plan_of(keys, lanes):
    operators = (Min("x", X), Sum("x", X, 6), Count(6))
    fold = Fold(row=data.StructLayout({"x": X}), operators=operators, tuples=MOST)
    cache = CachePlan(keys=keys, lanes=lanes, values=MOST, item=X, fold=fold)
    codec = BaseDelta(32)
    bits = NUMBER_BITS
    return RingPlan(codec=codec, entries=8, blocks=8, number_bits=bits, fold=fold, cache=cache)
