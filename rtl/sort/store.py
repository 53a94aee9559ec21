"""The sorted chunks of windows in block RAM, and the mergers that read them."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.network.plan import log2
from rtl.sort.ways import WayMerger
from rtl.sort.writer import ChunkWriter, stored_layout
from rtl.stream.beat import beat, wire


class ChunkStore(wiring.Component):
    """Keeps up to four windows as sorted chunks, and merges the oldest.

    ::

        i --> writer --> bank 0 --> way merger 0 --> leaf0
              deals      bank 1 --> way merger 1 --> leaf1
              a chunk    ...

    A window gets a slot: all of the memory, half of it, or a quarter, as its size has it; so while
    one is merged the next ones can be written. All windows inside are of one size. The mergers take
    windows in the order of ``allocate``, and begin to fill as soon as the first chunk is there;
    ``filled`` says that every leaf has its first tuple ready, so that the whole window will come
    without a pause but those of ``leaf*``. A slot is free again when its last tuple has been read.

    Latency: from the last beat of a window at ``i`` to ``filled`` that of the writer and of the
    way mergers' filling. Initiation interval 1 cycle, at ``i`` as at the leaves.
    Memory: ``window_max`` tuples in block RAM.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        P, a power of two.
    capacity : int
        k, tuples of a chunk.
    window_max : int
        Tuples of the largest window: a multiple of k that is a power of two, at least 2 k.

    Members
    -------
    allocate : In(stream.Signature(beats of a window, unsigned))
        A window of so many beats begins, of more than one chunk, and of as many as those inside.
        Ready, from a register, when there is a slot.
    place : Out(unsigned)
        Place of that window's first chunk; valid while ``allocate`` is ready.
    abort : In(1)
        Forgets the window that was allocated last, which must be the only one, with all the chunks
        written that ever will be, but not all that it would have.
    i : In(stream.Signature(beat(order.row, lanes)))
        Sorted chunks. Always ready.
    i_place : In(unsigned)
        Of the chunk that ``i`` is giving: the window's first place plus the chunk's number.
    written : Out(1)
        High for a cycle with the last beat of a chunk.
    filled : Out(stream.Signature(0))
        Valid when the oldest window can be merged; taken once for each.
    leaf0, leaf1, ... : Out(stream.Signature(beat(order.row, 1)))
        One list for each window.

    Source: seed 003, section 3.3 and figure 8, merge mode; slots are ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, capacity, window_max):
        self._order, self._lanes, self._capacity = order, lanes, capacity
        self._chunk_rows = capacity // lanes
        self._places = window_max // capacity
        self._slots = min(4, self._places // 2)
        log2(self._places)
        if self._slots < 1:
            raise ValueError(f"window_max must be at least {2 * capacity}, not {window_max}")
        self._writer = ChunkWriter(order, lanes, capacity, self._places)
        self._banks = [
            BlockMemory(stored_layout(order, capacity).size, window_max // lanes)
            for _ in range(lanes)
        ]
        self._ways = [
            WayMerger(order, self._places, self._chunk_rows, window_max // lanes)
            for _ in range(lanes)
        ]
        self._rows = (window_max // lanes).bit_length()
        place = range(self._places)
        super().__init__(
            {
                "allocate": In(stream.Signature(self._rows)),
                "place": Out(place),
                "abort": In(1),
                "i": In(stream.Signature(beat(order.row, lanes), always_ready=True)),
                "i_place": In(place),
                "written": Out(1),
                "filled": Out(stream.Signature(0)),
                **{f"leaf{k}": Out(stream.Signature(beat(order.row, 1))) for k in range(lanes)},
            }
        )

    @property
    def ways(self):
        """W, lists that each of the mergers can take."""
        return self._places

    @property
    def memory_bits(self):
        return sum(bank.bits for bank in self._banks)

    def elaborate(self, platform):
        m = Module()
        m.submodules.writer = self._writer
        wiring.connect(m, wiring.flipped(self.i), self._writer.i)
        m.d.comb += [self._writer.place.eq(self.i_place), self.written.eq(self._writer.done)]

        job = stream.Signature(self._ways[0].job.p.shape()).create()
        fetched = Signal(self._lanes)
        self._slots_of_windows(m, job, fetched)
        waiting = Signal(self._lanes)
        given, left = Signal(self._lanes), Signal(self._lanes)
        for k in range(self._lanes):
            self._leaf(m, k, job, waiting, given, left, fetched)
        # All leaves take a window together, once the one before has left altogether.
        granted = Signal()
        gone = Signal(self._lanes, init=-1)
        m.d.comb += [
            job.ready.eq(waiting.all() & gone.all()),
            self.filled.valid.eq(given.all() & ~granted),
        ]
        with m.If(job.valid & job.ready):
            m.d.sync += [granted.eq(0), gone.eq(0)]
        with m.Else():
            last = Cat(getattr(self, f"leaf{k}").p.last for k in range(self._lanes))
            m.d.sync += gone.eq(gone | (left & last) | self.abort.replicate(self._lanes))
            with m.If(self.filled.valid & self.filled.ready):
                m.d.sync += granted.eq(1)
        return m

    def _slots_of_windows(self, m, job, fetched):
        """Which slots are taken; gives each window to the mergers, and how much of it is there."""
        slot, quarter = range(self._slots), self._places // self._slots
        step = Signal(range(self._slots + 1), init=1)  # slots of a window
        live = Signal(range(self._slots + 1))
        waits = Signal(range(self._slots + 1))  # live, and not yet with the mergers
        head, tail, current = (Signal(slot, name=name) for name in ("head", "tail", "current"))
        free, begins, take = Signal(), Signal(), Signal()
        got = Signal(self._lanes)
        first = Signal(slot)
        room = Signal()
        m.d.comb += [
            first.eq(Mux(live == 0, 0, head)),
            self.place.eq(first << log2(quarter)),
            room.eq((live == 0) | ((live << (step >> 1)) + step <= self._slots)),
            begins.eq(self.allocate.valid & self.allocate.ready),
            free.eq((got | fetched).all()),
            take.eq(job.valid & job.ready),
            job.valid.eq((waits != 0) & ~self.abort),
            job.p.base.eq(tail << log2(quarter * self._chunk_rows)),
        ]
        m.d.sync += [
            # A slot that is left can be had in the cycle after next: this starts long paths.
            self.allocate.ready.eq(room & ~begins),
            live.eq(Mux(self.abort, 0, live + begins - free)),
            waits.eq(Mux(self.abort, 0, waits + begins - take)),
            got.eq(Mux(free | self.abort, 0, got | fetched)),
        ]
        new_step = self._shape(m, job, begins, quarter)
        with m.If(begins):
            m.d.sync += [step.eq(new_step), head.eq(first + new_step)]
            with m.If(live == 0):
                m.d.sync += tail.eq(0)
        with m.If(take):
            m.d.sync += [current.eq(tail), tail.eq(tail + step)]
        self._count(m, begins, first, step, Mux(take, tail, current), quarter)

    def _shape(self, m, job, begins, quarter):
        """Keeps what the mergers must know of a window; returns how many slots it takes."""
        beats = Signal(self._rows)
        lists = Signal(range(self._places + 1))
        step = Signal(range(self._slots + 1))
        m.d.comb += [
            beats.eq(self.allocate.p - 1),
            lists.eq((beats >> log2(self._chunk_rows)) + 1),
            step.eq(1),
        ]
        for factor in (2, 4):
            if factor <= self._slots:
                with m.If(lists > factor // 2 * quarter):
                    m.d.comb += step.eq(factor)
        for name, value in (("lists", lists), ("tail", (beats & self._chunk_rows - 1) + 1)):
            held = Signal.like(job.p[name], name=f"{name}_held")
            m.d.comb += job.p[name].eq(held)
            with m.If(begins):
                m.d.sync += held.eq(value)
        return step

    def _count(self, m, begins, first, step, current, quarter):
        """Chunks of each slot's window that have been written."""
        counts = [Signal(range(self._places + 1), name=f"count{k}") for k in range(self._slots)]
        done = Signal(range(self._slots))
        m.d.comb += done.eq((self._writer.done_place >> log2(quarter)) & ~(step - 1))
        for k, count in enumerate(counts):
            with m.If(begins & (first == k)):
                m.d.sync += count.eq(0)
            with m.Elif(self._writer.done & (done == k)):
                m.d.sync += count.eq(count + 1)
        available = Signal.like(counts[0])
        m.d.sync += available.eq(Array(counts)[current])
        m.d.comb += [way.available.eq(available) for way in self._ways]

    def _leaf(self, m, k, job, waiting, given, left, fetched):
        """One bank, and what reads it."""
        bank, way = self._banks[k], self._ways[k]
        m.submodules[f"bank{k}"] = bank
        m.submodules[f"way{k}"] = way
        stored = stored_layout(self._order, self._capacity)(bank.read_data)
        port = getattr(self, f"leaf{k}")
        m.d.comb += [
            bank.write_address.eq(self._writer.address),
            bank.write_data.eq(self._writer.data[k]),
            bank.write_enable.eq(self._writer.enable),
            bank.read_address.eq(way.address),
            bank.read_enable.eq(way.read),
            *wire(way.data, stored),
            way.job.valid.eq(job.valid & job.ready),
            way.job.p.eq(job.p),
            way.abort.eq(self.abort),
            waiting[k].eq(way.job.ready),
            given[k].eq(way.o.valid),
            left[k].eq(way.o.valid & way.o.ready),
            fetched[k].eq(way.fetched),
        ]
        wiring.connect(m, way.o, wiring.flipped(port))
