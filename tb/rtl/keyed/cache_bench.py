"""Windows of keys with a cache, read as states of the kernels, and plain models of them."""

from dataclasses import replace

from amaranth.hdl import Shape, signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.cached_item import CachedItem
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.fold import Fold
from rtl.keyed.store.lines.cached_line_store import CachedLineStore
from tb.rtl.keyed import time_bench
from tb.rtl.keyed.key_windows_bench import Answer, Bench, plan_of
from tb.rtl.keyed.table.models import TableModel

#: Width of a count, in bits.
BITS = 12


def plan_with(places=2, lanes=8, *, codec=None, ring_lines=8, **options):
    """Returns a plan of blocks for windows of up to 8 ``ring_lines`` values, with a cache of
    ``places`` keys.
    """
    codec = codec or BaseDelta(32)
    earlier = codec.format.chain - 1  # a walk feeds back the head of a chain
    plan = plan_of(codec=codec, items=8, ring_lines=ring_lines, earlier=earlier, **options)
    return with_cache(plan, places, lanes)


def with_cache(plan, places, lanes):
    """Returns a plan of lines or blocks, of rows or time, with a cache of ``places`` keys."""
    window, item = plan.window, plan.item
    values = window.window_values_max
    fold = Fold(
        row=data.StructLayout({"x": item}),
        operators=(Sum("x", signed(Shape.cast(item).width), BITS), Min("x", item), Count(BITS)),
        tuples=values,
        decoders=3,
        chain=1 if plan.store.ring is None else plan.store.ring.format.chain,
    )
    cache = CachePlan(
        keys=places,
        lanes=min(lanes, values),
        values=values,
        item=CachedItem(
            shape=plan.line.item,
            includes_closing_value=window.includes_closing_value,
            membership=window.membership,
        ),
        fold=fold,
    )
    if plan.store.ring is None:
        return replace(plan, store=CachedLineStore(store=plan.store, cache=cache))
    ring = replace(plan.store.ring, fold=fold, cache=cache)
    return replace(plan, store=replace(plan.store, ring=ring))


def cache_of(plan):
    """Returns the CachePlan of a plan of :func:`with_cache`."""
    return plan.store.cache if plan.store.ring is None else plan.store.ring.cache


class CacheModel:
    """Model of the cache: the entry and the number of cached values of each place.

    The place that was used longest ago is first in the list.
    """

    def __init__(self, places):
        self.places = [[None, 0] for _ in range(places)]

    def arrive(self, entry, size, closes, fresh):
        """Takes a value of the key at this entry; True if the value closes a window in the
        cache.
        """
        own_place = next((place for place in self.places if place[0] == entry), None)
        if own_place and fresh and not closes:
            own_place[0] = None
        if own_place and not fresh:
            own_place[1] += 1
        if not closes:
            return False
        hit = bool(own_place) and not fresh and own_place[1] >= size
        place = own_place or self.places[0]
        if not own_place or fresh:
            place[:] = entry, 1
        self.places = [other for other in self.places if other is not place] + [place]
        return hit


def hit_windows(plan, streams):
    """Returns the windows that come out of the cache, by their numbers among windows and ends."""
    table = TableModel(key_width=plan.key, entries=plan.entries, ways=plan.ways)
    cache, hits, number = CacheModel(cache_of(plan).keys), set(), 0
    for size, slide, tuples in streams:
        count = {}
        for key, _ in tuples:
            lookup = table.arrive(key, lambda state: state)
            count[key] = 1 if lookup["fresh"] else count[key] + 1
            begin = count[key] - size
            closes = begin >= 0 and begin % slide == 0
            if cache.arrive(lookup["entry"], size, closes, lookup["fresh"]):
                hits.add(number)
            number += closes
        number += 1
        table.end()
    return hits


class CacheBench(Bench):
    """Reads the sum, the least value and the count of each window, instead of its values."""

    @property
    def windows(self):
        result, states = [], []
        for beat in self.sinks[0].run.payloads:
            window_info, state = beat["passenger"]["passenger"], beat["tuples"][0]
            if beat["valid"]:
                states.append([state[f"r{k}"]["value"] for k in range(3)] + [state["values"]])
            if not beat["last"]:
                continue
            if window_info["end"]:
                assert not states
                result.append(None)
            else:
                error = beat["passenger"]["error"]
                answer = summed(states) if states or not error else None
                result.append((window_info["key"], window_info["window"], answer, error))
            states = []
        return result


class CacheTimeBench(CacheBench):
    """Reads the states of windows of time."""

    beats = staticmethod(time_bench.beats_of)


def summed(states):
    """Returns the sum, the least value and the count of the states of a window's lines."""
    assert states, "a window without an error must have values"
    sums, smallest, counts, values = zip(*states, strict=True)
    assert counts == values
    return sum(sums), min(smallest), sum(counts)


def answered(windows):
    """Returns the windows that a CacheBench must read."""
    return [w and (w[0], w[1], (sum(w[2]), min(w[2]), len(w[2]))) for w in windows]


def check(plan, streams, seed, **options):
    """Runs streams; checks the windows against lists, and the cache hits against the model."""
    answer = Answer(plan, streams)
    bench = CacheBench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    assert bench.counted["window_values"] == answer.values
    assert bench.counted["cached_windows"] == len(hit_windows(plan, streams))
    return bench, answer


def check_times(plan, streams, seed, **options):
    """Runs streams of tuples with times; checks the windows and the counters against lists."""
    answer = time_bench.Answer(plan, streams)
    bench = CacheTimeBench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    counted = bench.counted
    assert (counted["late"], counted["overrun"]) == (answer.late, answer.overrun)
    assert counted["window_values"] == answer.values
    return bench, answer
