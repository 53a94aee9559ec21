"""Creates the units that keep windows of keys: in memory through AXI4, and in the cache."""

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.cached_item import CachedItem
from rtl.keyed.cache.window_cache import WindowCache
from rtl.keyed.codec.fold import Fold
from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.key_windows import KeyWindows
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.windows.key_rows import KeyRows
from rtl.keyed.windows.row_kind import RowKind

_ADDRESS_BITS = 20


def fold_of(width: int, tuples: int, decoders: int = 4, chain: int = 1) -> Fold:
    """Returns the fold of max, count and sum of signed values of ``width`` bits."""
    shape, bits = signed(width), tuples.bit_length()
    operators = Max("value", shape), Count(bits), Sum("value", shape, bits)
    row = data.StructLayout({"value": shape})
    return Fold(row=row, operators=operators, tuples=tuples, decoders=decoders, chain=chain)


def line_memory(*, buffer_lines: int, **lines: int) -> LineMemory:
    """Returns a line memory; ``lines`` are settings of its LineMap."""
    return LineMemory(
        LineMap(address_width=_ADDRESS_BITS, **lines), turns=8, buffer_lines=buffer_lines
    )


def key_windows(
    *,
    key_width: int,
    width: int,
    entries: int,
    ways: int,
    ring_lines: int,
    items: int,
    memory: str,
    m2_lines: int,
    ports: int,
    data_width: int,
) -> KeyWindows:
    """Returns the windows of rows of each key in lines, with rings of ``ring_lines`` lines."""
    places = ring_lines * items
    plan = KeyedPlan(
        key=key_width,
        window=RowKind(rows=KeyRows(window_max=places, places=places, number_bits=8)),
        store=LineStore(
            line=LinePlan(item=signed(width), items=items, word_items=max(1, items // 4)),
            memory=memory,
            m2=SecondLevel(lines=m2_lines),
        ),
        lines=LineMap(
            rings=entries,
            ring_lines=ring_lines,
            ports=ports,
            data_width=data_width,
            address_width=_ADDRESS_BITS,
        ),
        ways=ways,
    )
    return KeyWindows(plan, table={"epoch": 3}, memory={"buffer_lines": 64})


def window_cache(*, places: int, lanes: int, values: int, width: int, entries: int) -> WindowCache:
    """Returns a cache of windows of up to ``values`` values, with ``places`` keys."""
    fold = fold_of(width, values)
    item = CachedItem(shape=signed(width))
    cache = CachePlan(keys=places, lanes=lanes, values=values, item=item, fold=fold)
    return WindowCache(cache, entries)
