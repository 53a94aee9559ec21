"""Sorts chunks of a window: what comes in is cut into chunks, and dealt to linear sorters."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.fifo import SyncFIFO
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.linear import LinearSorter
from rtl.stream.beat import beat, split
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister
from rtl.stream.skid import SkidBuffer

#: Tuples that each leaf holds beside the cells.
OUTSIDE = 8


def chunk_record(rows):
    """What is told of a chunk, or of the end of a stream.

    ``first`` and ``final``: it is the window's first, its last chunk; a window of one chunk is
    both. ``rows``: beats of the window. ``end``: no chunk, but the end of a stream, at which a
    window that has begun and not had its final chunk is to be forgotten. ``timed``: of a stream
    whose windows are of one chunk, and so recorded only at a certain age. ``changed``: the window
    before had another number of beats.
    """
    marks = dict.fromkeys(("first", "final", "end", "timed", "changed"), 1)
    return data.StructLayout(marks | {"rows": rows})


class ChunkSorter(wiring.Component):
    """Cuts windows into chunks of up to k tuples, and sorts a P-th of each in each of P leaves.

    ::

        i --> cut --> deal --> P linear sorters of k/P cells --> leaf0, leaf1, ...
               |      lane i of beat t goes to sorter (i + t) mod P
               +---> chunks: a record of each finished chunk, in order

    A window is a stream of full beats with ``last`` on its final one, and gives chunks of k tuples
    and one of what remains. Every leaf gives one list for each chunk, of as many tuples as the
    chunk has beats. An empty beat with ``last`` ends a stream: the chunk that has been growing is
    dropped, as a window that the stream cut short must be.

    Dealing turns by one lane in every beat, so that a column which depends on the lane does not
    give all of the least tuples to one leaf, which could only give them away one by one.

    A chunk that is a window is recorded when it is k/P + 1 cycles old: whatever its size, it leaves
    as late as one of k tuples does. So an engine's latency does not depend on the window up to k.

    Ties come in any order: name fields that tell tuples apart where that matters.

    Latency: k/P + 1 cycles from the first beat of a window of up to k tuples to its record, when
    ``i`` does not pause; of larger ones, 2 cycles from a chunk's last beat. The first tuple of a
    chunk is at each leaf 3 cycles after its last beat, 4 with cardinality, whether it has been
    recorded or not.
    Initiation interval 1 cycle: the next chunk goes in while the one before leaves. Stalls ``i``
    while a sorter is full, or the queue of records.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, P times a power of two.
    window_max : int
        Tuples of the largest window.

    Members
    -------
    i : In(stream.Signature(beat(<user's tuple>, lanes, 1)))
        Context is high with the end of a stream.
    rows : In(unsigned)
        Beats of a window of the stream that ``i`` is giving.
    chunks : Out(stream.Signature(chunk_record(...)))
    leaf0, leaf1, ... : Out(stream.Signature(beat(order.row, 1)))

    Source: seed 003, section 3.3 and figure 8, sorting mode; the turning is ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max):
        log2(lanes)
        if not isinstance(capacity, int) or capacity < lanes or capacity & (capacity - 1):
            raise ValueError(f"capacity must be {lanes} times a power of two, not {capacity!r}")
        self._order, self._lanes, self._rows = order, lanes, capacity // lanes
        self._sorters = [LinearSorter(order, self._rows) for _ in range(lanes)]
        rows = (window_max // lanes).bit_length()
        leaf = stream.Signature(beat(order.row, 1))
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.tuple_layout, lanes, 1))),
                "rows": In(rows),
                "chunks": Out(stream.Signature(chunk_record(rows))),
                **{f"leaf{k}": Out(leaf) for k in range(lanes)},
            }
        )

    @staticmethod
    def latency_of(order):
        """From a chunk's last beat to its first tuple at each leaf."""
        return SkidBuffer.latency + LinearSorter.latency_of(order) + StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._order)

    def elaborate(self, platform):
        m = Module()
        ready = Signal(self._lanes)
        final = Signal()
        for k, sorter in enumerate(self._sorters):
            m.submodules[f"sorter{k}"] = sorter
            self._leaf(m, k, sorter)
        recorded = self._cut(m, final, ready)
        self._deal(m, final, ready, recorded)
        return m

    def _leaf(self, m, k, sorter):
        """A few sorted tuples wait outside, so that the cells go on until their turn is known."""
        port = getattr(self, f"leaf{k}")
        m.submodules[f"queue{k}"] = queue = StreamQueue(port.p.shape(), OUTSIDE)
        wiring.connect(m, sorter.o, queue.i)
        wiring.connect(m, queue.o, wiring.flipped(port))

    def _cut(self, m, final, ready):
        """Counts the beats of a chunk, and records each that is finished."""
        layout = chunk_record(len(self.rows))
        m.submodules.records = records = SyncFIFO(width=layout.size, depth=max(8, 2 * self._rows))
        first = Signal(init=1)
        beats = Signal(range(self._rows))
        small = Signal()  # the growing chunk is to be a window by itself
        before = Signal.like(self.rows)
        begins = Signal()
        arriving = self.i.p
        record, oldest = layout(records.w_data), layout(records.r_data)
        m.d.comb += [
            final.eq(arriving.last | (beats == self._rows - 1)),
            self.i.ready.eq(ready.all() & records.w_rdy),
            begins.eq(self.i.valid & self.i.ready & (beats == 0) & ~arriving.context),
            record.first.eq(first),
            record.final.eq(arriving.last),
            record.end.eq(arriving.context),
            record.rows.eq(self.rows),
            record.changed.eq(self.rows != before),
            record.timed.eq(Mux(beats == 0, begins & (self.rows <= self._rows), small)),
            records.w_en.eq(self.i.valid & self.i.ready & final),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [beats.eq(beats + 1), small.eq(record.timed)]
            with m.If(final):
                m.d.sync += [beats.eq(0), first.eq(arriving.last)]
            with m.If(arriving.last & ~arriving.context):
                m.d.sync += before.eq(self.rows)
        m.submodules.told = told = StreamRegister(layout)
        wiring.connect(m, told.o, wiring.flipped(self.chunks))
        ripe = self._ripen(m, begins & record.timed, records.r_en & oldest.timed)
        m.d.comb += [
            told.i.valid.eq(records.r_rdy & (ripe | ~oldest.timed)),
            told.i.p.eq(oldest),
            records.r_en.eq(told.i.valid & told.i.ready),
        ]
        return records.w_rdy

    def _ripen(self, m, begins, leaves):
        """High when the oldest window of up to k tuples began k/P cycles ago or more."""
        if self._rows == 1:
            return 1
        ages = Signal(self._rows - 1)
        ripe = Signal(range(2 * self._rows + OUTSIDE + 2))  # windows old enough
        m.d.sync += [
            ages.eq(Cat(begins, ages)),
            ripe.eq(ripe + ages[-1] - leaves),
        ]
        return ripe != 0

    def _deal(self, m, final, ready, recorded):
        """All sorters take a beat together, each the lane whose turn it is."""
        turn = Signal(range(self._lanes))
        lanes = Array(lane.as_value() for lane in split(m, self.i.p.tuples, "lane"))
        for k, sorter in enumerate(self._sorters):
            others = ready | 1 << k
            # Whether the cells have room is known late, and all sorters must have some.
            m.submodules[f"dealt{k}"] = dealt = SkidBuffer(sorter.i.p.shape())
            wiring.connect(m, dealt.o, sorter.i)
            own = self._order.tuple(dealt.i.p.tuples[0]).as_value()
            m.d.comb += [
                own.eq(lanes[(k - turn)[: len(turn)]]),
                dealt.i.p.valid.eq(~self.i.p.context),
                dealt.i.p.last.eq(final),
                dealt.i.valid.eq(self.i.valid & others.all() & recorded),
                ready[k].eq(dealt.i.ready),
            ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += turn.eq(turn + 1)
