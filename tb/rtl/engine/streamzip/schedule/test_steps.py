"""Checks the steps of small streams by hand: closed windows, their lines, writes and reads."""

import numpy as np
import pytest

from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.streamzip.design import _keys
from rtl.engine.streamzip.schedule.key_stream import EMPTY, KeyStream, Life
from rtl.engine.streamzip.schedule.recent_lines import RecentLines, RecentWindows, RecentWords
from rtl.engine.streamzip.schedule.row_tuples import row_steps
from rtl.engine.streamzip.schedule.time_tuples import KeyState, time_steps
from rtl.keyed.codec.decoder_times import ONE_STEP

SCHEMA = "CREATE INPUT STREAM S (k uint(16), t uint(32), x int(64)); SELECT k, sum(x) FROM S"


class HandSplitting:
    """Splits values as a list says: a value begins a block if its number is another one."""

    is_serial, usual_work = False, ONE_STEP

    def __init__(self, numbers):
        self.numbers = numbers

    def splitter(self):
        return HandSplitter(self.numbers)


class HandSplitter:
    """Splits the values of one life."""

    def __init__(self, numbers):
        self.works, self._numbers, self._block = [], numbers, None

    def begins_block(self, index, slide):
        previous, self._block = self._block, self._numbers[index]
        return self._block != previous


def steps_of(window, keys, times=None, blocks=None, **options):
    """Returns the steps of a stream whose tuples all pass WHERE."""
    design = ENGINES["streamzip"](query=parse(f"{SCHEMA} {window};"), entries=64, **options)
    resolved, window = design.options.resolved, design.query.window
    stream = KeyStream(
        count=len(keys),
        at=np.arange(len(keys)),
        keys=np.array(keys),
        times=None if times is None else np.array(times),
        splitting=None if blocks is None else HandSplitting(blocks),
    )
    make_steps = row_steps if times is None else time_steps
    return list(make_steps(resolved, _keys(resolved), stream, window.size, window.slide))


def windows_of(steps):
    """Returns the windows of steps, without the marks of new lives."""
    windows = [(step.at, step.window) for step in steps if step.window]
    return [(at, w.first, w.count, w.lines) for at, w in windows if not w.is_announcement]


def test_windows_of_rows_lie_in_lines_of_eight():
    """Windows of 12 every 5 of one key end at 11, 16, 21 and 26, and begin at 0, 5, 10 and 15."""
    steps = steps_of("[PARTITION BY k ROWS 12 SLIDE 5]", [7] * 27)
    assert windows_of(steps) == [(11, 0, 1, 2), (16, 0, 2, 3), (21, 1, 1, 2), (26, 1, 2, 3)]
    assert [(s.at, s.write) for s in steps if s.write >= 0] == [(7, 0), (15, 1), (23, 2)]
    assert len({s.entry for s in steps}) == 1


def test_with_dram_only_each_line_is_written_and_one_in_eight_is_not_read():
    """Tuples of 40 keys in turn are farther apart than the 32 recent lines."""
    steps = steps_of("[PARTITION BY k ROWS 8 SLIDE 8]", [*range(40)] * 16, memory="dram-only")
    assert all(step.write >= 0 for step in steps)
    assert sum(step.update >= 0 for step in steps) == 40 * 14
    near = steps_of("[PARTITION BY k ROWS 8 SLIDE 8]", [*range(30)] * 16, memory="dram-only")
    assert not any(step.update >= 0 for step in near)


def test_tuples_that_where_leaves_out_take_places_of_the_lines_that_are_kept():
    """With 25 keys in turn a tuple comes 25 tuples after its key's last, or 50 with gaps."""
    design = ENGINES["streamzip"](
        query=parse(f"{SCHEMA} [PARTITION BY k ROWS 8 SLIDE 8] WHERE x > 0;"),
        entries=64,
        memory="dram-only",
    )
    built, keys = design.options.resolved, np.array([*range(25)] * 16)
    for gap, updates in ((1, 0), (2, 25 * 14)):
        stream = KeyStream(count=gap * len(keys), at=gap * np.arange(len(keys)), keys=keys)
        steps = list(row_steps(built, _keys(built), stream, 8, 8))
        assert [step.at for step in steps] == list(range(gap * (len(keys) - 1) + 1))
        assert sum(step.entry == EMPTY for step in steps) == (gap - 1) * (len(keys) - 1)
        assert sum(step.update >= 0 for step in steps) == updates


def test_the_engine_takes_one_tuple_in_a_cycle_also_of_those_that_where_leaves_out():
    """The bus carries four tuples in a beat, and WHERE passes one of three."""
    design = ENGINES["streamzip"](
        query=parse(f"{SCHEMA} [PARTITION BY k ROWS 8 SLIDE 8] WHERE x > 0;"), entries=64
    )
    at = np.arange(0, 3000, 3)
    stream = KeyStream(count=3000, at=at, keys=at % 20)
    prediction = design.predict(stream=stream, gaps=(0.25, 0.25)).tuples_per_cycle
    assert prediction == pytest.approx(1, rel=0.01)


def test_a_key_that_is_thrown_out_begins_anew():
    """Each key after the 64th evicts another: windows of 2 close only for the remaining keys."""
    steps = steps_of("[PARTITION BY k ROWS 2 SLIDE 1]", [*range(200)] * 2)
    assert sum(step.window is not None for step in steps) < 200


def test_a_key_that_returns_after_an_eviction_begins_a_block():
    """Finds two keys that share one of the 64 entries of a table with one way.

    Each arrival of the two keys in turn evicts the other, so each begins a life and a block.
    """
    window, options = "[PARTITION BY k ROWS 2 SLIDE 1]", {"codec": "base-delta", "ways": 1}
    entries = {}
    for step, key in zip(
        steps_of(window, [*range(200)], blocks=[0] * 200, **options), range(200), strict=True
    ):
        entries.setdefault(step.entry, []).append(key)
    one, other = next(keys for keys in entries.values() if len(keys) > 1)[:2]
    steps = steps_of(window, [one, one, other, one, one, one], blocks=[4] * 6, **options)
    windows = [
        (s.at, s.window.first, s.window.count, s.window.growing)
        for s in steps
        if s.window and not s.window.is_announcement
    ]
    assert windows == [(1, 0, 0, 2), (4, 0, 0, 2), (5, 0, 0, 3)]
    assert [s.at for s in steps if s.window and s.window.is_announcement] == [0, 2, 3]


def test_windows_of_time_as_in_the_example_of_key_times():
    """RANGE 10, SLIDE 4, 4 marks: the tuples at 13, 18 and 29 close windows from these places."""
    state = KeyState(64, Life())
    result = [
        state.take(u // 4, max(0, (u - 10) // 4 + 1), 10 // 4 // 4 + 1, 1)
        for u in (1, 5, 3, 9, 13, 18, 29)
    ]
    assert result == [[], [], [], [], [(0, 0)], [(1, 1), (2, 3)], [(3, 4), (4, 5)]]
    assert state.take(4, 2, 1, 1) is None  # late
    assert state.is_late(2)


def test_windows_of_time_of_each_key():
    """Tuples of a key come at 0, 10, 20, ...: with RANGE 40 SLIDE 20 the tuple at 40 closes window
    0.

    A value of 64 bits needs its slide's number as well, so a line has 4 values.
    """
    times = [10 * k for k in range(12)]
    steps = steps_of("[PARTITION BY k RANGE 40 SLIDE 20 WATTR t]", [3] * 12, times)
    closers = [step.at for step in steps if step.window]
    assert closers == [4, 6, 8, 10]
    assert [step.at for step in steps if step.write >= 0] == [3, 7, 11]


def test_a_window_of_blocks_begins_with_the_block_of_its_first_value():
    """Blocks have 6 values: the window of values 5 to 12 needs blocks 0 to 2, the next window 1 and
    2.
    """
    blocks = [k // 6 for k in range(14)]
    window = "[PARTITION BY k ROWS 8 SLIDE 1]"
    steps = steps_of(window, [5] * 14, blocks=blocks, codec="base-delta")
    result = steps[12].window
    assert (result.first, result.count, result.lines, result.following) == (0, 2, 3, 1)
    assert [(s.at, s.write) for s in steps if s.write >= 0] == [(6, 0), (12, 1)]


def test_the_next_window_of_time_begins_with_the_first_block_of_its_slides():
    """Blocks 0 to 6 have one value each, in the slides 0, 1, 0, 2, 3, 4 and 7.

    RANGE 10, SLIDE 4: the tuple at 13 closes window 0, that at 18 windows 1 and 2, that at 29
    windows 3 and 4. With one mark window 2 has the head of window 1, and needs blocks 3 and 4 only.
    """
    window, times = "[PARTITION BY k RANGE 10 SLIDE 4 WATTR t]", [1, 5, 3, 9, 13, 18, 29]
    steps = steps_of(window, [5] * 7, times, [*range(7)], codec="base-delta", marks=1)
    assert windows_of(steps) == [
        (4, 0, 3, 4),
        (5, 1, 4, 3),
        (5, 1, 4, 2),
        (6, 4, 5, 2),
        (6, 5, 5, 1),
    ]
    following = [s.window.following for s in steps if s.window and not s.window.is_announcement]
    assert following == [1, 3, 4, 5, 5]
    assert [(s.at, s.write) for s in steps if s.write >= 0] == [(k, k - 1) for k in range(1, 7)]


def test_a_late_tuple_leaves_the_blocks_of_its_key():
    """The tuple at 2 comes after window 0 is closed, and the tuples after it share block 3."""
    window, times = "[PARTITION BY k RANGE 10 SLIDE 4 WATTR t]", [1, 13, 2, 17, 17, 18]
    steps = steps_of(window, [5] * 6, times, [0, 1, 2, 3, 3, 3], codec="base-delta")
    assert [(s.at, s.write) for s in steps if s.write >= 0] == [(1, 0), (3, 1)]


@pytest.mark.parametrize(("others", "missing"), [(63, 0), (64, 2)])
def test_words_that_have_a_slot_are_not_read(others, missing):
    """Lines of 8 items, two in a word: only full words of other keys take the 64 slots."""
    words = RecentWords(8, second_line=False)
    # A key in a row: the last word of line 0 has no slot.
    assert [words.read(1, place, 0, closes=place == 3) for place in range(8)] == [0] * 8
    assert [words.read(1, place, 1, closes=False) for place in range(4)] == [0] * 4
    for other in range(100):
        words.read(2 + other, 0, 0, closes=False)  # half a word
    for other in range(others):
        words.read(2 + other, 1, 0, closes=False)
    assert words.read(1, 5, 1, closes=True) == missing


@pytest.mark.parametrize(("line", "count"), [(1, 6), (2, 8)])
def test_words_of_both_lines_are_read_in_one_burst(line, count):
    """In the first of two places of the memory, that of even lines, all four words are read."""
    words = RecentWords(4, second_line=True)
    for place in range(4):
        words.read(1, place, line - 1, closes=False)
    for place in range(2):
        words.read(1, place, line, closes=False)
    for other in range(64):
        words.read(2 + other, 0, 0, closes=False)
    # A step that does not store its tuple gives no word a slot, so the next step reads as well.
    steps = [{"closes": True, "reaches_back": back, "stores": False} for back in (True, False)]
    assert [words.read(1, 2, line, **step) for step in steps] == [count, 2]
    assert words.read(1, 2, line, closes=True, reaches_back=True) == count


def test_lines_and_windows_that_are_near():
    lines = RecentLines()
    assert [lines.update(0, line, fresh=False) for line in (4, 4, 5)] == [4, -1, 5]
    one, two, windows = Life(), Life(), RecentWindows(1)

    def hit(life):
        windows.store(life)
        return windows.hit(life, 2, own=1)

    assert not hit(one)
    assert windows.claims
    assert [hit(one), hit(one)] == [True, True]
    assert not windows.claims
    assert not hit(two)
    assert windows.claims
    assert not hit(one)
    # A window that closes before its closing value: the place is claimed without a value.
    two_values = [windows.hit(two, 1), windows.hit(two, 1)]
    windows.store(two)
    assert [*two_values, windows.hit(two, 1)] == [False, False, True]
