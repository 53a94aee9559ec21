"""Stores sorted chunks of windows in block RAM, and merges each window's chunks."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.sort.ways import WayMerger
from rtl.sort.window_slots import WindowSlots
from rtl.sort.writer import ChunkWriter, stored_layout
from rtl.stream.beat import beat, wire


class ChunkStore(wiring.Component):
    """Stores up to four windows as sorted chunks, and merges the oldest window.

    ::

        i --> writer --> bank 0 --> way merger 0 --> leaf0
              deals      bank 1 --> way merger 1 --> leaf1
              a chunk    ...

    A window takes a quarter of the memory, half of it, or all of it: the least part, of at least
    two chunks, that has room for the window (:class:`~rtl.sort.window_slots.WindowSlots`). So the
    next windows can be written while one is merged. All windows inside have the same number of
    beats. A window's part is free again when the last tuple of the window has been read. For
    instance with k = 8 and room for 8 chunks, four windows of 16 tuples are inside, or two of 24,
    or one of 40.

    The mergers take windows in the order in which the windows began, all mergers together. Their
    states are:

    - *GIVE*, also after a reset: the leaves output the lists of a window, each at its own pace.
      After the last tuple of all leaves the mergers take the next window, once it has begun, and
      go to FILL;
    - *FILL*: the mergers fill while the chunks of the window arrive. ``filled`` is valid when every
      leaf has its first tuple, so the window leaves without a pause except stalls of ``leaf*``. The
      transfer of ``filled``, or an abort, leads to GIVE.

    Latency from the last beat of a window at ``i`` to ``filled``: the writer's, one cycle to count
    the chunk, and the filling of the mergers. Initiation interval 1 cycle at ``i`` and at the
    leaves. Memory: ``window_max`` tuples in block RAM.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, tuples of a chunk, P times a power of two.
    window_max : int
        Tuples of the largest window: k times a power of two, at least 2 k.

    Members
    -------
    room : Out(1)
        One more window may begin; from a register.
    begins : In(1)
        A window begins; only while ``room`` is high.
    beats : In(range(window_max // lanes + 1))
        Beats of the beginning window: more than one chunk, and as many as those of windows inside.
    place : Out(unsigned)
        Place of the beginning window's first chunk, counted in chunks.
    abort : In(1)
        Forgets the newest window, which must be the only one and incomplete; no chunk of it may
        arrive later.
    i : In(stream.Signature(beat(order.row, lanes)))
        Sorted chunks. Always ready.
    i_place : In(unsigned)
        Place of the chunk at ``i``: the window's first place plus the chunk's number.
    written : Out(1)
        High for a cycle with the last beat of a chunk.
    filled : Out(stream.Signature(0))
        Valid when the oldest window can be merged; one transfer per window.
    leaf0, leaf1, ... : Out(stream.Signature(beat(order.row, 1)))
        One list per window. The transfer of ``filled`` must come first.

    Source: seed 003, section 3.3 and figure 8, merge mode; slots are ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max):
        self._order = order
        self._lanes = lanes
        self._capacity = capacity
        self._window_max = window_max
        self._chunk_rows = capacity // lanes
        self._places = window_max // capacity
        places = self._places
        if places < 2 or places & (places - 1) or window_max != places * capacity:
            raise ValueError(
                f"window_max must be {capacity} times a power of two of at least 2, not "
                f"{window_max}"
            )
        place = range(places)
        leaf = stream.Signature(beat(order.row, 1))
        super().__init__(
            {
                "room": Out(1),
                "begins": In(1),
                "beats": In(range(window_max // lanes + 1)),
                "place": Out(place),
                "abort": In(1),
                "i": In(stream.Signature(beat(order.row, lanes), always_ready=True)),
                "i_place": In(place),
                "written": Out(1),
                "filled": Out(stream.Signature(0)),
                **{f"leaf{k}": Out(leaf) for k in range(lanes)},
            }
        )

    @staticmethod
    def latency_of(lists, *, capacity, window_max):
        """Latency from the last beat of a window of ``lists`` chunks to ``filled``, in cycles."""
        return ChunkWriter.latency + 1 + WayMerger.latency_of(window_max // capacity, lists)

    @property
    def latency(self):
        """Latency with the greatest number of chunks, in cycles."""
        return self.latency_of(self._places, capacity=self._capacity, window_max=self._window_max)

    @staticmethod
    def memory_bits_of(order, capacity, window_max):
        """Block RAM of a store, in bits."""
        return window_max * stored_layout(order, capacity).size

    @property
    def memory_bits(self):
        return self.memory_bits_of(self._order, self._capacity, self._window_max)

    def elaborate(self, platform):
        m = Module()
        lanes = self._lanes
        depth = self._places * self._chunk_rows
        m.submodules.writer = writer = ChunkWriter(self._order, lanes, self._capacity, self._places)
        m.submodules.slots = slots = WindowSlots(lanes, self._chunk_rows, self._places)
        ways = [WayMerger(self._order, self._places, self._chunk_rows, depth) for _ in range(lanes)]
        wiring.connect(m, wiring.flipped(self.i), writer.i)
        m.d.comb += [
            writer.place.eq(self.i_place),
            self.written.eq(writer.done),
            self.room.eq(slots.room),
            self.place.eq(slots.place),
            slots.begins.eq(self.begins),
            slots.beats.eq(self.beats),
            slots.abort.eq(self.abort),
            slots.done.eq(writer.done),
            slots.done_place.eq(writer.done_place),
            slots.fetched.eq(Cat(way.fetched for way in ways)),
        ]
        for k, way in enumerate(ways):
            m.submodules[f"way{k}"] = way
            m.d.comb += [
                way.job.valid.eq(slots.job.valid & slots.job.ready),
                way.job.p.eq(slots.job.p),
                way.available.eq(slots.available),
                way.abort.eq(self.abort),
            ]
            self._bank(m, k, way, writer)
            wiring.connect(m, way.o, wiring.flipped(getattr(self, f"leaf{k}")))
        self._take_turns(m, slots.job, ways)
        return m

    def _bank(self, m, k, way, writer):
        """Adds bank ``k``, the memory between the writer and the way merger of leaf ``k``."""
        layout = stored_layout(self._order, self._capacity)
        bank = BlockMemory(layout.size, self._places * self._chunk_rows)
        m.submodules[f"bank{k}"] = bank
        m.d.comb += [
            bank.write_address.eq(writer.address),
            bank.write_data.eq(writer.data[k]),
            bank.write_enable.eq(writer.enable),
            bank.read_address.eq(way.address),
            bank.read_enable.eq(way.read),
            *wire(way.data, layout(bank.read_data)),
        ]

    def _take_turns(self, m, job, ways):
        """Starts all leaves on a window after every leaf has output the previous window."""
        finished = Signal(self._lanes, init=-1)  # leaves that have output their last tuple
        leaves = Cat(way.o.valid & way.o.ready & way.o.p.last for way in ways)
        m.d.sync += finished.eq(finished | leaves)
        with m.FSM(init="GIVE"):
            with m.State("GIVE"):
                # Both terms are registers, because the transfer of a leaf is known late.
                m.d.comb += job.ready.eq(Cat(way.job.ready for way in ways).all() & finished.all())
                with m.If(job.valid & job.ready):
                    m.d.sync += finished.eq(0)
                    m.next = "FILL"
            with m.State("FILL"):
                m.d.comb += self.filled.valid.eq(Cat(way.o.valid for way in ways).all())
                with m.If(self.abort):
                    m.d.sync += finished.eq(~0)
                    m.next = "GIVE"
                with m.Elif(self.filled.valid & self.filled.ready):
                    m.next = "GIVE"
