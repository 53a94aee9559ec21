"""The replay buffer: stores a stream once, and sends every sliding window of rows in full."""

from amaranth.hdl import Module, Mux, Shape, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.memory.block import BlockMemory
from rtl.network.plan import log2
from rtl.stream.beat import beat, split
from rtl.stream.order import equal


class ReplayBuffer(wiring.Component):
    """Sends windows 0, 1, 2, ...: window j is the tuples j*slide to j*slide + size - 1.

    ::

        i --> circular block RAM of 2 * window_max tuples --> o
                  ^                                  ^
                  | write at ``written``             | read at ``base`` + ``offset``

    An address of the memory holds a *row* of P tuples, the tuples of one beat. ``base`` is the
    first row of the window that is being sent. After the last row of the window ``base`` moves on
    by ``slide``, which frees the rows below it.

    ``i`` is a dense stream: all beats but the last are full (:mod:`rtl.stream.beat`). At ``o`` each
    window is its own stream of full beats, with ``last`` on its final beat. After the last window,
    one empty beat with ``last`` and ``context`` ends the stream. The first tuples of a window leave
    before its last tuples have arrived, so the end of the stream may cut a window short: then the
    empty beat also ends the window, and the receiver must discard its tuples. Tuples of a short
    last beat fill no window and are dropped.

    ``size`` and ``slide`` are sampled with the first beat of each stream. Both must be multiples of
    ``lanes``, with 0 < slide <= size <= window_max; otherwise the output is undefined.

    ``i`` stalls while the buffer is full, that is, while it contains 2 * window_max tuples of
    windows that have not left, and from the end of a stream until its last window has left. While
    ``o`` does not stall and the buffer contains the next row, a row leaves in every cycle: on
    average, ``lanes * slide / size`` tuples enter per cycle.

    Latency 2 cycles from a beat to the same tuples at ``o``. Initiation interval 1 cycle.
    Memory: ``2 * window_max`` tuples of block RAM, one write port and one read port.

    Parameters
    ----------
    row : data.StructLayout
        Layout of a tuple.
    lanes : int
        P, the number of lanes, a power of two.
    window_max : int
        Number of tuples in the largest window; ``lanes`` times a power of two.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes)))
    o : Out(stream.Signature(beat(row, lanes, 1)))
    size : In(unsigned)
        Number of tuples in a window.
    slide : In(unsigned)
        Number of tuples from the start of one window to the start of the next.
    rows : Out(unsigned)
        Number of beats in a window, for the stream at ``o``.

    Source: seed 003, section 3.2 step (a).
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, row, lanes, window_max):
        self._lanes = lanes
        self._shift = log2(lanes)
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
        """Returns the bits of block RAM for these sizes; builds nothing."""
        return BlockMemory.bits_of(*_memory(row, lanes, window_max))

    @property
    def memory_bits(self):
        return self._store.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        bits = len(store.read_address)
        # Numbers of rows, modulo twice the depth of the memory, so that a full memory (depth rows
        # stored, the top bit is 1) differs from an empty one.
        written = Signal(bits + 1)
        base = Signal(bits + 1)
        stored_rows = Signal(bits + 1)
        input_ended = Signal()
        finish = Signal()
        m.d.comb += stored_rows.eq(written - base)
        self._write(m, store, written, stored_rows, input_ended, finish)
        self._read(m, store, base, stored_rows, input_ended, finish)
        return m

    def _write(self, m, store, written, stored_rows, input_ended, finish):
        """Stores full rows; drops a short row at the end of a stream, which fits in no window."""
        arriving = split(m, self.i.p, "arriving")
        transfer = Signal()
        beat_is_full = Signal()
        m.d.comb += [
            self.i.ready.eq(~stored_rows[-1] & ~input_ended),
            transfer.eq(self.i.valid & self.i.ready),
            beat_is_full.eq(arriving["valid"].all()),
            store.write_address.eq(written[:-1]),
            store.write_data.eq(arriving["tuples"].as_value()),
            store.write_enable.eq(transfer & beat_is_full),
        ]
        m.d.sync += written.eq(written + store.write_enable)
        with m.If(transfer & arriving["last"]):
            m.d.sync += input_ended.eq(1)
        with m.Elif(finish):
            m.d.sync += input_ended.eq(0)

    def _settings(self, m, finish):
        """Samples size and slide at the start of a stream.

        Returns three registers: number of rows of a window, number of rows of a slide, and offset
        of a window's final row. They follow the ports until the first beat of a stream is accepted.
        """
        rows = []
        final = Signal(len(self.rows), name="final_row")
        stream_started = Signal()
        with m.If(finish):
            m.d.sync += stream_started.eq(0)
        with m.Elif(self.i.valid & self.i.ready):
            m.d.sync += stream_started.eq(1)
        for name in ("size", "slide"):
            setting = Signal(len(self.size) - self._shift, name=f"{name}_rows")
            with m.If(~stream_started):
                m.d.sync += setting.eq(getattr(self, name)[self._shift :])
            rows.append(setting)
        with m.If(~stream_started):
            m.d.sync += final.eq(self.size[self._shift :] - 1)
        m.d.comb += self.rows.eq(rows[0])
        return [*rows, final]

    def _read(self, m, store, base, stored_rows, input_ended, finish):
        """Reads the rows of window after window; the memory's output register is the port ``o``.

        ``finish`` is high for a cycle when the stream has ended and fewer rows than a window are
        left: they are dropped, and the empty beat is sent.
        """
        size, slide, final_row = self._settings(m, finish)
        offset = Signal(len(stored_rows))
        valid = Signal()
        last = Signal()
        is_stream_end = Signal()
        step = Signal()
        final = Signal()
        read = Signal()
        m.d.comb += [
            step.eq(~valid | self.o.ready),
            final.eq(equal(offset, final_row)),
            finish.eq(step & input_ended & (stored_rows < size)),
            store.read_address.eq((base + offset)[: len(store.read_address)]),
            store.read_enable.eq(step),
            read.eq(step & (stored_rows > offset) & ~finish),
            self.o.valid.eq(valid),
            self.o.p.tuples.as_value().eq(store.read_data),
            self.o.p.valid.eq((~is_stream_end).replicate(self._lanes)),
            self.o.p.last.eq(last),
            self.o.p.context.eq(is_stream_end),
        ]
        with m.If(step):
            m.d.sync += [valid.eq(read | finish), last.eq(final | finish), is_stream_end.eq(finish)]
        with m.If(read):
            m.d.sync += [
                offset.eq(Mux(final, 0, offset + 1)),
                base.eq(base + Mux(final, slide, 0)),
            ]
        with m.If(finish):
            m.d.sync += [base.eq(base + stored_rows), offset.eq(0)]


def _memory(row, lanes, window_max):
    """Returns the bits of a memory entry, which holds a beat, and the entries of two windows."""
    log2(lanes)
    beats = window_max // lanes if isinstance(window_max, int) else 0
    if beats < 1 or beats * lanes != window_max or beats & (beats - 1):
        raise ValueError(f"window_max must be {lanes} times a power of two, not {window_max!r}")
    return lanes * Shape.cast(row).width, 2 * beats
