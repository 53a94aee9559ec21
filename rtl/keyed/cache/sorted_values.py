"""Keeps the values of cached keys in order, and reads the percentiles of their windows."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.keyed.cache.rank_cells import RankCells
from rtl.keyed.cache.sorted_line import LineMoves, added, count_to_three, from_first
from rtl.stream.beat import build, split
from rtl.stream.queue import StreamQueue

#: Capacity of the queue of percentiles; a place is reserved for each window.
QUEUED_PERCENTILES = 64


class SortedValues(wiring.Component):
    """Keeps the values of each place of the cache in order, and reads the percentiles of windows.

    ::

        i --> change --> one line of cells after the other --> cells of the ranks --> queue --> o
                           ^                      |
                           +---- lines of cells <-+

    The cells of a place have its values, from the least to the greatest, without gaps; equal values
    lie in any order. A *change* passes all lines that have values, one in a cycle: a new value
    enters, an old one leaves, and the cells between them move by one
    (:class:`~rtl.keyed.cache.sorted_line.LineMoves`). **When a window is answered, the cells have
    exactly the values of the window**, so the percentile of rank r is the content of cell r - 1.
    For instance windows of 4 values, with lines of 2 cells, when 6 arrives and 8 leaves::

        2 5 | 8 9     2 5 | 6 9     the median has rank 2: 5

    *Windows of rows.* A cell has the number of its value. Once a place has as many values as a
    window, with each new value the oldest value leaves.

    *Windows of time.* A cell has the stamp of its value. When a window closes, its cells are read,
    and all values of its first slide are marked as *expired*, because no later window has them.
    With each change one expired value leaves. If the cells have several expired values when a
    window needs an answer, each further one takes one more pass of the lines. The value that closes
    a window is not in the window.

    When a key claims the place, the change passes all lines of the place and frees their cells.

    Order is kept. Latency from a change to the percentiles 4 cycles, and one for each further line
    of its passes.
    Initiation interval one cycle for each line in each pass. A pass covers the lines with values,
    and a line more if these are full and the next value needs a free cell. A stall at ``o`` stalls
    ``i`` when the queue is full.

    Parameters
    ----------
    plan : CachePlan
        With ``sorting``.

    Members
    -------
    i : In(stream.Signature(self.layout(plan)))
        ``place``. ``stored``: a value enters, with ``value``, an unsigned number in the order of
        the values (:func:`rtl.stream.order.rank`), and ``tag``, its number or its stamp. With
        windows of rows each change has ``stored``. ``oldest``, with windows of rows: number of the
        value that leaves if the place has as many values as a window. ``claims``: earlier values of
        the place do not count. ``closes``: a window closes; with windows of rows it has ``size``
        values, with windows of time the component counts them itself. ``window``: lowest bits of
        the number of the window's first slide. ``hit``: the window needs an answer.
    o : Out(stream.Signature(plan.sorting.percentiles))

    Source: ours.
    """

    initiation_interval = 1
    latency = 4

    def __init__(self, plan):
        self._plan = plan
        self._has_stamps = plan.item.membership is not None
        mark = {"expired": 1} if self._has_stamps else {}
        value = {"value": plan.sorting.width, "tag": self.tag_of(plan)}
        self._cell = data.StructLayout({"used": 1, **value, **mark})
        self._lanes = plan.lanes
        self._lines = plan.values // plan.lanes
        self._lane_bits = ceil_log2(plan.lanes)
        self._ranks = RankCells(plan)
        self._queue = StreamQueue(plan.sorting.percentiles, QUEUED_PERCENTILES)
        super().__init__(
            {
                "i": In(stream.Signature(self.layout(plan))),
                "o": Out(stream.Signature(plan.sorting.percentiles)),
            }
        )

    @staticmethod
    def tag_of(plan):
        """Returns the shape of a value's tag: a stamp with windows of time, else a number."""
        return plan.number_shape if plan.item.membership is None else plan.item.stamp_bits

    @classmethod
    def layout(cls, plan):
        """Layout of the input."""
        flags = dict.fromkeys(("stored", "claims", "closes", "hit"), 1)
        value = {"value": plan.sorting.width, "tag": cls.tag_of(plan)}
        if plan.item.membership is None:
            value["oldest"] = cls.tag_of(plan)
        place = {"place": range(plan.keys)}
        return data.StructLayout({**place, **flags, **plan.window_members, **value})

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = self._queue
        self._change = Signal(self.i.p.shape(), reset_less=True)
        self._busy = Signal()
        self._line = Signal(range(self._lines))
        self._ends = Signal()
        self._drains = Signal()  # the lines are passed only to let an expired value leave
        self._enters = Signal()
        self._leaves = Signal()
        self._decide(m)
        cells, following = self._read(m)
        remaining, changed = self._pass_line(m, cells, following)
        # The value that closes a window of rows is the last value of this window. The value that
        # closes a window of time arrives after the window, so the ranks are read from the values
        # without it.
        self._answer(m, remaining if self._has_stamps else changed)
        self._accept(m)
        return m

    def _decide(self, m):
        """Decides whether a value enters, whether one leaves, and which line is the last.

        Registers of each place hold the inputs of the decision, because the path through the lines
        is long.
        """
        change = self._change
        keys = range(self._plan.keys)
        values = self._plan.values
        counts = Array(Signal(range(values + 1), name=f"count{k}") for k in keys)
        last_line = Array(Signal.like(self._line, name=f"last_line{k}") for k in keys)
        self._size = Signal(range(values + 1))  # values of the window, of rows or of time
        count = Signal.like(self._size)
        next_count = Signal.like(self._size)
        m.d.comb += [
            count.eq(Mux(change.claims, 0, counts[change.place])),
            next_count.eq(count + self._enters - self._leaves),
            self._enters.eq(change.stored & ~self._drains),
            self._ends.eq(
                self._line == Mux(change.claims, self._lines - 1, last_line[change.place])
            ),
        ]
        if self._has_stamps:
            self._next_expired = Signal(2)
            self._decide_times(m, keys)
            next_full = next_count == values
            m.d.comb += self._size.eq(count - self._leaves)
        else:
            full = Array(Signal(name=f"full{k}") for k in keys)
            next_full = next_count == change.size
            m.d.comb += [
                self._leaves.eq(full[change.place] & ~change.claims),
                self._size.eq(change.size),
            ]
        with m.If(self._busy):
            m.d.sync += self._line.eq(Mux(self._ends, 0, self._line + 1))
        with m.If(self._busy & self._ends):
            # The next value needs a free cell, unless the place is full: then another value leaves.
            cells = next_count + ~next_full
            m.d.sync += counts[change.place].eq(next_count)
            m.d.sync += last_line[change.place].eq((cells - 1) >> self._lane_bits)
            if not self._has_stamps:
                m.d.sync += full[change.place].eq(next_full)

    def _decide_times(self, m, keys):
        """Decides whether an expired value leaves, and whether the pass only serves to remove it.

        Registers have the number of expired values that the last pass of the lines counted, up to
        3, and whether one of them left in the same pass; the difference is in the cells now.
        """
        change = self._change
        counted = Array(Signal(2, name=f"counted{k}") for k in keys)
        has_removed = Array(Signal(name=f"has_removed{k}") for k in keys)
        expired_count = Signal(2)
        m.d.comb += [
            expired_count.eq(
                Mux(change.claims, 0, counted[change.place] - has_removed[change.place])
            ),
            self._drains.eq(change.hit & expired_count[1]),
            self._leaves.eq(expired_count.any()),
        ]
        with m.If(self._busy & self._ends):
            m.d.sync += counted[change.place].eq(self._next_expired)
            m.d.sync += has_removed[change.place].eq(self._leaves)

    def _read(self, m):
        """Reads the cells of the line, and the first cell of the next line.

        Returns both as a mapping of members for each cell; cells of an earlier key are free.
        """
        shape = data.ArrayLayout(self._cell, self._lanes)
        depth = self._lines << ceil_log2(self._plan.keys)
        m.submodules.lines = lines = memory.Memory(shape=shape, depth=depth, init=[])
        reader = lines.read_port(domain="comb")
        self._writer = lines.write_port()
        m.d.comb += [
            reader.addr.eq(self._address(self._line)),
            self._writer.addr.eq(self._address(self._line)),
            self._writer.en.eq(self._busy),
        ]
        cells = split(m, reader.data, "cell", deep=True)
        following = Signal(self._cell)
        if self._lines > 1:
            m.submodules.firsts = firsts = memory.Memory(shape=self._cell, depth=depth, init=[])
            reader = firsts.read_port(domain="comb")
            writer = firsts.write_port()
            next_line = (self._line + 1)[: len(self._line)]
            m.d.comb += [
                reader.addr.eq(self._address(next_line)),
                following.eq(reader.data),
                writer.addr.eq(self._address(self._line)),
                writer.data.eq(self._writer.data[0]),
                writer.en.eq(self._busy),
            ]
            with m.If(self._line == self._lines - 1):
                m.d.comb += following.used.eq(0)
        cells.append({name: following[name] for name in self._cell.members})
        cells = [{**cell, "used": cell["used"] & ~self._change.claims} for cell in cells]
        return cells[:-1], cells[-1]

    def _address(self, line):
        """Returns the address of a line of the place."""
        return Cat(line, self._change.place)

    def _pass_line(self, m, cells, following):
        """Changes a line; returns its values as two lists.

        The first list lacks the leaving value and the new value. The second list is the line after
        the change.

        The cells find the value that leaves by themselves, and ``_leaves`` tells the same from
        registers: a place is full exactly if a cell has the number ``oldest``, and with windows of
        time a value leaves exactly if a cell is expired. For instance with windows of 4 the fifth
        value, number 4, has ``oldest`` 0, which is in a cell; the fourth has -1, which is in none.
        """
        change = self._change
        lanes = self._lanes
        greater = Signal(lanes + 1)
        leavers = Signal(lanes)  # bit 0 also stands for a leaver in an earlier line
        from_leaver = Signal(lanes)  # the value that leaves is in this cell, or before
        earlier = Signal(self._cell, reset_less=True)  # the last cell of the line before
        greater_before = Signal()  # ``greater`` of the line before
        leaver_before = Signal()  # ``from_leaver`` of the line before
        all_cells = [*cells, following]
        m.d.comb += [
            greater.eq(
                Cat(~cell["used"] | (cell["value"] > change.value) for cell in all_cells)
                & self._enters.replicate(lanes + 1)
            ),
            leavers.eq(Cat(cell["used"] & self._may_leave(cell) for cell in cells) | leaver_before),
            from_leaver.eq(from_first(leavers)),
        ]
        marked = [self._mark_expired(m, cell, k) for k, cell in enumerate(all_cells)]
        first = {name: earlier[name] for name in self._cell.members}
        new = {"used": 1, "value": change.value, "tag": change.tag, "expired": 0}
        new = {name: new[name] for name in self._cell.members}
        moves = LineMoves(list(greater), list(from_leaver), (greater_before, leaver_before))
        changed = moves.moved(m, [first, *marked], new)
        targets = build(m, self._writer.data, "written", deep=True)
        for target, cell in zip(targets, changed, strict=True):
            m.d.comb += [target[name].eq(cell[name]) for name in cell]
        with m.If(self._busy):
            m.d.sync += [earlier[name].eq(marked[lanes - 1][name]) for name in self._cell.members]
            m.d.sync += [
                greater_before.eq(greater[lanes - 1] & ~self._ends),
                leaver_before.eq(from_leaver[-1] & ~self._ends),
            ]
        if self._has_stamps:
            self._count_expired(m, marked[:lanes])
        values = [cell["value"] for cell in all_cells]
        remaining = [Mux(from_leaver[k], values[k + 1], values[k]) for k in range(lanes)]
        return remaining, [cell["value"] for cell in changed]

    def _may_leave(self, cell):
        """Returns whether the value of a cell may leave."""
        if self._has_stamps:
            return cell["expired"]
        return cell["tag"] == self._change.oldest

    def _mark_expired(self, m, cell, k):
        """Returns a cell, marked if it has a value of the first slide of the window that closes.

        Earlier windows have marked the values of earlier slides.
        """
        if not self._has_stamps:
            return cell
        change = self._change
        expired = Signal(name=f"expired_after{k}")
        slide_ends = change.closes & ~self._drains
        m.d.comb += expired.eq(cell["expired"] | (slide_ends & (cell["tag"] == change.window)))
        return {**cell, "expired": expired}

    def _count_expired(self, m, marked):
        """Counts the expired values of all lines, up to 3, including the value that leaves."""
        earlier_lines = Signal(3)
        up_to_here = Signal(3)
        here = count_to_three([cell["expired"] & cell["used"] for cell in marked])
        m.d.comb += [
            up_to_here.eq(Cat(*added(earlier_lines, here))),
            self._next_expired.eq(up_to_here[0] + up_to_here[1] + up_to_here[2]),
        ]
        with m.If(self._busy):
            m.d.sync += earlier_lines.eq(Mux(self._ends, 0, up_to_here))

    def _answer(self, m, values):
        """Sends the lines of a window with ``hit`` to RankCells, and queues the percentiles."""
        m.submodules.ranks = self._ranks
        queue = self._queue
        line = self._ranks.i
        targets = build(m, self._ranks.i.keys, "sorted")
        m.d.comb += [
            line.answers.eq(self._change.hit & ~self._drains & self._busy),
            line.ends.eq(self._ends),
            line.line.eq(self._line),
            line.size.eq(self._size),
            *(target.eq(value) for target, value in zip(targets, values, strict=True)),
            queue.i.valid.eq(self._ranks.valid),
            queue.i.p.eq(self._ranks.percentiles),
        ]
        wiring.connect(m, queue.o, wiring.flipped(self.o))

    def _accept(self, m):
        """Accepts the next change after the last line of the current change."""
        is_done = Signal()
        fires = Signal()
        sent = Signal()
        places_left = Signal(range(QUEUED_PERCENTILES + 1), init=QUEUED_PERCENTILES)
        next_places = Signal.like(places_left)
        has_place = Signal(init=1)
        m.d.comb += [
            is_done.eq(self._busy & self._ends & ~self._drains),
            self.i.ready.eq((~self._busy | is_done) & (~self.i.p.hit | has_place)),
            fires.eq(self.i.valid & self.i.ready),
            sent.eq(self.o.valid & self.o.ready),
            next_places.eq(places_left - (fires & self.i.p.hit) + sent),
        ]
        m.d.sync += [places_left.eq(next_places), has_place.eq(next_places.any())]
        with m.If(fires):
            m.d.sync += [self._change.eq(self.i.p), self._busy.eq(1)]
        with m.Elif(is_done):
            m.d.sync += self._busy.eq(0)
