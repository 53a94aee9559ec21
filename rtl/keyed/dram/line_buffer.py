"""Where lines wait that have come from a memory; each had its place before it was asked for."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.lines import LINE, LINE_BITS
from rtl.memory.block import BlockMemory


class LineBuffer(wiring.Component):
    """Makes lines of beats, and keeps them in order until they are taken.

    Beats cannot be refused: AXI's reads must come to their end without anything else. So a line is
    asked of the memory only after a place was reserved for it. Always, of ``depth`` places::

        free  +  reserved, not there  +  there, or shown at o  =  depth

    A line has ``512 / data_width`` beats, the lowest bytes first; its ``error`` is set when that of
    any of them is.

    A line is at ``o`` two cycles after its last beat came, if no other waits: latency 2 cycles.
    Initiation interval 1 cycle, for beats as for lines. The memory has ``depth`` lines of 513 bits.

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
        There is a beat, whose place is reserved.
    reserves : In(range(depth + 1))
        So many places are reserved in this cycle: at most ``free``.
    free : Out(range(depth + 1))
    o : Out(stream.Signature(LINE))
    line : Out(1)
        A line has become whole in this cycle.
    busy : Out(1)
        A place is reserved, or a line there.

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
                "reserves": In(range(depth + 1)),
                "free": Out(range(depth + 1)),
                "o": Out(stream.Signature(LINE)),
                "line": Out(1),
                "busy": Out(1),
            }
        )

    @staticmethod
    def memory_bits_of(depth):
        """Bits of the memory of such a buffer, without making one."""
        return BlockMemory.bits_of(LINE.size, depth)

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        written, read = (Signal(range(self._depth), name=n) for n in ("written", "read"))
        there = Signal(range(self._depth + 1))  # in the memory, and not shown
        free = Signal(range(self._depth + 1), init=self._depth)
        shown, taken = Signal(), self.o.valid & self.o.ready
        m.d.comb += [
            store.write_data.eq(self._line(m)),
            store.write_address.eq(written),
            store.write_enable.eq(self.line),
            store.read_address.eq(read),
            store.read_enable.eq(there.any() & (~shown | self.o.ready)),
            self.o.valid.eq(shown),
            Value.cast(self.o.p).eq(store.read_data),
            self.free.eq(free),
            self.busy.eq(free != self._depth),
        ]
        m.d.sync += [
            written.eq(written + self.line),
            read.eq(read + store.read_enable),
            there.eq(there + self.line - store.read_enable),
            free.eq(free - self.reserves + taken),
            shown.eq(store.read_enable | (shown & ~self.o.ready)),
        ]
        return m

    def _line(self, m):
        """The line whose last beat comes; drives ``line``."""
        width = len(self.beat.data)
        number = Signal(range(self._beats))
        before = Signal(LINE_BITS - width, reset_less=True)
        failed = Signal()
        error = self.beat.error | (failed if self._beats > 1 else 0)
        m.d.comb += self.line.eq(self.comes & (number == self._beats - 1))
        if self._beats > 1:
            with m.If(self.comes):
                m.d.sync += [
                    number.eq(number + 1),
                    before.eq(Cat(before[width:], self.beat.data)),
                    failed.eq(Mux(self.line, 0, error)),
                ]
        return Cat(before, self.beat.data, error)
