"""What becomes of each sorted chunk: the first pass of the merge sorter, in order."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.sort.chunk import chunk_record
from rtl.sort.switch import AHEAD


def tag_layout(stores, places):
    """What is told of a list in the merge trees.

    ``end``: no list, but the end of a stream. ``stored``: a chunk that goes to ``place`` of store
    ``store``. ``merged``: a window out of a store. With none of them it is a window by itself.
    """
    marks = dict.fromkeys(("end", "stored", "merged"), 1)
    where = {"store": range(max(1, stores)), "place": range(max(1, places))}
    return data.StructLayout(marks | where)


class ChunkSchedule(wiring.Component):
    """Orders a turn of the merge tree for each chunk, once it can go.

    ::

        BETWEEN --first chunk of a window for a store--> INSIDE --its final chunk--> BETWEEN
          |  ^                                             |
          +--+ a window by itself; the end of a stream     +--end of the stream: abort--> BETWEEN

    *BETWEEN* windows the next record is one of three. A window by itself goes when no window is in
    a store, as it would else overtake it; so does the end of a stream. The first chunk of a larger
    window goes when its store has room, and, if it has another number of beats than the window
    before, when no window is in a store. *INSIDE* a window its chunks go as they come. If the end
    of the stream comes instead, the window is forgotten when it is the only one and all its chunks
    have arrived in the store: then ``abort`` is high for a cycle, and the end goes once the store
    is empty.

    For example, with k = 8 and stores of 64: windows of 20 tuples give chunks of 8, 8, 4, which go
    to places p, p+1, p+2 of the store. Behind them come the end of the stream and the next one's
    windows of 6: the end goes when the last window of 20 has left, and they go as they come.

    ``one_tree``: while a stream's first window of a store is being written and merged, no other
    begins. In one tree the second window's first chunk could go before the first window, or not, as
    the slide has it, and the latency with it. The windows after it need not wait for each other so.

    Order is kept. ``turns`` stalls ``chunks``. Latency 0 cycles: ``turns`` is combinational from
    ``chunks``. Initiation interval 1 cycle.

    Parameters
    ----------
    rows : int
        Bits of the number of beats of a window.
    stores : int
        1 or 2, which windows take in turn.
    places : int
        Of a store.
    one_tree : bool

    Members
    -------
    chunks : In(stream.Signature(chunk_record(rows)))
    turns : Out(stream.Signature(tag_layout(stores, places)))
    store : Out(range(stores))
        That of the newest window, or of the next if none is being stored.
    room : In(1)
        That store has a slot for a window.
    begins : Out(1)
        A window begins in that store.
    beats : Out(rows)
        Of that window.
    place : In(range(places))
        Of that window's first chunk, while it begins.
    abort : Out(1)
        The newest window is to be forgotten.
    written : In(1)
        A chunk has arrived in a store.
    granted : In(1)
        The merging of a store's window is ordered.
    finished : In(1)
        The last beat of a store's window leaves.

    Source: ours; for seed 003, section 3.3.
    """

    initiation_interval = 1
    latency = 0

    def __init__(self, rows, stores, places, *, one_tree):
        self._stores, self._one_tree = stores, one_tree
        super().__init__(
            {
                "chunks": In(stream.Signature(chunk_record(rows))),
                "turns": Out(stream.Signature(tag_layout(stores, places))),
                "store": Out(range(stores)),
                "room": In(1),
                "begins": Out(1),
                "beats": Out(rows),
                "place": In(range(places)),
                "abort": Out(1),
                "written": In(1),
                "granted": In(1),
                "finished": In(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        chunk, turn = self.chunks.p, self.turns
        goes, starts, taken = Signal(), Signal(), Signal()
        inside = Signal(range(2 * AHEAD))  # chunks between their turn and the store
        windows = Signal(range(2 * AHEAD))  # begun in a store, and not yet out
        none = Signal(init=1)  # there are none
        out = Signal()
        place = Signal(self.place.shape())  # of the next chunk of a window
        m.d.comb += [
            self.beats.eq(chunk.rows),
            turn.p.end.eq(chunk.end),
            turn.p.stored.eq(~chunk.end & ~(chunk.first & chunk.final)),
            turn.p.store.eq(self.store),
            turn.p.place.eq(Mux(chunk.first, self.place, place)),
            turn.valid.eq(self.chunks.valid & goes),
            self.chunks.ready.eq(turn.valid & turn.ready),
            taken.eq(self.chunks.ready & turn.p.stored),
            starts.eq(self.room & ~self._held(m, none) & (~chunk.changed | none)),
            out.eq(self.finished | self.abort),
        ]
        m.d.sync += [
            inside.eq(inside + taken - self.written),
            windows.eq(windows + self.begins - out),
            none.eq(~self.begins & (none | (out & (windows == 1)))),
        ]
        with m.If(taken):
            m.d.sync += place.eq(turn.p.place + 1)
        with m.FSM(init="BETWEEN"):
            with m.State("BETWEEN"):
                large = ~chunk.final & ~chunk.end
                m.d.comb += [
                    goes.eq(Mux(large, starts, none)),
                    # As taken, but not by way of turn.valid: what follows takes long.
                    self.begins.eq(self.chunks.valid & turn.ready & large & starts),
                ]
                with m.If(self.begins):
                    m.next = "INSIDE"
            with m.State("INSIDE"):
                only = (inside == 0) & (windows == 1)
                m.d.comb += [
                    goes.eq(~chunk.end),
                    self.abort.eq(self.chunks.valid & chunk.end & only),
                ]
                with m.If(self.abort):
                    m.next = "BETWEEN"
                with m.Elif(taken & chunk.final):
                    m.next = "BETWEEN"
        if self._stores > 1:
            # A window that is cut short leaves its store to the next.
            with m.If(taken & chunk.final):
                m.d.sync += self.store.eq(self.store + 1)
        return m

    def _held(self, m, none):
        """A window is in the store, and a stream's first is not yet ordered out of it."""
        if not self._one_tree:
            return 0
        fresh = Signal(init=1)
        with m.If(self.turns.valid & self.turns.ready & self.turns.p.end):
            m.d.sync += fresh.eq(1)
        with m.Elif(self.granted):
            m.d.sync += fresh.eq(0)
        return fresh & ~none
