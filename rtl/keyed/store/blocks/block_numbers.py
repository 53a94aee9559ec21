"""The numbers of the values in the blocks of windows."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS, HEAD_BITS, MARK, MARK_BITS
from rtl.keyed.dram.line_stripes import marked_line
from rtl.stream.skid import SkidBuffer


def block_window_layout(ring, passenger):
    """Layout of a window that is to be collected.

    Members: ``growing``, the block with its last value, and ``count``, how many it has; ``alone``,
    no block comes before that; ``first``, where the first block lies and which number its first
    value has (:attr:`~rtl.keyed.store.blocks.block_ring.RingPlan.read`); ``line``, where the
    growing one will; ``begin``, the number of the window's first value, ``end``, that behind its
    last, and ``next``, that of the next window's first; ``empty``, there is no value, so nothing of
    these counts, and ``alone`` is high; ``begins``, this is no window, but a key that begins at
    ``first``; ``passenger``. With a cache ``cached``, what is known there of the window
    (:attr:`~rtl.keyed.cache.cache_plan.CachePlan.decision`): a ``hit`` is ``empty``, too; and
    ``noted``, the growing block begins with the value before ``end``, and that is to be known: if
    nothing else is told with that value, ``begins`` and ``empty`` are high.

    If blocks are stamped, ``window`` is the stamp of the window, ``begin`` the number of a value
    before which it has none, and ``next`` the same of the next window.
    """
    number, line = ring.number_bits, range(ring.blocks)
    numbers = dict.fromkeys(("begin", "end", "next"), number)
    cached = {} if ring.cache is None else {"cached": ring.cache.decision, "noted": 1}
    stamp = {"window": ring.format.stamp_bits} if ring.stamped else {}
    return data.StructLayout(
        {
            "growing": BLOCK_BITS,
            "count": COUNT_BITS,
            "alone": 1,
            "entry": range(ring.entries),
            "first": ring.read,
            "line": line,
            **numbers,
            "empty": 1,
            "begins": 1,
            **cached,
            **stamp,
            "passenger": passenger,
        }
    )


def numbered_layout(ring, passenger):
    """Layout of a block of a window.

    What :func:`block_window_layout` has of the window, but for ``growing``, ``count``, ``alone``
    and ``begin``; and ``block``, ``coded``, and ``count``, its values, 0 if the window is
    ``empty``; whether it ``opens`` the window, or is its ``last`` one; ``error``, it was answered
    with one. So many numbers as ``before`` are between its first value and the window's first, and
    ``behind`` is the number behind its last value: all modulo ``2^number_bits``, so what is more
    than half of that is less than nothing. ``here``: the next window begins in it, or later.
    """
    window = dict(block_window_layout(ring, passenger).members)
    for name in ("growing", "count", "alone", "begin"):
        del window[name]
    kinds = dict.fromkeys(("coded", "opens", "last", "error", "here"), 1)
    numbers = dict.fromkeys(("before", "behind"), ring.number_bits)
    block = {"block": BLOCK_BITS, "count": COUNT_BITS}
    return data.StructLayout({**window, **block, **kinds, **numbers})


class BlockNumbers(wiring.Component):
    """Puts the blocks of windows behind each other, and numbers their values.

    All levels are asked at once, when a window closes, and the growing block waits in ``windows``
    for what M3 gives. How many values a block has stands in it, or it is a raw one; so the numbers
    of its values are known before it is decoded. For instance, a window of the values 10 to 34, of
    which it is known that the first block begins with number 0::

        blocks    0 to 9    10 to 29    30 to 34, growing
        before    10        0           -20
        behind    10        30          35

    Order is kept. Latency 1 cycle from a line, or from a window without lines. Initiation interval
    1 cycle. A stall at ``o`` stalls both inputs a cycle later.

    Parameters
    ----------
    ring : RingPlan
    passenger : ShapeLike
        What goes along with each window.

    Members
    -------
    windows : In(stream.Signature(block_window_layout(ring, passenger)))
        Taken with the window's last block.
    lines : In(stream.Signature(marked_line()))
        Of the windows that are not ``alone``, in order.
    o : Out(stream.Signature(numbered_layout(ring, passenger)))

    Source: seed 000, section 3.4.5; that numbers come before values is ours.
    """

    latency = SkidBuffer.latency
    initiation_interval = 1

    def __init__(self, ring, passenger=0):
        self._ring = ring
        numbered = numbered_layout(ring, passenger)
        # Ends the chain of ready, which behind it begins with whether a block is wanted.
        self._skid = SkidBuffer(numbered)
        super().__init__(
            {
                "windows": In(stream.Signature(block_window_layout(ring, passenger))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(numbered)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.skid = skid = self._skid
        wiring.connect(m, skid.o, wiring.flipped(self.o))
        window, given, o = self.windows.p, self.lines.p, skid.i.p
        read, ends, moves = Signal(), Signal(), Signal()  # all lines have been given
        m.d.comb += [
            ends.eq(read | window.alone),
            skid.i.valid.eq(self.windows.valid & (ends | self.lines.valid)),
            moves.eq(skid.i.valid & skid.i.ready),
            self.lines.ready.eq(moves & ~ends),
            self.windows.ready.eq(moves & ends),
            *(o[n].eq(window[n]) for n in o.shape().members if n in window.shape().members),
            o.block.eq(Mux(ends, window.growing, given.data)),
            o.opens.eq(Mux(ends, window.alone, given.first)),
            o.last.eq(ends),
            o.error.eq(~ends & given.error),
        ]
        with m.If(moves):
            m.d.sync += read.eq(~ends & given.last)
        self._number(m, ends, moves, o)
        return m

    def _number(self, m, ends, moves, o):
        """Of the block that is given its values and their numbers, and its kind."""
        window, ring, at = self.windows.p, self._ring, BLOCK_BITS - HEAD_BITS
        begun, number, beyond = Signal(), Signal(ring.number_bits), Signal(ring.number_bits)
        following = Signal(ring.number_bits)
        uncoded = 0 if ring.stamped else ring.format.raw_values
        told = Mux(o.coded, o.block[at:][:COUNT_BITS], uncoded)
        m.d.comb += [
            number.eq(Mux(begun, following, window.first.number)),
            beyond.eq(window.next - number),
            o.coded.eq(o.block[-MARK_BITS:] == MARK),
            o.count.eq(Mux(ends, Mux(window.empty, 0, window.count), told)),
            o.before.eq(window.begin - number),
            o.behind.eq(number + o.count),
            o.here.eq(~beyond[-1]),
        ]
        with m.If(moves):
            m.d.sync += [begun.eq(~ends), following.eq(o.behind)]
