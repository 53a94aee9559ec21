"""The replay buffer: sliding windows by rows, each one given out whole."""

from amaranth.hdl import Module, Mux, Shape, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.memory.block import BlockMemory
from rtl.network.plan import log2
from rtl.stream.beat import beat, split
from rtl.stream.order import equal


class ReplayBuffer(wiring.Component):
    """Gives window j, the tuples j*slide to j*slide + size - 1 of the stream, for each j in turn.

    ::

        i --> circular block RAM of 2 * window_max tuples --> o
              written   ^ next row                ^ base + offset: read
              freed     | as base moves on by slide, after each window

    ``i`` is a stream of dense beats. At ``o`` each window is a stream of its own, of full beats,
    ``last`` on its final one; behind the last window comes one empty beat with ``last`` and with
    ``context`` high, which ends the stream. A window's first tuples leave before its last have
    come, so the end of the stream may cut one short: then that same beat ends it, and says that
    what came of it must be forgotten. Tuples of a short last beat fill no window and are left out.

    ``size`` and ``slide`` are sampled with the first beat of each stream. Both must be multiples of
    ``lanes``, with 0 < slide <= size <= window_max; else what comes out is undefined.

    ``i`` stalls while the buffer is full, that is, holds 2 * window_max tuples that a window still
    needs, and from the end of a stream until its last window has been given. While ``o`` does not
    stall and enough has come in, a row leaves in every cycle: so ``lanes * slide / size`` tuples
    per cycle are taken in the long run.

    Latency 2 cycles from a beat to the same tuples at ``o``. Initiation interval 1 cycle.
    Memory: ``2 * window_max`` tuples of block RAM, one write port and one read port.

    Parameters
    ----------
    row : data.StructLayout
        A tuple.
    lanes : int
        P, a power of two.
    window_max : int
        Tuples of the largest window; ``lanes`` times a power of two.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes)))
    o : Out(stream.Signature(beat(row, lanes, 1)))
    size : In(unsigned)
        Tuples of a window.
    slide : In(unsigned)
        Tuples from the start of one window to that of the next.
    rows : Out(unsigned)
        Beats of a window of the stream that ``o`` is giving.

    Source: seed 003, section 3.2 step (a).
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, row, lanes, window_max):
        self._lanes, self._shift = lanes, log2(lanes)
        self._store = BlockMemory(*_memory(row, lanes, window_max))
        width = bits_for(window_max)
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes))),
                "o": Out(stream.Signature(beat(row, lanes, 1))),
                "size": In(width),
                "slide": In(width),
                "rows": Out(width - self._shift),
            }
        )

    @staticmethod
    def memory_bits_of(row, lanes, window_max):
        """Bits of the block RAM of such a buffer, without making one."""
        return BlockMemory.bits_of(*_memory(row, lanes, window_max))

    @property
    def memory_bits(self):
        return self._store.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        bits = len(store.read_address)
        # Counted modulo twice the depth, so that full and empty differ.
        written = Signal(bits + 1)
        base = Signal(bits + 1)
        kept = Signal(bits + 1)
        ended = Signal()
        finish = Signal()
        m.d.comb += kept.eq(written - base)
        self._write(m, store, written, kept, ended, finish)
        self._read(m, store, base, kept, ended, finish)
        return m

    def _write(self, m, store, written, kept, ended, finish):
        """Takes rows, but the short one at the end of a stream, which no window can hold."""
        arriving = split(m, self.i.p, "arriving")
        take = Signal()
        whole = Signal()
        m.d.comb += [
            self.i.ready.eq(~kept[-1] & ~ended),
            take.eq(self.i.valid & self.i.ready),
            whole.eq(arriving["valid"].all()),
            store.write_address.eq(written[:-1]),
            store.write_data.eq(arriving["tuples"].as_value()),
            store.write_enable.eq(take & whole),
        ]
        m.d.sync += written.eq(written + store.write_enable)
        with m.If(take & arriving["last"]):
            m.d.sync += ended.eq(1)
        with m.Elif(finish):
            m.d.sync += ended.eq(0)

    def _settings(self, m, finish):
        """Rows of a window and of a slide, in force for a whole stream; a window's final row."""
        rows = []
        final = Signal(len(self.rows), name="final_row")
        begun = Signal()
        with m.If(finish):
            m.d.sync += begun.eq(0)
        with m.Elif(self.i.valid & self.i.ready):
            m.d.sync += begun.eq(1)
        for name in ("size", "slide"):
            held = Signal(len(self.size) - self._shift, name=f"{name}_rows")
            with m.If(~begun):
                m.d.sync += held.eq(getattr(self, name)[self._shift :])
            rows.append(held)
        with m.If(~begun):
            m.d.sync += final.eq(self.size[self._shift :] - 1)
        m.d.comb += self.rows.eq(rows[0])
        return [*rows, final]

    def _read(self, m, store, base, kept, ended, finish):
        """Reads row after row of a window; the memory's register is the output's."""
        size, slide, final_row = self._settings(m, finish)
        offset = Signal(len(kept))
        valid = Signal()
        last = Signal()
        empty = Signal()
        step = Signal()
        final = Signal()
        reads = Signal()
        m.d.comb += [
            step.eq(~valid | self.o.ready),
            final.eq(equal(offset, final_row)),
            finish.eq(step & ended & (kept < size)),
            store.read_address.eq((base + offset)[: len(store.read_address)]),
            store.read_enable.eq(step),
            reads.eq(step & (kept > offset) & ~finish),
            self.o.valid.eq(valid),
            self.o.p.tuples.as_value().eq(store.read_data),
            self.o.p.valid.eq((~empty).replicate(self._lanes)),
            self.o.p.last.eq(last),
            self.o.p.context.eq(empty),
        ]
        with m.If(step):
            m.d.sync += [valid.eq(reads | finish), last.eq(final | finish), empty.eq(finish)]
        with m.If(reads):
            m.d.sync += [
                offset.eq(Mux(final, 0, offset + 1)),
                base.eq(base + Mux(final, slide, 0)),
            ]
        with m.If(finish):  # what no window needed any more
            m.d.sync += [base.eq(base + kept), offset.eq(0)]


def _memory(row, lanes, window_max):
    """Bits of an entry and entries of the memory: a beat, and twice those of a window."""
    log2(lanes)
    beats = window_max // lanes if isinstance(window_max, int) else 0
    if beats < 1 or beats * lanes != window_max or beats & (beats - 1):
        raise ValueError(f"window_max must be {lanes} times a power of two, not {window_max!r}")
    return lanes * Shape.cast(row).width, 2 * beats
