"""Schedules the first pass of the merge sorter: decides in order where each chunk goes."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.chunk import chunk_record
from rtl.sort.switch import LEAST_AHEAD


def tag_layout(stores, places):
    """Layout of the tag of a list in the merge trees.

    ``end``: the end of a stream, without a list. ``stored``: a chunk for ``place`` of store
    ``store``. ``merged``: a window from a store. If all are 0 the list is a single-chunk window.
    """
    marks = dict.fromkeys(("end", "stored", "merged"), 1)
    where = {"store": range(max(1, stores)), "place": range(max(1, places))}
    return data.StructLayout(marks | where)


class ChunkSchedule(wiring.Component):
    """Requests a turn of the merge tree for each chunk, once the chunk may leave.

    ::

        BETWEEN --first chunk of a window for a store--> INSIDE --its final chunk--> BETWEEN
          |  ^                                             |
          +--+ single-chunk window; end of a stream        +--end of the stream: abort--> BETWEEN

    In *BETWEEN* the next record is one of three kinds. A single-chunk window, or the end of a
    stream, leaves when the stores hold no window, because it would overtake a stored window. The
    first chunk of a larger window leaves when its store has room; if its number of beats differs
    from the previous window's, also the stores must hold no window. In *INSIDE* the window's chunks
    leave at once. If the end of the stream arrives before the final chunk, the scheduler waits
    until the window is the only one and all its chunks have arrived in the store. Then ``abort`` is
    high for a cycle, and the end leaves once the store is empty.

    For example, with k = 8 and stores of 64: windows of 20 tuples are chunks of 8, 8, 4, for places
    p, p+1, p+2 of the store. The end of the stream and the next stream's windows of 6 follow: the
    end leaves when the last window of 20 has left, and the windows of 6 leave at once.

    ``one_tree``: the second window of a stream begins only after the tree has accepted the turn
    that merges the first stored window. Otherwise the second window's first chunk could pass the
    shared tree before the first window or after it, depending on the slide, and the latency would
    depend on the slide, too. Later windows need no such rule.

    Order is kept. A stall at ``turns`` stalls ``chunks``. Latency 0 cycles: ``turns`` depends
    combinationally on ``chunks``. Initiation interval 1 cycle.

    Parameters
    ----------
    beats_bits : int
        Width of the number of beats of a window, in bits.
    stores : int
        1 or 2; windows take the stores in turn.
    places : int
        Chunks that a store can hold.
    one_tree : bool
    ahead : int
        Number of turns that ``turns`` takes ahead of the list that leaves the tree.

    Members
    -------
    chunks : In(stream.Signature(chunk_record(beats_bits)))
    turns : Out(stream.Signature(tag_layout(stores, places)))
    store : Out(range(stores))
        Store of the newest window, or of the next window if no window is being stored.
    room : In(1)
        The store ``store`` has a slot for a window.
    begins : Out(1)
        A window begins in the store ``store``.
    beats : Out(beats_bits)
        Beats of the beginning window.
    place : In(range(places))
        Place of the first chunk of the beginning window.
    abort : Out(1)
        The newest window is to be forgotten.
    written : In(1)
        A chunk has arrived in a store.
    granted : In(1)
        The tree accepts the turn that merges a window of store 0; for ``one_tree``.
    finished : In(1)
        The last beat of a store's window leaves.

    Source: ours; for seed 003, section 3.3.
    """

    initiation_interval = 1
    latency = 0

    def __init__(self, beats_bits, stores, places, *, one_tree, ahead=LEAST_AHEAD):
        self._stores = stores
        self._one_tree = one_tree
        self._ahead = ahead
        super().__init__(
            {
                "chunks": In(stream.Signature(chunk_record(beats_bits))),
                "turns": Out(stream.Signature(tag_layout(stores, places))),
                "store": Out(range(stores)),
                "room": In(1),
                "begins": Out(1),
                "beats": Out(beats_bits),
                "place": In(range(places)),
                "abort": Out(1),
                "written": In(1),
                "granted": In(1),
                "finished": In(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        chunk = self.chunks.p
        turn = self.turns
        may_leave = Signal()
        starts = Signal()
        to_store = Signal()
        chunks_under_way = Signal(range(2 * self._ahead))  # between their turn and the store
        windows = Signal(range(2 * self._ahead))  # windows that began in a store and have not left
        is_empty = Signal(init=1)  # ``windows`` is 0
        window_leaves = Signal()
        place = Signal(self.place.shape())  # place of a window's next chunk
        m.d.comb += [
            self.beats.eq(chunk.beats),
            turn.p.end.eq(chunk.end),
            turn.p.stored.eq(~chunk.end & ~(chunk.first & chunk.final)),
            turn.p.store.eq(self.store),
            turn.p.place.eq(Mux(chunk.first, self.place, place)),
            turn.valid.eq(self.chunks.valid & may_leave),
            self.chunks.ready.eq(turn.valid & turn.ready),
            to_store.eq(self.chunks.ready & turn.p.stored),
            starts.eq(self.room & ~self._blocked(m, is_empty) & (~chunk.changed | is_empty)),
            window_leaves.eq(self.finished | self.abort),
        ]
        m.d.sync += [
            chunks_under_way.eq(chunks_under_way + to_store - self.written),
            windows.eq(windows + self.begins - window_leaves),
            is_empty.eq(~self.begins & (is_empty | (window_leaves & (windows == 1)))),
        ]
        with m.If(to_store):
            m.d.sync += place.eq(turn.p.place + 1)
        with m.FSM(init="BETWEEN"):
            with m.State("BETWEEN"):
                large = ~chunk.final & ~chunk.end
                m.d.comb += [
                    may_leave.eq(Mux(large, starts, is_empty)),
                    # Equals ``to_store``, but bypasses turn.valid to shorten the path.
                    self.begins.eq(self.chunks.valid & turn.ready & large & starts),
                ]
                with m.If(self.begins):
                    m.next = "INSIDE"
            with m.State("INSIDE"):
                only = (chunks_under_way == 0) & (windows == 1)
                m.d.comb += [
                    may_leave.eq(~chunk.end),
                    self.abort.eq(self.chunks.valid & chunk.end & only),
                ]
                with m.If(self.abort):
                    m.next = "BETWEEN"
                with m.Elif(to_store & chunk.final):
                    m.next = "BETWEEN"
        if self._stores > 1:
            # After a window that is cut short, the next window takes the same store.
            with m.If(to_store & chunk.final):
                m.d.sync += self.store.eq(self.store + 1)
        return m

    def _blocked(self, m, is_empty):
        """Returns a bit: a window is stored, and the tree has not yet accepted the turn that merges
        the stream's first stored window."""
        if not self._one_tree:
            return 0
        first_pending = Signal(init=1)
        with m.If(self.turns.valid & self.turns.ready & self.turns.p.end):
            m.d.sync += first_pending.eq(1)
        with m.Elif(self.granted):
            m.d.sync += first_pending.eq(0)
        return first_pending & ~is_empty
