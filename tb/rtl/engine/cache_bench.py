"""Windows of keys with a cache, given in states, and plain lists of what they must be."""

from dataclasses import replace

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.fold import Fold
from tb.rtl.engine.key_windows_bench import Answer, Bench, plan_of
from tb.rtl.keyed.table.models import TableModel

#: Bits of a count.
BITS = 12


def plan_with(places=2, lanes=8, *, codec=None, ring_lines=8, **options):
    """Of windows of up to 8 times so many values, in order of their keys."""
    codec = codec or BaseDelta(32)
    plan = plan_of(codec=codec, items=8, ring_lines=ring_lines, **options)
    most, item = plan.window.rows.window_max, plan.line.item
    fold = Fold(
        row=data.StructLayout({"x": item}),
        operators=(Sum("x", signed(codec.width), BITS), Min("x", item), Count(BITS)),
        tuples=most,
        decoders=3,
    )
    cache = CachePlan(keys=places, lanes=min(lanes, most), values=most, item=item, fold=fold)
    return replace(
        plan, store=replace(plan.store, ring=replace(plan.store.ring, fold=fold, cache=cache))
    )


class CacheModel:
    """Places, the one that was used longest ago first: of which entry, how many values are kept."""

    def __init__(self, places):
        self.places = [[None, 0] for _ in range(places)]

    def arrive(self, entry, size, closes, fresh):
        """A value of a key at this entry; whether the window that it closes is there."""
        mine = next((place for place in self.places if place[0] == entry), None)
        if mine and fresh and not closes:
            mine[0] = None
        if mine and not fresh:
            mine[1] += 1
        if not closes:
            return False
        hit = bool(mine) and not fresh and mine[1] >= size
        place = mine or self.places[0]
        if not mine or fresh:
            place[:] = entry, 1
        self.places = [other for other in self.places if other is not place] + [place]
        return hit


def hits_of(plan, streams):
    """How many windows are out of the cache."""
    table = TableModel(key_width=plan.key, entries=plan.entries, ways=plan.ways)
    cache, hits = CacheModel(plan.store.ring.cache.keys), 0
    for size, slide, tuples in streams:
        count = {}
        for key, _ in tuples:
            found = table.arrive(key, lambda state: state)
            count[key] = 1 if found["fresh"] else count[key] + 1
            behind = count[key] - size
            closes = behind >= 0 and behind % slide == 0
            hits += cache.arrive(found["entry"], size, closes, found["fresh"])
        table.end()
    return hits


class CacheBench(Bench):
    """Shows of each window, in place of its values, their sum, the least one, and how many."""

    @property
    def windows(self):
        found, states = [], []
        for beat in self.sinks[0].run.payloads:
            told, state = beat["passenger"]["passenger"], beat["tuples"][0]
            if beat["valid"]:
                states.append([state[f"r{k}"]["value"] for k in range(3)] + [state["values"]])
            if not beat["last"]:
                continue
            if told["end"]:
                assert not states
                found.append(None)
            else:
                sums, least, counts, values = zip(*states, strict=True)
                assert counts == values
                error = beat["passenger"]["error"]
                answer = (sum(sums), min(least), sum(counts))
                found.append((told["key"], told["window"], answer, error))
            states = []
        return found


def answered(windows):
    """What a CacheBench must show."""
    return [w and (w[0], w[1], (sum(w[2]), min(w[2]), len(w[2]))) for w in windows]


def check(plan, streams, seed, **options):
    """Windows are those of lists, and as many as must be are out of the cache."""
    answer = Answer(plan, streams)
    bench = CacheBench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    assert bench.counted["window_values"] == answer.values
    assert bench.counted["cached_windows"] == hits_of(plan, streams)
    return bench, answer
