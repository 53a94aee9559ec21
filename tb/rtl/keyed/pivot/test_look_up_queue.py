"""Checks the queue of windows against a list, and that each window is offered as soon as it may."""

import random
from collections import namedtuple

import pytest

from rtl.keyed.pivot.look_up_queue import LookUpQueue
from rtl.keyed.pivot.pivot_plan import WINDOWS
from tb.bench.unit import simulate

ENTRIES, NEIGHBOURS = 5, 4
Window = namedtuple("Window", ("entry", "ahead", "cached", "end"), defaults=(0, 0, 0))


class ListOfWindows:
    """A model: windows that are not complete, the oldest first, and how many are sent.

    ``completed`` windows and ends came before them.
    """

    def __init__(self):
        self.windows, self.sent, self.completed = [], 0, 0

    def next_window(self):
        """Returns the next window to take, or None."""
        return self.windows[self.sent] if self.sent < len(self.windows) else None

    def may_leave(self):
        """Returns whether the next window need not wait."""
        window, earlier = self.windows[self.sent], self.windows[: self.sent]
        if window.end:
            return True
        if window.cached:
            return all(other.cached or other.end for other in earlier)
        of_entry = [other for other in earlier if other.entry == window.entry and not other.end]
        return len(of_entry) <= window.ahead


def run(windows, rng, *, completes=0.3, restarts=0.0, stall_in=0.0, stall_out=0.0, patience=3):
    """Runs the windows; returns the number of cycles.

    In each cycle the oldest window is complete with the probability ``completes`` if it is sent,
    and all windows start again with ``restarts``. A window that may leave must be offered after
    ``patience`` cycles.
    """
    dut, model, unsent = LookUpQueue(ENTRIES, NEIGHBOURS), ListOfWindows(), list(windows)
    result = {}

    async def bench(ctx):
        cycle = unoffered = 0
        while unsent or model.windows:
            assert cycle < 50_000
            offers = bool(unsent) and rng.random() >= stall_in
            ctx.set(dut.i.valid, offers)
            if offers:
                ctx.set(dut.i.p, unsent[0]._asdict())
            ready = rng.random() >= stall_out
            ctx.set(dut.o.ready, ready)
            valid = ctx.get(dut.o.valid)
            window = model.next_window()
            if valid:
                assert window is not None
                assert model.may_leave()
                offered = ctx.get(dut.o.p)
                assert offered.end == window.end
                assert offered.slot == (model.completed + model.sent) % WINDOWS
                assert window.end or offered.entry == window.entry
            unoffered = (
                unoffered + 1 if window is not None and model.may_leave() and not valid else 0
            )
            assert unoffered <= patience
            assert ctx.get(dut.busy) == bool(model.windows)
            sent = model.sent + (valid and ready)
            complete = sent > 0 and rng.random() < completes
            again = not complete and rng.random() < restarts
            if model.windows and not model.windows[0].end:
                assert ctx.get(dut.oldest) == model.windows[0].entry
            ctx.set(dut.complete, complete)
            ctx.set(dut.restarts, again)
            enters = offers and ctx.get(dut.i.ready)
            assert ctx.get(dut.i.ready) == (len(model.windows) < WINDOWS)
            model.sent = 0 if again else sent
            unoffered = 0 if again else unoffered
            if complete:
                model.windows.pop(0)
                model.sent -= 1
                model.completed += 1
            if enters:
                model.windows.append(unsent.pop(0))
            await ctx.tick()
            cycle += 1
        result["cycles"] = cycle
        assert not ctx.get(dut.busy)

    simulate(dut, bench)
    return result["cycles"]


def windows_of(rng, count, *, cached=0.2, ends=0.1):
    return [
        Window(rng.randrange(ENTRIES), end=1)
        if rng.random() < ends
        else Window(rng.randrange(ENTRIES), rng.randrange(NEIGHBOURS), int(rng.random() < cached))
        for _ in range(count)
    ]


@pytest.mark.in_turn
@pytest.mark.parametrize("restarts", [0.0, 0.05])
@pytest.mark.parametrize("stalls", [(0.0, 0.0), (0.3, 0.4)])
def test_windows_are_those_of_a_list(stalls, restarts):
    """Each window in order, as soon as it may leave and not before."""
    rng = random.Random(f"{stalls} {restarts}")
    for completes in (0.05, 0.3, 0.9):
        windows = windows_of(rng, 100)
        options = {"stall_in": stalls[0], "stall_out": stalls[1], "restarts": restarts}
        run(windows, rng, completes=completes, **options)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("cached", [0.0, 0.8, 1.0])
def test_one_entry(cached):
    """Up to 32 windows of the same entry, most of them from the cache."""
    rng = random.Random(int(10 * cached))
    windows = [w._replace(entry=1) for w in windows_of(rng, 150, cached=cached, ends=0.0)]
    run(windows, rng, completes=0.1, restarts=0.02)


def test_a_window_in_every_cycle():
    """Latency 3 cycles, and no cycle is lost, if no window waits."""
    windows = [Window(k % ENTRIES, NEIGHBOURS - 1) for k in range(100)]
    assert run(windows, random.Random(1), completes=1.0) == 100 + LookUpQueue.latency


@pytest.mark.parametrize(
    ("earlier", "waiting"),
    [
        ([Window(1)], Window(1)),
        ([Window(1), Window(1)], Window(1, ahead=1)),
        ([Window(2)], Window(1, cached=1)),
    ],
)
def test_a_window_that_waits_leaves_2_cycles_after_the_answer(earlier, waiting):
    dut, complete_at, offered = LookUpQueue(ENTRIES, NEIGHBOURS), 20, []
    windows = [*earlier[:1], *(window._replace(ahead=1) for window in earlier[1:]), waiting]

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        for cycle in range(complete_at + 10):
            ctx.set(dut.i.valid, cycle < len(windows))
            if cycle < len(windows):
                ctx.set(dut.i.p, windows[cycle]._asdict())
            ctx.set(dut.complete, cycle == complete_at)
            if ctx.get(dut.o.valid):
                offered.append(cycle)
            await ctx.tick()

    simulate(dut, bench)
    assert len(offered) == len(windows)
    assert offered[-2] < complete_at
    assert offered[-1] == complete_at + 2


def test_a_window_waits_for_its_own_pass():
    """Window 1 of 3 is under way after a restart; it leaves in the cycle after its bit is low."""
    dut, low_at, offered = LookUpQueue(ENTRIES, NEIGHBOURS), 20, []

    async def bench(ctx):
        ctx.set(dut.o.ready, 1)
        for cycle in range(low_at + 10):
            ctx.set(dut.i.valid, cycle < 3)
            if cycle < 3:
                ctx.set(dut.i.p, Window(cycle)._asdict())
            ctx.set(dut.restarts, cycle == 8)
            ctx.set(dut.awaits_verdict, 2 if 8 <= cycle < low_at else 0)
            if cycle > 8 and ctx.get(dut.o.valid):
                offered.append((cycle, ctx.get(dut.o.p).slot))
            await ctx.tick()

    simulate(dut, bench)
    assert [slot for _, slot in offered] == [0, 1, 2]
    cycles = [cycle for cycle, _ in offered]
    assert cycles[0] < low_at
    assert cycles[1:] == [low_at + 1, low_at + 2]
