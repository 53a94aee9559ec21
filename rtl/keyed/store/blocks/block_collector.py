"""Collects the blocks of windows and decompresses them: the data collector with a codec."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.store.blocks.block_numbers import BlockNumbers, block_window_layout
from rtl.keyed.store.blocks.block_walks import BlockWalks
from rtl.keyed.store.blocks.block_windows import BlockWindows
from rtl.keyed.store.blocks.bounded_lines import BoundedLines
from rtl.keyed.store.blocks.stamped_windows import StampedWindows
from rtl.network.line_pieces import LinePieces


class BlockCollector(wiring.Component):
    """Collects the blocks of windows and decompresses them.

    ::

        windows --+
                  +--> BlockNumbers --> BlockWindows --> Decompressor --> o
        lines ----+                          |
                                             +--> feedback

    The ports are those of :class:`~rtl.keyed.store.lines.window_lines.WindowLines`: the output is a
    line for each block, with as many lanes as a block may have values, or with a ``fold`` one lane
    for the state of all values. With a cache a window that is a hit passes as a block without
    values, so that all windows stay in order, and the ``cached`` states of its lines replace this
    block. With ``pieces`` in the ring's plan the window's values of a block come in lines of so
    many values, and a window never has more values than its bound. The feedback of a cached window
    comes from :class:`~rtl.keyed.store.blocks.block_walks.BlockWalks`, after ``feedback`` above.

    With windows of time a line may be without values, but a window is not; there is no cache.

    Order is kept. Latency 1 cycle and that of the
    :class:`~rtl.keyed.codec.decompressor.Decompressor`, whose initiation interval it has; of a
    cached window its lines, and of a block its pieces. A stall at ``o`` stalls the inputs.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a BlockStore.

    Members
    -------
    windows : In(stream.Signature(block_window_layout(plan.store.ring, plan.window_info)))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(plan.line_format.line(plan.window_info)))
    feedback : Out(stream.Signature(plan.store.ring.feedback, always_ready=True))
    cached : In(stream.Signature(plan.store.ring.cache.state_line)), or none

    Source: seed 000, sections 3.4 and 3.4.5.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._numbers = BlockNumbers(plan.store.ring, plan.window_info)
        self._blocks = self._blocks_of(plan)
        self._values = Decompressor(plan.store.ring.codec, plan.store.ring.fold, plan.window_info)
        windows = block_window_layout(plan.store.ring, plan.window_info)
        self._pieces = self._bounded = None
        if plan.store.ring.pieces is not None:
            codec, told = plan.store.ring.codec, self._values.o.p.shape().members["passenger"]
            self._pieces = LinePieces(codec.width, codec.lanes, plan.store.ring.pieces, told)
            self._bounded = BoundedLines(
                plan.line_format.shape, plan.store.ring.pieces, plan.window_info
            )
        self._walks, cached = None, {}
        if (cache := plan.store.ring.cache) is not None:
            self._walks = BlockWalks(plan.store.ring)
            cached = {"cached": In(stream.Signature(cache.state_line))}
        super().__init__(
            {
                "windows": In(stream.Signature(windows)),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(plan.line_format.line(plan.window_info))),
                "feedback": Out(stream.Signature(plan.store.ring.feedback, always_ready=True)),
                **cached,
            }
        )

    @staticmethod
    def _blocks_of(plan):
        """Builds the component that collects the blocks."""
        if (membership := plan.window.membership) is None:
            return BlockWindows(plan.store.ring, plan.window_info)
        return StampedWindows(plan.store.ring, membership, plan.window_info)

    @staticmethod
    def latency_of(plan):
        ring = plan.store.ring
        blocks = BlockNumbers.latency + BlockWindows.latency
        pieces = 0 if ring.pieces is None else LinePieces.latency + BoundedLines.latency
        return blocks + Decompressor.latency_of(ring.codec, ring.fold) + pieces

    @property
    def latency(self):
        pieces = (self._pieces, self._bounded) if self._pieces is not None else ()
        parts = (self._numbers, self._blocks, self._values, *pieces)
        return sum(part.latency for part in parts)

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers, m.submodules.blocks = numbers, blocks = self._numbers, self._blocks
        m.submodules.values = values = self._values
        wiring.connect(m, wiring.flipped(self.windows), numbers.windows)
        wiring.connect(m, wiring.flipped(self.lines), numbers.lines)
        wiring.connect(m, blocks.o, values.i)
        if self._pieces is None:
            self._give(m, values.o, self.o)
        else:
            m.submodules.pieces, m.submodules.bounded = self._pieces, self._bounded
            wiring.connect(m, values.o, self._pieces.i)
            self._give(m, self._pieces.o, self._bounded.i)
            wiring.connect(m, self._bounded.o, wiring.flipped(self.o))
        if self._walks is None:
            wiring.connect(m, numbers.o, blocks.i)
            wiring.connect(m, blocks.feedback, wiring.flipped(self.feedback))
        else:
            self._follow(m)
            self._merge(m)
        return m

    @staticmethod
    def _give(m, source, target):
        """Lines of the codec's values as lines of items."""
        source_line, o = source.p, target.p
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *(o[name].eq(source_line[name]) for name in ("valid", "last")),
            *(
                o.passenger[name].eq(source_line.passenger[name])
                for name in ("error", "m3", "passenger")
            ),
        ]
        for lane in range(len(o.valid)):
            m.d.comb += Value.cast(o.tuples[lane]).eq(source_line.tuples[lane])

    def _follow(self, m):
        """Reports windows and feedback to the walks, a cycle later.

        A window whose key takes a place waits until all walks have ended and all reports arrived.
        """
        m.submodules.walks = walks = self._walks
        source, blocks, window = self._numbers.o, self._blocks, self._numbers.o.p
        event, admitted = Signal(walks.window.shape()), Signal()
        fed = walks.fed
        wiring.connect(m, walks.feedback, wiring.flipped(self.feedback))
        m.d.comb += [
            admitted.eq(~(window.cached.claims & (walks.walking | walks.window.valid))),
            blocks.i.p.eq(window),
            blocks.i.valid.eq(source.valid & admitted),
            source.ready.eq(blocks.i.ready & admitted),
            event.valid.eq(source.valid & source.ready & window.last),
            *(event[name].eq(window.cached[name]) for name in ("hit", "place")),
            event.takes.eq(window.cached.claims),
            event.noted.eq(window.noted),
            event.block_index.eq(window.block_index),
            event.last.eq(window.end - 1),
            event.next.eq(window.next),
        ]
        # The transfer of a window depends on a long chain of ``ready``, so registers follow.
        saved_event, event_valid = Signal.like(event, reset_less=True), Signal()
        saved_feedback, feedback_valid = Signal.like(fed.p, reset_less=True), Signal()
        m.d.sync += [
            saved_event.eq(event),
            event_valid.eq(event.valid),
            saved_feedback.eq(blocks.feedback.p),
            feedback_valid.eq(blocks.feedback.valid),
        ]
        m.d.comb += [
            walks.window.eq(saved_event),
            walks.window.valid.eq(event_valid),
            fed.p.eq(saved_feedback),
            fed.valid.eq(feedback_valid),
        ]

    def _merge(self, m):
        """Replaces the empty block of a cached window by the window's lines from the cache."""
        values, o, state = self._values.o, self.o, self.cached
        from_cache = values.p.passenger.cached
        m.d.comb += state.ready.eq(values.valid & from_cache & o.ready)
        with m.If(from_cache):
            m.d.comb += [
                o.valid.eq(values.valid & state.valid),
                values.ready.eq(o.ready & state.valid & state.p.last),
                *(o.p[name].eq(state.p[name]) for name in ("tuples", "valid", "last")),
            ]
