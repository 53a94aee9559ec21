"""Cuts windows into chunks, and deals the chunks to linear sorters."""

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

#: Tuples that the queue of each leaf holds.
LEAF_DEPTH = 8


def chunk_record(beats_bits):
    """Layout of the record of a chunk, or of the end of a stream.

    ``first``, ``final``: the chunk is the window's first, last chunk; a single chunk is both.
    ``beats``: number of beats of the window, in ``beats_bits`` bits. ``end``: the record is the end
    of a stream, not a chunk; a window without its final chunk is to be forgotten. ``timed``: the
    window began as a single chunk, recorded at the earliest k/P + 1 cycles after its first beat; an
    ``end`` that cuts such a window short is ``timed``, too, so that each begin is counted once.
    ``changed``: the previous window had another number of beats, or there was none since a reset.
    """
    marks = dict.fromkeys(("first", "final", "end", "timed", "changed"), 1)
    return data.StructLayout(marks | {"beats": beats_bits})


class ChunkSorter(wiring.Component):
    """Cuts windows into chunks of up to k tuples; each of P leaves sorts a P-th of a chunk.

    ::

        i --> cut --> deal --> P linear sorters of k/P cells --> leaf0, leaf1, ...
               |      lane i of beat t goes to sorter (i + t) mod P
               +---> chunks: a record of each finished chunk, in order

    A window is a stream of full beats with ``last`` on its final one. The window is cut into chunks
    of k tuples and a chunk of the remainder. Every leaf outputs one list per chunk, with as many
    tuples as the chunk has beats. A beat with context 1 ends a stream: it must have ``last``, its
    tuples are ignored, and the sorters drop the growing chunk, because its window is incomplete.
    For instance with P = 4 and k = 16 a window of 6 beats becomes chunks of 4 and 2 beats, each
    leaf outputs lists of 4 and 2 tuples, and the records are (first, not final) and (not first,
    final).

    The dealing rotates by one lane per beat. Otherwise a column that depends on the lane could send
    all of the least tuples to one leaf, which outputs only one tuple per cycle.

    A chunk that is a whole window is recorded k/P + 1 cycles after its first beat, so a small
    window leaves as late as a window of k tuples. Hence an engine's latency does not depend on the
    window size up to k.

    Ties leave in any order; add fields to the order if ties matter.

    Latency: k/P + 1 cycles from the first beat of a window of up to k tuples to its record, if
    ``i`` does not pause; for larger windows, 2 cycles from a chunk's last beat. The first tuple of
    a chunk is at each leaf 3 cycles after the chunk's last beat, 4 with cardinality, also if the
    chunk has not been recorded yet.
    Initiation interval 1 cycle: the next chunk enters while the previous one leaves. ``i`` stalls
    while a sorter or the queue of records is full.

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
        The context is 1 in the beat that ends a stream, and in no other beat of the stream.
    rows : In(unsigned)
        Beats per window of the stream at ``i``.
    chunks : Out(stream.Signature(chunk_record(...)))
    leaf0, leaf1, ... : Out(stream.Signature(beat(order.row, 1)))

    Source: seed 003, section 3.3 and figure 8, sorting mode; the rotation is ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max):
        log2(lanes)
        if not isinstance(capacity, int) or capacity < lanes or capacity & (capacity - 1):
            raise ValueError(f"capacity must be {lanes} times a power of two, not {capacity!r}")
        self._order = order
        self._lanes = lanes
        self._chunk_beats = capacity // lanes
        self._records = self.records_of(lanes, capacity)
        self._sorters = [LinearSorter(order, self._chunk_beats) for _ in range(lanes)]
        beats_bits = (window_max // lanes).bit_length()
        leaf = stream.Signature(beat(order.row, 1))
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.tuple_layout, lanes, 1))),
                "rows": In(beats_bits),
                "chunks": Out(stream.Signature(chunk_record(beats_bits))),
                **{f"leaf{k}": Out(leaf) for k in range(lanes)},
            }
        )

    @staticmethod
    def records_of(lanes, capacity):
        """Returns the greatest number of records in the queue."""
        return max(8, 2 * (capacity // lanes))

    @staticmethod
    def latency_of(order):
        """Latency from a chunk's last beat to its first tuple at each leaf, in cycles."""
        return SkidBuffer.latency + LinearSorter.latency_of(order) + StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._order)

    def elaborate(self, platform):
        m = Module()
        ready = Signal(self._lanes)
        ends_chunk = Signal()
        for k, sorter in enumerate(self._sorters):
            m.submodules[f"sorter{k}"] = sorter
            self._leaf(m, k, sorter)
        has_room = self._cut(m, ends_chunk, ready)
        self._deal(m, ends_chunk, ready, has_room)
        return m

    def _leaf(self, m, k, sorter):
        """Adds a leaf's queue, so that the cells continue until the turn of the chunk is known."""
        port = getattr(self, f"leaf{k}")
        m.submodules[f"queue{k}"] = queue = StreamQueue(port.p.shape(), LEAF_DEPTH)
        wiring.connect(m, sorter.o, queue.i)
        wiring.connect(m, queue.o, wiring.flipped(port))

    def _cut(self, m, ends_chunk, ready):
        """Counts the beats of a chunk, and records each finished chunk.

        Returns a bit: the queue of records has room.
        """
        layout = chunk_record(len(self.rows))
        depth = self._records
        m.submodules.records = records = SyncFIFO(width=layout.size, depth=depth)
        first = Signal(init=1)
        beats = Signal(range(self._chunk_beats))
        small = Signal()  # the growing chunk is a whole window
        previous_beats = Signal.like(self.rows)
        begins = Signal()
        arriving = self.i.p
        record = layout(records.w_data)
        oldest = layout(records.r_data)
        m.d.comb += [
            ends_chunk.eq(arriving.last | (beats == self._chunk_beats - 1)),
            self.i.ready.eq(ready.all() & records.w_rdy),
            begins.eq(self.i.valid & self.i.ready & (beats == 0) & ~arriving.context),
            record.first.eq(first),
            record.final.eq(arriving.last),
            record.end.eq(arriving.context),
            record.beats.eq(self.rows),
            record.changed.eq(self.rows != previous_beats),
            record.timed.eq(Mux(beats == 0, begins & (self.rows <= self._chunk_beats), small)),
            records.w_en.eq(self.i.valid & self.i.ready & ends_chunk),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [beats.eq(beats + 1), small.eq(record.timed)]
            with m.If(ends_chunk):
                m.d.sync += [beats.eq(0), first.eq(arriving.last)]
            with m.If(arriving.last & ~arriving.context):
                m.d.sync += previous_beats.eq(self.rows)
        m.submodules.chunk_register = chunk_register = StreamRegister(layout)
        wiring.connect(m, chunk_register.o, wiring.flipped(self.chunks))
        ripe = self._ripen(m, begins & record.timed, records.r_en & oldest.timed)
        m.d.comb += [
            chunk_register.i.valid.eq(records.r_rdy & (ripe | ~oldest.timed)),
            chunk_register.i.p.eq(oldest),
            records.r_en.eq(chunk_register.i.valid & chunk_register.i.ready),
        ]
        return records.w_rdy

    def _ripen(self, m, begins, leaves):
        """Returns a bit: the oldest window of up to k tuples began at least k/P cycles ago."""
        if self._chunk_beats == 1:
            return 1
        ages = Signal(self._chunk_beats - 1)
        # Number of windows that are old enough. The record of each is in the queue of at most
        # max(8, 2 k/P) records, or the window is growing: at most 2 k/P + 9 windows.
        ripe = Signal(range(2 * self._chunk_beats + LEAF_DEPTH + 2))
        m.d.sync += [
            ages.eq(Cat(begins, ages)),
            ripe.eq(ripe + ages[-1] - leaves),
        ]
        return ripe != 0

    def _deal(self, m, ends_chunk, ready, has_room):
        """Deals a beat to all sorters in one cycle: lane i of beat t to sorter (i + t) mod P."""
        rotation = Signal(range(self._lanes))
        lanes = Array(lane.as_value() for lane in split(m, self.i.p.tuples, "lane"))
        for k, sorter in enumerate(self._sorters):
            others = ready | 1 << k
            # The cells report their room late in the cycle, and all sorters need room.
            m.submodules[f"dealt{k}"] = dealt = SkidBuffer(sorter.i.p.shape())
            wiring.connect(m, dealt.o, sorter.i)
            dealt_tuple = self._order.tuple(dealt.i.p.tuples[0]).as_value()
            m.d.comb += [
                dealt_tuple.eq(lanes[(k - rotation)[: len(rotation)]]),
                dealt.i.p.valid.eq(~self.i.p.context),
                dealt.i.p.last.eq(ends_chunk),
                dealt.i.valid.eq(self.i.valid & others.all() & has_room),
                ready[k].eq(dealt.i.ready),
            ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += rotation.eq(rotation + 1)
