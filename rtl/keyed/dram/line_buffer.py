"""Buffers lines that are read from a memory; each read reserves a place for its line before."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.lines import LINE, LINE_BITS
from rtl.memory.block import BlockMemory


class LineBuffer(wiring.Component):
    """Assembles lines from beats, and stores the lines in order.

    The buffer accepts every beat: if a beat had to wait until a line leaves at ``o``, the bursts on
    AXI could block each other. So the parent requests a line from the memory only after it has
    reserved a place. Always::

        free places  +  places of lines that have not arrived  +  lines stored or at o  =  depth

    A line has ``512 / data_width`` beats, the lowest bytes first. The ``error`` of a line is high
    if any of its beats has an error. For instance with 4 places and beats of 128 bits: after 3
    places are reserved, ``free`` is 1; after 4 of the 12 beats one line is stored, and ``free``
    stays 1 until that line is transferred at ``o``.

    A line is at ``o`` two cycles after its last beat, if no other line waits: latency 2 cycles.
    Initiation interval 1 cycle, for beats and for lines. The memory has ``depth`` lines of 513
    bits.

    Parameters
    ----------
    data_width : int
        128, 256 or 512.
    depth : int
        Lines, a power of two of at least 2.

    Members
    -------
    beat : In(data.StructLayout({"data": data_width, "error": 1}))
    comes : In(1)
        ``beat`` is valid; a place for its line was reserved before.
    reserves : In(1)
        ``places`` are reserved in this cycle. The signal may arrive late in the cycle.
    places : In(range(depth + 1))
        Number of places, at most ``free`` while ``reserves`` is high.
    free : Out(range(depth + 1))
        Number of free places.
    o : Out(stream.Signature(LINE))
    line : Out(1)
        High in the cycle in which a line becomes complete.
    busy : Out(1)
        High while a place is reserved or a line is stored.

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, data_width, depth):
        self._beats = LINE_BITS // data_width
        self._depth = depth
        self._store = BlockMemory(LINE.size, depth)
        super().__init__(
            {
                "beat": In(data.StructLayout({"data": data_width, "error": 1})),
                "comes": In(1),
                "reserves": In(1),
                "places": In(range(depth + 1)),
                "free": Out(range(depth + 1)),
                "o": Out(stream.Signature(LINE)),
                "line": Out(1),
                "busy": Out(1),
            }
        )

    @staticmethod
    def memory_bits_of(depth):
        """Returns the bits of the memory of a buffer without making the buffer."""
        return BlockMemory.bits_of(LINE.size, depth)

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        write_place = Signal(range(self._depth))
        read_place = Signal(range(self._depth))
        stored = Signal(range(self._depth + 1))  # lines in the memory that are not at o
        free_lines = Signal(range(self._depth + 1), init=self._depth)
        offered = Signal()
        transfer = self.o.valid & self.o.ready
        m.d.comb += [
            store.write_data.eq(self._line(m)),
            store.write_address.eq(write_place),
            store.write_enable.eq(self.line),
            store.read_address.eq(read_place),
            store.read_enable.eq(stored.any() & (~offered | self.o.ready)),
            self.o.valid.eq(offered),
            Value.cast(self.o.p).eq(store.read_data),
            self.free.eq(free_lines),
            self.busy.eq(free_lines != self._depth),
        ]
        m.d.sync += [
            write_place.eq(write_place + self.line),
            read_place.eq(read_place + store.read_enable),
            stored.eq(stored + self.line - store.read_enable),
            # ``reserves`` arrives late in the cycle, so it selects between sums.
            free_lines.eq(
                Mux(self.reserves, free_lines - self.places + transfer, free_lines + transfer)
            ),
            offered.eq(store.read_enable | (offered & ~self.o.ready)),
        ]
        return m

    def _line(self, m):
        """Returns the line that the current beat completes, and drives ``line``."""
        width = len(self.beat.data)
        beat_index = Signal(range(self._beats))
        earlier_beats = Signal(LINE_BITS - width, reset_less=True)
        failed = Signal()
        error = self.beat.error | (failed if self._beats > 1 else 0)
        m.d.comb += self.line.eq(self.comes & (beat_index == self._beats - 1))
        if self._beats > 1:
            with m.If(self.comes):
                m.d.sync += [
                    beat_index.eq(beat_index + 1),
                    earlier_beats.eq(Cat(earlier_beats[width:], self.beat.data)),
                    failed.eq(Mux(self.line, 0, error)),
                ]
        return Cat(earlier_beats, self.beat.data, error)
