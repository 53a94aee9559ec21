"""Yields the engine's steps for windows of rows: closed windows, lines read and written."""

from rtl.engine.streamzip.schedule.key_stream import EMPTY, Life, Step, Window
from rtl.engine.streamzip.schedule.pivot_searches import PivotSearches
from rtl.engine.streamzip.schedule.recent_lines import RecentLines, RecentWindows, RecentWords
from rtl.engine.streamzip.schedule.sorted_cells import SortedCells
from rtl.keyed.table.key_places import KeyPlaces


def row_steps(options, keys, stream, size, slide):
    """Yields a :class:`Step` for each tuple of ``[PARTITION BY k ROWS size SLIDE slide]``.

    A tuple that WHERE leaves out takes a place in each queue, so it makes an empty step.

    Tuple n of a key, counted from 0, closes a window when n + 1 is ``size`` plus a multiple of
    ``slide``. Without a codec the tuple lies at place n % items of line n // items, modulo the
    lines of the ring.

    Parameters
    ----------
    options : Options
        Resolved.
    keys : KeyedPlan
    stream : KeyStream
    size, slide : int
    """
    places = KeyPlaces(stream.keys, options.query.key.type.width, options.entries, options.ways)
    lives = {}
    step_of = coded_step if options.coding.ring is not None else plain_step
    near = Near(options, keys)
    previous_at = -1
    searches = searches_of(keys, stream)
    for k, (entry, fresh) in enumerate(places.tuples()):
        yield from near.empty_steps(previous_at + 1, int(stream.at[k]))
        previous_at = int(stream.at[k])
        life = new_life(stream) if fresh else lives[entry]
        lives[entry] = life
        number = life.tuples
        life.tuples += 1
        begin = number - size + 1
        closes = begin >= 0 and begin % slide == 0
        step = step_of(near, stream, k, entry, life, number, closes, size, slide)
        if searches is not None:
            life.indices.append(k)
            if closes:
                step.window.search = searches.window(life, begin, number + 1)
        yield step


def new_life(stream):
    """Returns the life of a key whose first tuple arrives."""
    return Life() if stream.splitting is None else Life(stream.splitting.splitter())


def searches_of(keys, stream):
    """Returns the searches for the percentiles of a stream; None without pivots or ranks."""
    if keys.pivots is None or stream.ranks is None:
        return None
    return PivotSearches(stream.ranks, keys.pivots)


class Near:
    """Holds the sizes of lines and rings, and models of the memories near the pipeline.

    Attributes
    ----------
    items, ring_lines : int
        Number of items of a line, and number of lines of a ring.
    each : bool
        True if each tuple writes its line, as with dram-only; else only a full line is written.
    earlier_lines : int
        Number of lines that M2 holds besides the line being filled.
    joined : bool
        True if one step has both a value and the last window of time that the value closes.
    """

    def __init__(self, options, keys):
        self.items = keys.line.items
        self.ring_lines = keys.lines.ring_lines
        self.each = keys.memory == "dram-only"
        self.earlier_lines = keys.m2.lines - 1
        self.lines = RecentLines()
        m2 = keys.m2
        self.words = RecentWords(self.items, m2.has_previous_line) if m2.has_words_outside else None
        self.cache = options.coding.cache
        ring = options.coding.ring
        self.joined = ring is not None and ring.joined
        self.windows = RecentWindows(self.cache.keys)
        self.sorted = None
        if self.cache.keys and self.cache.sorting is not None:
            self.sorted = SortedCells(self.cache.lanes, self.cache.lines // 2)

    def sort(self, life, size, closes):
        """Returns the cycles that a value of windows of rows takes in the cache's sorted values."""
        if self.sorted is None or not self.windows.has(life):
            return 0
        return self.sorted.enter(life, size, closes and self.windows.claims)

    def sort_times(self, life, **change):
        """Returns the cycles that a value or window of time takes in the cache's sorted values."""
        if self.sorted is None or not self.windows.has(life):
            return 0
        return self.sorted.change(life, **change)

    def cached_window(self, values, life=None, following=0):
        """Returns a window of the cache; with a codec the collector reports block ``following``."""
        lines = self.cache.lines_of(values)
        return Window(0, 0, lines, values, life, following, cached=True)

    def empty_steps(self, begin, end):
        """Yields the steps of the tuples ``begin`` to ``end`` - 1, which WHERE leaves out."""
        for number in range(begin, end):
            self.lines.skip()
            yield Step(number, EMPTY)


def plain_step(near, stream, k, entry, life, number, closes, size, slide):
    """Returns the step of a tuple without a codec: its line holds ``near.items`` values."""
    line, place = divmod(number, near.items)
    first = (number - size + 1) // near.items
    earlier = line - first
    step = Step(int(stream.at[k]), entry)
    near.windows.store(life)
    if closes and near.windows.hit(life, size, own=1):
        step.window = near.cached_window(size)
    elif closes:
        read = max(0, earlier - near.earlier_lines)
        step.window = Window(first % near.ring_lines, read, earlier + 1, size)
    step.sorting = near.sort(life, size, closes)
    if near.each:
        step.write = line % near.ring_lines
        step.update = near.lines.update(
            entry, step.write, place == 0 and earlier != near.ring_lines
        )
    elif place == near.items - 1:
        step.write = line % near.ring_lines
    if near.words is not None:
        reaches_back = closes and not step.window.cached and earlier > 0
        step.words = near.words.read(entry, place, line, closes=closes, reaches_back=reaches_back)
    return step


def coded_step(near, stream, k, entry, life, number, closes, size, slide):
    """Returns the step of a tuple with a codec; a full block is written with the next value."""
    step = Step(int(stream.at[k]), entry)
    begins_block = life.stores(number, k)
    block = len(life.block_begins) - 1
    if begins_block and block:
        step.write = (block - 1) % near.ring_lines
        step.life = life
        step.growing_block = block
    near.windows.store(life)
    begin = number - size + 1
    following = block_of(life, min(number, begin + slide)) if closes else 0
    if closes and near.windows.hit(life, size, own=1):
        step.window = near.cached_window(size, life, following)
    elif closes:
        first = block_of(life, begin)
        lines = block - first + 1
        growing = number + 1 - life.block_begins[-1]
        window = Window(first, block, lines, size, life, following, growing)
        window.claims = near.windows.claims
        step.window = window
    elif number == 0:
        step.window = announcement()
    step.sorting = near.sort(life, size, closes)
    return step


def announcement():
    """Returns the window that stands for the first value of a life."""
    return Window(0, 0, 0, 0, is_announcement=True)


def block_of(life, number):
    """Returns the block of a life that holds value ``number`` of the life."""
    low = 0
    high = len(life.block_begins)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if life.block_begins[middle] <= number else (low, middle)
    return low
