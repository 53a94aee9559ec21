"""Numbers the values in the blocks of windows."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS, HEAD_BITS, MARK_BITS
from rtl.keyed.store.blocks.copied_blocks import sourced_line
from rtl.stream.skid import SkidBuffer


def block_window_layout(ring, passenger):
    """Returns the layout of a window that is to be collected.

    Members: ``growing``, the growing block, and ``count``, its number of values; ``alone``, the
    window has no other block; ``first``, index of the first block and sequence number of its first
    value (:attr:`~rtl.keyed.store.blocks.block_ring.RingPlan.read`); ``block_index``, index of the
    growing block in its ring; ``begin``, sequence number of the window's first value, ``end``, the
    number after its last value, ``next``, the number of the next window's first value; ``empty``,
    the window has no value: then the members before are undefined, but ``alone`` is high;
    ``begins``, this is no window, but announces a key that begins at ``first``; ``passenger``.

    ``cached`` is the cache's report about the window
    (:attr:`~rtl.keyed.cache.cache_plan.CachePlan.report`); a window that is a ``hit`` is ``empty``,
    too. If a value is ``noted`` and closes no window, ``begins`` and ``empty`` are high.

    If blocks are stamped, ``window`` is the stamp of the window, no value before number ``begin``
    is in the window, and no value before number ``next`` is in the next window.

    If blocks may give way, ``drain`` and ``drop`` mark a request of the ring
    (:class:`~rtl.keyed.store.blocks.ring_room.RingRoom`), which is no window: ``empty`` is high. A
    ``drain`` is ``alone``. A ``drop`` has block ``first``, and ``block_index`` and ``end`` are the
    index of the block that is being closed and the number of its first value.
    """
    requests = dict.fromkeys(("drain", "drop"), 1) if ring.gives_way else {}
    number, block_index = ring.number_bits, range(ring.blocks)
    numbers = dict.fromkeys(("begin", "end", "next"), number)
    stamp = {"window": ring.format.stamp_bits} if ring.stamped else {}
    return data.StructLayout(
        {
            "growing": BLOCK_BITS,
            "count": COUNT_BITS,
            "alone": 1,
            "entry": range(ring.entries),
            "first": ring.read,
            "block_index": block_index,
            **numbers,
            "empty": 1,
            "begins": 1,
            "cached": ring.cache.report,
            **stamp,
            **requests,
            "passenger": passenger,
        }
    )


def numbered_layout(ring, passenger):
    """Returns the layout of a block of a window.

    Members: those of :func:`block_window_layout`, except ``growing``, ``count``, ``alone`` and
    ``begin``; ``block`` and ``coded``; ``count``, the number of the block's values, 0 if the window
    is ``empty``; ``opens``, it is the window's first block; ``last``, it is the window's last
    block; ``error``, its read failed; ``m3``, it was read from M3; ``before``, the number of the
    window's first value less the number of the block's first value; ``behind``, the number after
    the block's last value; ``here``, the next window begins in this block, or later. Numbers are
    modulo ``2^number_bits``, and differences in the upper half are negative. With chains of
    blocks, also ``dependent``: the block has no seed.
    """
    window = dict(block_window_layout(ring, passenger).members)
    dependent = {"dependent": 1} if ring.format.chained else {}
    for name in ("growing", "count", "alone", "begin"):
        del window[name]
    kinds = dict.fromkeys(("coded", "opens", "last", "error", "m3", "here"), 1)
    numbers = dict.fromkeys(("before", "behind"), ring.number_bits)
    block = {"block": BLOCK_BITS, "count": COUNT_BITS}
    return data.StructLayout({**window, **block, **kinds, **numbers, **dependent})


class BlockNumbers(wiring.Component):
    """Sends the blocks of windows one after the other, and numbers their values.

    Closed blocks are read when a window closes, and the growing block waits in ``windows`` for the
    closed blocks, from M3 or from copies on the chip. A coded block contains the number of its
    values, and a raw block has a fixed number; so the numbers of a block's values are known before
    it is decoded. For instance with a window of the values 10 to 34, whose first block begins with
    number 0::

        blocks    0 to 9    10 to 29    30 to 34, growing
        before    10        0           -20
        behind    10        30          35

    Order is kept. Latency 1 cycle from a line, or from a window without lines. Initiation interval
    1 cycle. A stall at ``o`` stalls both inputs a cycle later.

    Parameters
    ----------
    ring : RingPlan
    passenger : ShapeLike
        Data that go along with each window.

    Members
    -------
    windows : In(stream.Signature(block_window_layout(ring, passenger)))
        Transferred with the window's last block.
    lines : In(stream.Signature(sourced_line()))
        Blocks of the windows that are not ``alone``, in order.
    o : Out(stream.Signature(numbered_layout(ring, passenger)))

    Source: seed 000, section 3.4.5; that numbers come before values is ours.
    """

    latency = SkidBuffer.latency
    initiation_interval = 1

    def __init__(self, ring, passenger=0):
        self._ring = ring
        numbered = numbered_layout(ring, passenger)
        # Ends the chain of ready of the components that follow.
        self._skid = SkidBuffer(numbered)
        super().__init__(
            {
                "windows": In(stream.Signature(block_window_layout(ring, passenger))),
                "lines": In(stream.Signature(sourced_line())),
                "o": Out(stream.Signature(numbered)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.skid = skid = self._skid
        wiring.connect(m, skid.o, wiring.flipped(self.o))
        window, line, o = self.windows.p, self.lines.p, skid.i.p
        is_growing, sends = Signal(), Signal()
        with m.FSM():
            with m.State("LINES"):
                m.d.comb += [is_growing.eq(window.alone), o.opens.eq(window.alone | line.first)]
                with m.If(sends & ~window.alone & line.last):
                    m.next = "GROWING"
            with m.State("GROWING"):
                m.d.comb += is_growing.eq(1)
                with m.If(sends):
                    m.next = "LINES"
        m.d.comb += [
            skid.i.valid.eq(self.windows.valid & (is_growing | self.lines.valid)),
            sends.eq(skid.i.valid & skid.i.ready),
            self.lines.ready.eq(sends & ~is_growing),
            self.windows.ready.eq(sends & is_growing),
            *(o[n].eq(window[n]) for n in o.shape().members if n in window.shape().members),
            o.block.eq(Mux(is_growing, window.growing, line.data)),
            o.last.eq(is_growing),
            o.error.eq(~is_growing & line.error),
            o.m3.eq(~is_growing & line.m3),
        ]
        self._number(m, is_growing, sends, o)
        return m

    def _number(self, m, is_growing, sends, o):
        """Computes the kind of the block, the number of its values, and their sequence numbers."""
        window, ring, at = self.windows.p, self._ring, BLOCK_BITS - HEAD_BITS
        number = Signal(ring.number_bits)  # sequence number of the block's first value
        following = Signal(ring.number_bits)  # number after the last value of the block before
        beyond = Signal(ring.number_bits)
        uncoded = 0 if ring.stamped else ring.format.raw_values
        block_count = Mux(o.coded, o.block[at:][:COUNT_BITS], uncoded)
        m.d.comb += [
            number.eq(Mux(o.opens, window.first.number, following)),
            beyond.eq(window.next - number),
            o.coded.eq(ring.format.is_mark(o.block[-MARK_BITS:])),
            o.count.eq(Mux(is_growing, Mux(window.empty, 0, window.count), block_count)),
            o.before.eq(window.begin - number),
            o.behind.eq(number + o.count),
            o.here.eq(~beyond[-1]),
        ]
        if ring.format.chained:
            m.d.comb += o.dependent.eq(o.coded & o.block[BLOCK_BITS - MARK_BITS])
        with m.If(sends):
            m.d.sync += following.eq(o.behind)
