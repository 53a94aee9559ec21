"""Checks the passes of windows against a plain model of kernels that gives the verdicts."""

import random
from fractions import Fraction

import pytest
from amaranth.lib import data

from rtl.keyed.pivot.pivot_plan import WINDOWS, PivotPlan
from rtl.keyed.pivot.window_passes import WindowPasses
from rtl.keyed.store.lines.window_lines import collected_line
from tb.bench.sides import Rules
from tb.bench.unit import collect, put, simulate

ENTRIES, LINES, WIDTH, NEIGHBOURS = WINDOWS, 5, 16, 4
PLAN = PivotPlan(
    width=WIDTH, fractions=(Fraction(1, 2),), neighbours=NEIGHBOURS, entries=ENTRIES, lines=LINES
)
INFO = {"entry": range(ENTRIES), "end": 1, "ahead": range(NEIGHBOURS), "cached": 1}
LINE = collected_line(8, 1, data.StructLayout(INFO))


def line_of(number, last, entry=0, end=0, ahead=0, cached=0):
    """Returns line ``number`` of a run; its only value is the number, modulo 256."""
    info = {"entry": entry, "end": end, "ahead": ahead, "cached": cached}
    passenger = {"error": 0, "m3": 0, "passenger": info}
    return {"tuples": [number % 256], "valid": 1, "last": last, "passenger": passenger}


def windows_of(rng, count, entries=4, lines=LINES, ends=0.15):
    """Returns windows (entry, number of lines, number of passes), and None for ends of streams.

    A window from the cache has a fourth element, a line, and a pass.
    """
    return [
        None
        if rng.random() < ends
        else (rng.randrange(entries), rng.randint(1, lines), rng.choice((1, 1, 1, 2, 4)))
        for _ in range(count)
    ]


class Kernels:
    """Takes passes, and gives each a verdict after some cycles; checks order and pivots.

    The verdict of a pass that finds the ranks has the answer as its pivot. Any other verdict has a
    random search, with which the next pass of the window must begin. A pass behind one that has
    failed has a verdict, too, but its window stays. ``counted`` counts the verdicts that are not
    on passes that ended early, and do not repeat an answer.
    """

    def __init__(self, windows, first_lines, rng, delay, ahead):
        # Windows and ends that have not left, and the number of the first line of each.
        self.windows, self.first_lines = list(windows), list(first_lines)
        self.rng, self.delay, self.ahead = rng, delay, ahead
        self.turn, self.lines = 0, []
        self.answers = {}
        # Search and number of verdicts of each window that has one and whose row has not left, by
        # the number of the window. Windows and ends before `completed` have left.
        self.searches, self.tries, self.completed, self.counted = {}, {}, 0, 0
        self.under_way, self.new_lines, self.passes = [], 0, []

    def line(self, cycle, line, started):
        """Accepts a line of a pass; ``started`` returns the pass of its window."""
        info = line["passenger"]
        self.new_lines += not info["again"]
        if info["passenger"]["end"]:
            assert not self.under_way
            assert not self.lines
            assert self.windows[0] is None
            self.leave()
            return
        if not self.lines:
            self.passes.append(started())
        assert info["pivots"][0] == self.passes[-1]["searches"][0]["pivot"]
        self.lines.append(line["tuples"][0])
        if cached := info["passenger"]["cached"]:
            assert not info["again"]
            assert all(is_cached for *_, is_cached in self.under_way)
        if line["last"]:
            due = max(cycle + self.delay(), self.under_way[-1][0] + 1 if self.under_way else 0)
            entry, pass_ = info["passenger"]["entry"], self.passes.pop()
            self.under_way.append((due, pass_, entry, self.lines, cached))
            self.lines = []

    def leave(self):
        """The oldest window, or end of a stream, leaves."""
        del self.windows[0], self.first_lines[0]
        self.searches.pop(self.completed, None)
        self.tries.pop(self.completed, None)
        self.completed += 1

    def verdict(self, cycle):
        """Returns the verdict that is due, or None."""
        if not self.under_way or self.under_way[0][0] > cycle:
            return None
        _, started, entry, lines, cached = self.under_way.pop(0)
        in_order, slot = started["turn"] == self.turn, started["slot"]
        place = (slot - self.completed) % WINDOWS
        window, number = self.windows[place], self.completed + place
        assert window is not None
        assert entry == window[0]
        all_lines = [(self.first_lines[place] + k) % 256 for k in range(window[1])]
        ended_early = lines != all_lines
        if ended_early:
            assert lines[:-1] == all_lines[: len(lines) - 1]
            assert lines[-1] in all_lines[len(lines) - 2 : len(lines)]
        (search,) = started["searches"]
        answers = self.answers.setdefault(entry, [0])
        if number in self.searches:
            assert not cached
            assert search == self.searches[number]
        else:
            pivot = search.pop("pivot")
            assert cached or pivot in answers[-1 - self.ahead :]
            assert search == {"low": 0, "high": (1 << WIDTH) - 1, "tries": 0}
            search["pivot"] = pivot
        was_found = self.tries.get(number, 0) == window[2]
        tries = self.tries.get(number, 0) + (not was_found)
        is_found = tries == window[2]
        result = {name: self.rng.getrandbits(WIDTH) for name in ("pivot", "low", "high")}
        result = (search if was_found else result) | {"tries": tries}
        if in_order:
            assert place == 0
            assert not ended_early
            self.turn ^= not is_found
        if in_order and is_found:
            answers.append(result["pivot"])
            self.leave()
        elif not ended_early:
            self.searches[number], self.tries[number] = result, tries
        self.counted += not was_found and not ended_early
        head = {"found": int(is_found), "in_order": int(in_order), "slot": slot}
        return head | {"searches": [result]}


def run(windows, rng, delay, stall_in=0.0, stall_out=0.0, cycles=20_000, ahead=0):
    """Runs the windows; returns the Kernels and the number of cycles."""
    dut = WindowPasses(PLAN, LINE)
    lines, first_lines = [], []
    for window in windows:
        first = len(lines)
        first_lines.append(first)
        if window is None:
            lines.append(line_of(0, 1, end=1))
            continue
        entry, count, _, *cached = window
        info = {"ahead": ahead, "cached": int(bool(cached))}
        lines += [line_of(first + k, int(k == count - 1), entry, **info) for k in range(count)]
    kernels, counts = Kernels(windows, first_lines, rng, delay, ahead), {"passes": 0}
    rules = Rules("o")

    async def feed(ctx):
        await put(ctx, dut.i, lines, stall=stall_in, rng=random.Random(1))

    async def judge(ctx):
        cycle = 0
        while kernels.windows:
            assert cycle < cycles
            ready = rng.random() >= stall_out
            ctx.set(dut.o.ready, ready)
            verdict = kernels.verdict(cycle)
            ctx.set(dut.verdicts.valid, verdict is not None)
            if verdict is not None:
                ctx.set(dut.verdicts.p, verdict)
            counts["passes"] += ctx.get(dut.counts_pass)
            valid, line = ctx.get(dut.o.valid), ctx.get(dut.o.p)
            bits = ctx.get(dut.o.p.as_value())
            rules.sample(cycle, valid, ready, bits)
            if valid or kernels.under_way:
                assert ctx.get(dut.busy)
            begins_pass = valid and ready and not kernels.lines
            is_end = line.passenger.passenger.end
            started = None
            if begins_pass and not is_end:
                assert ctx.get(dut.started.valid)
                started = plain(ctx.get(dut.started.p))
            ctx.set(dut.started.ready, started is not None)
            if valid and ready:
                kernels.line(cycle, plain(line), lambda pass_=started: pass_)
            await ctx.tick()
            cycle += 1
        counts["cycles"] = cycle
        ctx.set(dut.verdicts.valid, 0)
        counts["passes"] += ctx.get(dut.counts_pass)
        await ctx.tick()
        assert not ctx.get(dut.busy)

    simulate(dut, feed, judge)
    assert kernels.new_lines == len(lines)
    assert counts["passes"] == kernels.counted == sum(w[2] for w in windows if w is not None)
    return kernels, counts["cycles"]


def plain(value):
    """Returns a constant of a layout as dicts and lists."""
    layout = value.shape()
    if isinstance(layout, data.ArrayLayout):
        return [_member(value[k]) for k in range(layout.length)]
    return {name: _member(value[name]) for name in layout.members}


def _member(value):
    return plain(value) if isinstance(value, data.Const) else value


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.2, 0.4)])
@pytest.mark.parametrize("entries", [pytest.param(1, marks=pytest.mark.regress), 4])
def test_windows_pass_until_they_are_found(entries, stalls):
    """Kernels of any latency; each window comes in order, complete, with the right pivots."""
    rng = random.Random(f"{entries} {stalls}")
    windows = windows_of(rng, 70, entries)
    run(windows, rng, lambda: rng.choice((1, 3, 30)), *stalls)


def test_windows_of_one_line():
    rng = random.Random(4)
    run(windows_of(rng, 60, lines=1), rng, lambda: 12)


def test_a_full_buffer_ends_a_window_whose_lines_are_outside():
    """The buffer is full in the middle of a window when the oldest window fails."""
    assert PLAN.depth < LINES * WINDOWS
    assert PLAN.depth % LINES
    windows = [(k, LINES, 2 if k == 0 else 1) for k in range(ENTRIES)]
    run(windows, random.Random(5), lambda: PLAN.depth + 20)


def test_windows_of_other_entries_do_not_wait():
    """A line in every cycle, although each verdict takes 8 cycles; one entry waits for it."""
    rng = random.Random(6)
    _, cycles = run([(k % ENTRIES, 4, 1) for k in range(40)], rng, lambda: 8)
    assert cycles <= 40 * 4 + 16
    _, cycles = run([(0, 4, 1)] * 20, rng, lambda: 8)
    assert cycles >= 20 * (4 + 8)


def test_windows_behind_one_that_fails_proceed_with_it():
    """8 windows of 4 passes take 4 times the cycles of a verdict, and not 32 times."""
    delay, windows = 30, [(k, 2, 4) for k in range(8)]
    _, cycles = run(windows, random.Random(11), lambda: delay)
    assert cycles <= 4 * (delay + 2 * len(windows))


def test_a_window_that_is_found_behind_a_slow_one_passes_again_with_it():
    """The first window takes 6 passes; the others find their answers before, and pass each time."""
    windows = [(0, 1, 6), (1, 1, 1), (2, 3, 2), (3, 1, 3)]
    kernels, _ = run(windows, random.Random(12), lambda: 20)
    assert kernels.answers.keys() == {0, 1, 2, 3}


@pytest.mark.in_turn(5)
def test_an_older_answer_may_suffice():
    """With ``ahead`` 3 a key has four windows under way, and passes are further apart with 1."""
    rng = random.Random(8)
    windows = [(0, 4, 1)] * 24
    cycles = {n: run(windows, rng, lambda: 8, ahead=n)[1] for n in (0, 1, 3)}
    assert cycles[3] <= 24 * 4 + 20
    assert cycles[3] < cycles[1] < cycles[0]
    run(windows_of(rng, 50), rng, lambda: rng.choice((1, 3, 30)), ahead=2)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("ahead", range(NEIGHBOURS))
def test_as_many_windows_ahead_as_allowed(ahead):
    """The answers take so long that each key always waits: ``ahead`` + 1 windows are under way."""
    delay, windows = 30, 40
    _, cycles = run([(0, 1, 1)] * windows, random.Random(10), lambda: delay, ahead=ahead)
    assert cycles >= windows * delay / (ahead + 1)


def test_windows_out_of_the_cache_are_sent_once():
    """A window from the cache waits for searched windows, and not for others of the cache."""
    rng = random.Random(9)
    windows = [
        (w[0], 1, 1, True) if w is not None and rng.random() < 0.6 else w
        for w in windows_of(rng, 120)
    ]
    run(windows, rng, lambda: rng.choice((1, 3, 30)), 0.2, 0.4)
    _, cycles = run([(0, 1, 1, True)] * 60, rng, lambda: 20)
    assert cycles <= 60 + 20 + 8


def test_ends_of_streams_alone():
    run([None] * (2 * WINDOWS), random.Random(7), lambda: 1)


def test_searches_of_32_passes_wait_in_order():
    """No search is taken before 32 passes are sent; the first fails, and only it can pass again."""
    dut = WindowPasses(PLAN, LINE)
    lines = [line_of(k, 1, entry=k) for k in range(WINDOWS)]
    failed = {"pivot": 9, "low": 5, "high": 12, "tries": 1}
    started_passes = []

    async def feed(ctx):
        await put(ctx, dut.i, lines)

    async def judge(ctx):
        await collect(ctx, dut.o, WINDOWS)
        started_passes.extend((await collect(ctx, dut.started, 1)).payloads)
        ctx.set(dut.verdicts.valid, 1)
        ctx.set(dut.verdicts.p, {"found": 0, "in_order": 1, "slot": 0, "searches": [failed]})
        await ctx.tick()
        ctx.set(dut.verdicts.valid, 0)
        await collect(ctx, dut.o, 1)
        ctx.set(dut.started.ready, 1)
        for _ in range(2 * WINDOWS):
            if ctx.get(dut.started.valid):
                started_passes.append(plain(ctx.get(dut.started.p)))
            await ctx.tick()

    simulate(dut, feed, judge)
    assert [pass_["turn"] for pass_ in started_passes] == [0] * WINDOWS + [1]
    assert [pass_["slot"] for pass_ in started_passes] == [*range(WINDOWS), 0]
    assert [pass_["searches"][0]["tries"] for pass_ in started_passes] == [0] * WINDOWS + [1]
