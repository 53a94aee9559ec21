"""Puts the blocks of windows in order, and numbers their values."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS, HEAD_BITS, MARK_BITS
from rtl.keyed.store.blocks.copied_blocks import sourced_line
from rtl.keyed.store.blocks.ring_plan import request_members
from rtl.stream.skid import SkidBuffer


def block_window_layout(ring, passenger):
    """Returns the layout of a window that is to be collected.

    A window consists of closed blocks, which are read, and the growing block, which comes with the
    window. Members:

    - ``entry`` of the window's key; ``growing``, the growing block, with ``count`` values and index
      ``block_index`` in the ring;
    - ``alone``: the window has no closed block, so nothing is read;
    - ``first``: the first block that is read for the window
      (:attr:`~rtl.keyed.store.blocks.ring_plan.RingPlan.first_block`);
    - ``begin``, the sequence number of the window's first value; ``end``, the number after its last
      value; ``next``, the number of the next window's first value;
    - ``empty``: no value of the blocks is needed. The item is a window from the cache, or one of
      the following, which are no windows: the end of a stream, of which all members but ``alone``
      and ``passenger`` are undefined; an announcement of a noted block; a request of the ring. Each
      ``empty`` item but a ``drop`` is ``alone``;
    - ``is_announcement``: the item is no window. It announces that a key begins with block
      ``first``; if ``empty``, that a block of a cached key begins (``cached.noted``);
    - ``cached``: the cache's report about the item
      (:attr:`~rtl.keyed.cache.cache_plan.CachePlan.report`);
    - ``passenger``.

    If blocks are stamped, also ``window``, the stamp of the window. Then ``begin`` and ``next`` are
    only lower bounds: no value before ``begin`` is in the window, and none before ``next`` in the
    next window.

    If blocks may give way, also ``ring_request``
    (:data:`~rtl.keyed.store.blocks.ring_plan.RING_REQUEST`). If it is not 0, the item is a request
    of the ring and no window, and ``empty`` is high. A ``drain`` is ``alone``. A ``drop`` has one
    closed block, ``first``, which gives way; ``block_index`` and ``end`` are the index of the block
    that the waiting value closes, and the number of this block's first value.
    """
    number = ring.number_bits
    numbers = dict.fromkeys(("begin", "end", "next"), number)
    stamp = {"window": ring.format.stamp_bits} if ring.stamped else {}
    return data.StructLayout(
        {
            "growing": BLOCK_BITS,
            "count": COUNT_BITS,
            "alone": 1,
            "entry": range(ring.entries),
            "first": ring.first_block,
            "block_index": range(ring.blocks),
            **numbers,
            "empty": 1,
            "is_announcement": 1,
            "cached": ring.cache.report,
            **stamp,
            **request_members(ring),
            "passenger": passenger,
        }
    )


def numbered_layout(ring, passenger):
    """Returns the layout of a block of a window, with the numbers of its values.

    Members: those of :func:`block_window_layout`, except ``growing``, ``count``, ``alone`` and
    ``begin``, and:

    - ``block``, the bits of the block; ``coded``, low if the block is raw; ``count``, the number of
      values in the block, 0 for the growing block of an ``empty`` window;
    - ``opens`` and ``last``: the block is the first one, and the last one, of its window;
    - ``error``: the read of the block failed; ``m3``: the block was read from M3;
    - ``begin_offset``: number of the window's first value minus the number of the block's first
      value, negative if the window begins before the block;
    - ``block_end``: number after the block's last value;
    - ``next_begins_here_or_later``: the next window does not begin before this block;
    - with chains of blocks, ``dependent``: the block has no seed.

    Numbers are modulo ``2^number_bits``, and differences in the upper half are negative.
    """
    window = dict(block_window_layout(ring, passenger).members)
    for name in ("growing", "count", "alone", "begin"):
        del window[name]
    flags = ("coded", "opens", "last", "error", "m3", "next_begins_here_or_later")
    members = {
        **window,
        "block": BLOCK_BITS,
        "count": COUNT_BITS,
        **dict.fromkeys(flags, 1),
        **dict.fromkeys(("begin_offset", "block_end"), ring.number_bits),
    }
    return data.StructLayout(members | ({"dependent": 1} if ring.format.chained else {}))


class BlockNumbers(wiring.Component):
    """Sends the blocks of windows one after the other, and numbers their values.

    Closed blocks are read when a window closes, and the growing block waits in ``windows`` for the
    closed blocks, from M3 or from copies in M2. A coded block contains the number of its
    values, and a raw block has a fixed number of values. Invariant: **the first value of a block
    has the number after the last value of the block before.** So the values are numbered before any
    block is decoded. For instance with a window of the values 10 to 34, whose first block begins
    with number 0::

        blocks          0 to 14    15 to 29    30 to 34, growing
        begin_offset    10         -5          -20
        block_end       15         30          35

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

    Source: seed 000, section 3.4.5; numbers before values are ours.
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
        window = self.windows.p
        line = self.lines.p
        o = skid.i.p
        is_growing = Signal()
        sends = Signal()
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
        window = self.windows.p
        ring = self._ring
        at = BLOCK_BITS - HEAD_BITS
        number = Signal(ring.number_bits)  # sequence number of the block's first value
        previous_end = Signal(ring.number_bits)  # number after the last value of the block before
        next_offset = Signal(ring.number_bits)
        uncoded = 0 if ring.stamped else ring.format.raw_values
        block_count = Mux(o.coded, o.block[at:][:COUNT_BITS], uncoded)
        m.d.comb += [
            number.eq(Mux(o.opens, window.first.number, previous_end)),
            next_offset.eq(window.next - number),
            o.coded.eq(ring.format.is_mark(o.block[-MARK_BITS:])),
            o.count.eq(Mux(is_growing, Mux(window.empty, 0, window.count), block_count)),
            o.begin_offset.eq(window.begin - number),
            o.block_end.eq(number + o.count),
            o.next_begins_here_or_later.eq(~next_offset[-1]),
        ]
        if ring.format.chained:
            m.d.comb += o.dependent.eq(o.coded & o.block[BLOCK_BITS - MARK_BITS])
        with m.If(sends):
            m.d.sync += previous_end.eq(o.block_end)
