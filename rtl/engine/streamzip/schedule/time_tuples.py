"""Yields the engine's steps for windows of time: closed windows, lines read and written."""

from itertools import zip_longest

from rtl.engine.streamzip.schedule.key_stream import Step, Window
from rtl.engine.streamzip.schedule.row_tuples import (
    Near,
    announcement,
    block_of,
    new_life,
    searches_of,
)
from rtl.keyed.table.key_places import KeyPlaces


def time_steps(options, keys, stream, size, slide):
    """Yields the :class:`Step` objects of ``[PARTITION BY k RANGE size SLIDE slide]``.

    Each key has the state that :class:`~rtl.keyed.windows.key_times.KeyTimes` describes: the next
    window to be closed, the newest slide, the place of the head and the marks behind it. A tuple
    makes a step for each window that it closes, and the step of the last window also stores its
    item. The item has a step of its own in three cases: the tuple closes no window; there is a
    codec without a cache; or the item's line takes the place in the ring of the first line of the
    last window. For instance a tuple that closes windows 3 and 4 makes two steps, the second with
    the item, and in the last two cases three steps.

    A tuple that is dropped, because it is late or the ring is full, makes an empty step. So does a
    tuple that WHERE leaves out, and a tuple from before the start.

    Parameters
    ----------
    options : Options
        Resolved.
    keys : KeyedPlan
    stream : KeyStream
    size, slide : int
    """
    positions = (stream.times >= 0).nonzero()[0].tolist()
    names = stream.keys[positions]
    places = KeyPlaces(names, options.query.key.type.width, options.entries, options.ways)
    states = {}
    near = Near(options, keys)
    coded = options.coding.ring is not None
    key_times = options.kind.times
    spacing = size // slide // key_times.marks + 1
    previous_at = -1
    searches = searches_of(keys, stream)
    for k, (entry, fresh) in zip(positions, places.tuples(), strict=True):
        if fresh:
            states[entry] = KeyState(room_of(options), new_life(stream))
        state = states[entry]
        at = int(stream.at[k])
        moment = int(stream.times[k])
        yield from near.empty_steps(previous_at + 1, at)
        previous_at = at
        own_slide = moment // slide
        first_open = max(0, (moment - size) // slide + 1)
        closed = state.take(own_slide, first_open, spacing, key_times.items)
        if closed is None:
            near.lines.skip()
            yield Step(at, entry)
            continue
        if coded:
            steps = _coded(near, stream, state, k, at, entry, closed, own_slide)
        else:
            steps = _plain(near, state, at, entry, closed, own_slide)
        if searches is not None:
            # A step of the item alone comes last, and has no window to search.
            for step, (_, head) in zip(steps, closed, strict=False):
                step.window.search = searches.window(state.life, head, state.place - 1)
            state.life.indices.append(k)
        yield from steps


def room_of(options):
    """Returns the number of tuples that a ring holds, counted from the line of the oldest head on.

    The oldest head is the head of the oldest open window. In a store of blocks one place stays free
    for the block that is being closed.
    """
    return options.kind.times.places - (options.coding.ring is not None)


class KeyState:
    """Models the state of a key: its windows of time, and the places of their tuples.

    Parameters
    ----------
    room : int
        Number of tuples that a ring holds (:func:`room_of`).
    life : Life
        As the attribute.

    Attributes
    ----------
    place : int
        Number of accepted tuples. Modulo the places of the ring it is the place of the next tuple.
    next_head : int
        Place of the head of the next window to be closed, as of the last accepted tuple.
    life : Life
        Life of the key in the table; with a codec it has the blocks of the key's tuples.
    slides : list of int
        Slide of the values of each block, with a codec.
    """

    def __init__(self, room, life):
        self.place = 0
        self._room = room
        self._used = False
        self._next = 0
        self._newest = 0
        self._head = 0
        self._marks = []
        self.life = life
        self.next_head = 0
        self.slides = []

    def is_late(self, first):
        """Returns True if a tuple is late that closes all windows with numbers below ``first``."""
        return self._used and first < self._next

    def take(self, slide, first, spacing, items):
        """Accepts a tuple of a slide that closes all windows with numbers below ``first``.

        A line has ``items`` items, and ``spacing`` slides lie between two marks. Returns (number of
        the window, place of its head) of each closed window that has tuples, in order, or None when
        the tuple is dropped; a dropped tuple leaves the state unchanged.
        """
        if self.is_late(first):
            return None
        empties = not self._used or first > self._newest
        begins = self._used and self.place % items == 0
        behind = self._head_of(first)
        full = (self.place - behind // items * items) >= self._room
        if begins and full and not empties:
            return None
        last = min(first - 1, self._newest) if self._used else -1
        closed = [(window, self._head_of(window)) for window in range(self._next, last + 1)]
        self.next_head = self.place if empties else self._head_of(last + 1)
        self._move(slide, first, spacing, empties, behind)
        return closed

    def _move(self, slide, first, spacing, empties, behind):
        """Updates the state for an accepted tuple."""
        if empties:
            self._head = self.place
            self._marks = []
            self._newest = slide
        else:
            self._head = behind
            self._marks = [(place, number) for place, number in self._marks if number > first]
            raises = slide > self._newest
            number = self._newest + 1
            if raises and (not self._marks or number - self._marks[-1][1] >= spacing):
                self._marks.append((self.place, number))
            self._newest = max(slide, self._newest)
        self._used = True
        self._next = first
        self.place += 1

    def _head_of(self, window):
        """Returns the earliest place at which a tuple of a window may lie."""
        head = self._head
        for place, number in self._marks:
            if number <= window:
                head = place
        return head


def _plain(near, state, at, entry, closed, slide):
    """Returns the steps of a tuple without a codec."""
    number = state.place - 1
    line, place = divmod(number, near.items)
    # The item's line takes the place in the ring of the first line of the last window.
    full = bool(closed) and not place and line - closed[-1][1] // near.items == near.ring_lines
    steps = [Step(at, entry) for _ in closed]
    for step, (window, head) in zip(steps, closed, strict=True):
        size = max(1, number - head)
        if near.windows.hit(state.life, size):
            step.window = near.cached_window(size)
        step.sorting = near.sort_times(
            state.life,
            claims=near.windows.claims,
            closes=window,
            hit=step.window is not None,
            slide=slide if step is steps[-1] and not full else None,
        )
        if step.window is not None:
            continue
        earlier = line - head // near.items
        read = max(0, earlier - near.earlier_lines)
        # The closing tuple is not in the window, hence ``number - head`` values. The line being
        # filled passes the kernels in any case, even if the closing tuple begins the line, so that
        # the line has no value of the window.
        step.window = Window(head // near.items % near.ring_lines, read, earlier + 1, size)
    near.windows.store(state.life)
    item = Step(at, entry) if full or not steps else steps[-1]
    if item not in steps:
        item.sorting = near.sort_times(state.life, slide=slide)
    if near.each:
        fresh = place == 0
        for step in steps:
            if place != 0 or step is item:
                step.update = near.lines.update(entry, line % near.ring_lines, fresh)
            else:
                near.lines.skip()
        item.write = line % near.ring_lines
        if item not in steps:
            item.update = near.lines.update(entry, item.write, fresh)
    elif place == near.items - 1:
        item.write = line % near.ring_lines
    all_steps = steps if item in steps else [*steps, item]
    if near.words is not None:
        for step, (_, head) in zip_longest(all_steps, closed, fillvalue=(None, None)):
            closes = head is not None
            step.words = near.words.read(
                entry,
                place,
                line,
                closes=closes,
                reaches_back=closes and not step.window.cached and head // near.items < line,
                stores=step is item,
            )
    return all_steps


def _coded(near, stream, state, k, at, entry, closed, slide):
    """Returns the steps of a tuple with a codec: its windows, and its value.

    The value has a step of its own, or with a cache the step of the last window.

    All values of a block are in one slide, so each block is in a window as a whole or not at all.
    For each window the data collector feeds back where the next window begins: at the first block,
    from the next window's head on, whose slide is in the next window, else at the growing block.
    For instance with blocks of the slides 0, 1, 0, 2, of which block 3 grows, and a head in block 0
    for windows 1 and 2: blocks 1 and 3 pass the kernels for window 1, and block 3 is fed back as
    the first block of window 2.
    """
    life = state.life
    number = state.place - 1
    block = len(life.block_begins) - 1
    heads = [*(head for _, head in closed[1:]), state.next_head] if closed else []
    steps = []
    for (window, head), next_head in zip(closed, heads, strict=True):
        first_block = block_of(life, head)
        following = block_of(life, next_head)
        lines = 1 + sum(block_slide >= window for block_slide in state.slides[first_block:block])
        while following < block and state.slides[following] <= window:
            following += 1
        step = Step(at, entry)
        values = max(1, number - head)
        steps.append(step)
        if near.windows.hit(life, values):
            step.window = near.cached_window(values, life, following)
        claims = near.windows.claims
        hit = step.window is not None
        stored = slide if near.joined and len(steps) == len(closed) else None
        step.sorting = near.sort_times(life, claims=claims, closes=window, hit=hit, slide=stored)
        if hit:
            continue
        growing = number - life.block_begins[-1]
        step.window = Window(
            first_block, block, lines, values, life, following, growing, state.slides, window
        )
        step.window.claims = near.windows.claims
    near.windows.store(life)
    item = steps[-1] if steps and near.joined else Step(at, entry)
    if item not in steps:
        item.sorting = near.sort_times(life, slide=slide)
    if life.stores(number, k, slide):
        state.slides.append(slide)
        if block < 0:
            item.window = announcement()
        else:
            item.write = block % near.ring_lines
            item.life = life
            item.growing_block = block + 1
    return steps if item in steps else [*steps, item]
