"""Plans for windows of time of keys, random streams for them, and the check against lists."""

from dataclasses import replace

from amaranth.hdl import signed

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.blocks.block_store import BlockStore
from rtl.keyed.store.blocks.ring_plan import RingPlan
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.time_kind import TimeKind
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE
from tb.rtl.keyed.key_windows_bench import Bench, entry_of, separate_keys
from tb.rtl.keyed.table.models import TableModel
from tb.rtl.keyed.windows.key_times import RingModel


def plan_of(
    *,
    time=8,
    entries=8,
    ways=1,
    items=4,
    ring_lines=8,
    ports=1,
    width=512,
    word_items=2,
    m2_lines=1,
    m2_kind="block",
    memory="mlq",
    codec=None,
    **more,
):
    if codec is not None:
        return coded_plan_of(codec, time, entries, ways, ring_lines * items, ports, width, more)
    times = KeyTimes(
        time=time, places=ring_lines * items, items=items, **{"overlap": 8, "number_bits": 7} | more
    )
    line = LinePlan(item=times.stamped(signed(16)), items=items, word_items=word_items)
    m2 = SecondLevel(lines=m2_lines, kind=m2_kind)
    return KeyedPlan(
        key=6,
        window=TimeKind(times=times),
        store=LineStore(line=line, memory=memory, m2=m2),
        lines=LineMap(rings=entries, ring_lines=ring_lines, ports=ports, data_width=width),
        ways=ways,
    )


def coded_plan_of(codec, time, entries, ways, blocks, ports, width, more):
    """Returns a plan with as many blocks as an uncompressed ring has places."""
    times = KeyTimes(time=time, places=blocks, items=1, **{"overlap": 8, "number_bits": 7} | more)
    codec = replace(codec, stamp_bits=times.stamp_bits)
    bits = (blocks << 10).bit_length() - 1
    line = LinePlan(item=times.stamped(signed(codec.width)), items=4, word_items=2)
    ring = RingPlan(codec=codec, entries=entries, blocks=blocks, number_bits=bits)
    return KeyedPlan(
        key=6,
        window=TimeKind(times=times),
        store=BlockStore(line=line, ring=ring),
        lines=LineMap(rings=entries, ring_lines=blocks, ports=ports, data_width=width),
        ways=ways,
    )


class Answer:
    """Computes the windows, evictions and counters of successive streams (settings, tuples)."""

    def __init__(self, plan, streams):
        self.plan, self.windows, self.evicted = plan, [], []
        self.late = self.overrun = self.lines = self.values = self.values_read = 0
        self.table = TableModel(key_width=6, entries=plan.entries, ways=plan.ways)
        for settings, tuples in streams:
            self.stream(settings, tuples)

    def stream(self, settings, tuples):
        keys, times = {}, self.plan.window.times
        coded = self.plan.store.ring is not None  # one place of a coded ring stays free
        ring = {"ring_lines": times.places // times.items - coded, "items": times.items}
        ring |= {"most_marks": times.marks, "numbers": 1 << times.number_bits}
        ring |= {"kept_lines": self.plan.m2.lines - 1}
        for number, (key, time, item) in enumerate(tuples):
            early = time < settings["start"]
            if early or (time - settings["start"]) // settings["slide"] >= ring["numbers"]:
                self.late, self.overrun = self.late + early, self.overrun + (not early)
                continue
            thrown = self.table.arrive(key, lambda state: state)["evicted"]
            if thrown is not None:
                self.evicted.append((thrown, number))
                self.add(keys.pop(thrown))
            result = keys.setdefault(key, RingModel(**settings, **ring)).enter(time, item)
            if isinstance(result, str):
                setattr(self, result, getattr(self, result) + 1)
            else:
                self.windows += [(key, window % ring["numbers"], items) for window, items in result]
        for model in keys.values():
            self.add(model)
        self.windows.append(None)
        self.evicted.append(None)
        self.table.end()

    def add(self, model):
        """Adds the lines and the values that the windows of a key read."""
        self.lines += model.lines_read
        self.values += model.values
        self.values_read += model.values_read


def beats_of(streams):
    """Returns a beat for each tuple; some streams end with a beat without a tuple, as empty ones
    must.
    """
    beats = []
    for settings, tuples in streams:
        rows = [{"key": k, "time": t, "item": i, "valid": 1, "last": 0} for k, t, i in tuples]
        if not rows or len(rows) % 2:
            rows.append({"key": 5, "time": 0, "item": 77, "valid": 0, "last": 0})
        rows[-1]["last"] = 1
        beats += [row | {"settings": settings} for row in rows]
    return beats


class TimeBench(Bench):
    beats = staticmethod(beats_of)


def check(plan, streams, seed, **options):
    answer = Answer(plan, streams)
    bench = TimeBench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    counted = bench.counted
    assert (counted["late"], counted["overrun"]) == (answer.late, answer.overrun)
    assert counted["window_values"] == answer.values
    if plan.store.ring is None:
        assert plan.memory != "mlq" or bench.read == answer.lines
        assert counted["m3_window_values"] == answer.values_read
    return bench, answer


def settings_of(rng, plan, start=0):
    slide = rng.choice([1, 2, rng.randint(1, 8)])
    largest = plan.window.times.overlap * slide - 1
    range_ = rng.choice([slide, largest, rng.randint(slide, largest), rng.randint(slide, largest)])
    return {"range": range_, "slide": slide, "start": start}


def tuples_of(rng, count, keys, settings, most):
    """Returns tuples of one key, two keys, or any; time advances by bursts, pauses and steps
    back.
    """
    result, current = [], max(0, settings["start"])
    while len(result) < count:
        one, two = rng.randrange(keys), rng.randrange(keys)
        burst = rng.choice([[one], [one] * rng.randint(1, 12), [one, two] * rng.randint(1, 4)])
        pace = rng.choice([0, 0, 1, 1, settings["slide"], settings["range"]])
        for key in burst:
            current += rng.randint(0, pace)
            time = current - rng.choice([0, 0, 0, rng.randint(0, settings["slide"] + 2)])
            result.append((key, min(max(0, time), most), rng.randrange(-(1 << 15), 1 << 15)))
    return result[:count]


def streams_of(rng, plan, counts, keys, most):
    streams = []
    for count in counts:
        settings = settings_of(rng, plan, rng.choice([0, 0, 3, -5]))
        streams.append((settings, tuples_of(rng, count, keys, settings, most)))
    return streams


def check_errors(plan, kind, least):
    """Checks that errors of line 2 of a key's ring mark ``least`` of its windows, and no others."""
    keys = separate_keys(plan, 3)
    tuples = [(keys[k % 3], k, k) for k in range(240)]
    streams = [({"range": 30, "slide": 12, "start": 0}, tuples)]
    answer = Answer(plan, streams)
    bench = TimeBench(plan, kind, latency=8)
    (slave,) = bench.slaves
    line = entry_of(plan, keys[1]) * plan.lines.ring_lines + 2
    slave.bad[kind[4:]] = {bench.bases[0] * PAGE + line * LINE}
    bench.run(streams, len(answer.windows))
    marked = [actual for actual in bench.windows if actual and actual[3]]
    assert len(marked) >= least
    assert {actual[0] for actual in marked} == {keys[1]}
    for actual, expected in zip(bench.windows, answer.windows, strict=True):
        assert actual is expected or actual[3] or actual[:3] == expected
