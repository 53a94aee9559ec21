"""Windows of time of keys, out of the table and three levels of memory, against lists of each."""

import random
from itertools import product

import pytest
from amaranth.hdl import signed, unsigned

from rtl.engine.streamzip.key_windows import KeyWindows
from rtl.engine.streamzip.plan import KeyTimePlan
from rtl.memory.line_plan import LinePlan
from rtl.memory.lines import LineMap
from rtl.window.key_times import KeyTimes
from tb.rtl.engine.test_key_windows import Bench, apart
from tb.rtl.table.models import TableModel
from tb.rtl.window.key_times import RingModel


def plan_of(
    *, time=8, entries=8, ways=1, items=4, ring_lines=8, ports=1, width=512, word_items=2, **more
):
    times = KeyTimes(
        time=time, places=ring_lines * items, items=items, **{"overlap": 8, "numbers": 7} | more
    )
    return KeyTimePlan(
        key=6,
        line=LinePlan(item=times.stamped(signed(16)), items=items, word_items=word_items),
        lines=LineMap(rings=entries, ring_lines=ring_lines, ports=ports, data_width=width),
        times=times,
        ways=ways,
    )


class Answer:
    """What each stream gives, one after the other; a stream is (settings, tuples)."""

    def __init__(self, plan, streams):
        self.plan, self.windows, self.evicted = plan, [], []
        self.late = self.overrun = self.lines = 0
        self.table = TableModel(key_width=6, entries=plan.entries, ways=plan.ways)
        for settings, tuples in streams:
            self.stream(settings, tuples)

    def stream(self, settings, tuples):
        keys, times = {}, self.plan.times
        ring = {"ring_lines": self.plan.lines.ring_lines, "items": times.items}
        ring |= {"most_marks": times.marks, "numbers": 1 << times.numbers}
        for number, (key, time, item) in enumerate(tuples):
            early = time < settings["start"]
            if early or (time - settings["start"]) // settings["slide"] >= ring["numbers"]:
                self.late, self.overrun = self.late + early, self.overrun + (not early)
                continue
            thrown = self.table.arrive(key, lambda state: state)["evicted"]
            if thrown is not None:
                self.evicted.append({"key": thrown, "arrival": number})
                self.lines += keys.pop(thrown).lines_read
            found = keys.setdefault(key, RingModel(**settings, **ring)).enter(time, item)
            if isinstance(found, str):
                setattr(self, found, getattr(self, found) + 1)
            else:
                self.windows += [(key, window % ring["numbers"], items) for window, items in found]
        self.lines += sum(model.lines_read for model in keys.values())
        self.windows.append(None)
        self.table.end()


def beats_of(streams):
    """A beat for each tuple; some streams end with a beat that has none, as empty ones must."""
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
    assert bench.read == answer.lines
    return bench, answer


def settings_of(rng, plan, start=0):
    slide = rng.choice([1, 2, rng.randint(1, 8)])
    most = plan.times.overlap * slide - 1
    range_ = rng.choice([slide, most, rng.randint(slide, most), rng.randint(slide, most)])
    return {"range": range_, "slide": slide, "start": start}


def tuples_of(rng, count, keys, settings, most):
    """Time goes on by bursts, pauses, and steps back; of one key, of two, of any."""
    found, now = [], max(0, settings["start"])
    while len(found) < count:
        one, two = rng.randrange(keys), rng.randrange(keys)
        burst = rng.choice([[one], [one] * rng.randint(1, 12), [one, two] * rng.randint(1, 4)])
        pace = rng.choice([0, 0, 1, 1, settings["slide"], settings["range"]])
        for key in burst:
            now += rng.randint(0, pace)
            time = now - rng.choice([0, 0, 0, rng.randint(0, settings["slide"] + 2)])
            found.append((key, min(max(0, time), most), rng.randrange(-(1 << 15), 1 << 15)))
    return found[:count]


def streams_of(rng, plan, counts, keys, most):
    streams = []
    for count in counts:
        settings = settings_of(rng, plan, rng.choice([0, 0, 3, -5]))
        streams.append((settings, tuples_of(rng, count, keys, settings, most)))
    return streams


POINTS = {
    "one port": {"time": 10},
    "two ways, words of 1, one mark": {"ways": 2, "word_items": 1, "marks": 1, "time": 12},
    "four ports, two marks": {"ports": 4, "width": 128, "marks": 2, "time": signed(11)},
    "a line is a word": {"word_items": 4, "ports": 2, "width": 256, "numbers": 8},
}
MEMORIES = {
    "quick": {},
    "late": {"latency": 20, "delay": 30},
    "restless": {"delay": 12, "stall": 0.3, "stall_in": 0.3, "stall_out": 0.4},
}
QUICK = [
    ("one port", "restless"),
    ("two ways, words of 1, one mark", "late"),
    ("four ports, two marks", "quick"),
    ("a line is a word", "restless"),
]


@pytest.mark.parametrize(
    ("point", "memory"),
    [
        (point, memory)
        if (point, memory) in QUICK
        else pytest.param(point, memory, marks=pytest.mark.regress)
        for point in POINTS
        for memory in MEMORIES
    ],
)
def test_windows_are_those_of_lists(point, memory):
    rng = random.Random(f"{point} {memory}")
    plan = plan_of(**POINTS[point])
    streams = streams_of(rng, plan, [90, 0, 1, 120, 70], 4, most=255)
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    print(len(answer.windows), answer.late, answer.overrun, answer.lines, bench.cycles)
    assert len(answer.windows) > 20
    assert answer.late > 5
    assert bench.written > 10
