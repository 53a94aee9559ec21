"""Collects the blocks of windows and decompresses them: the data collector with a codec."""

from amaranth.hdl import Module, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.pivot.window_passes import WindowPasses
from rtl.keyed.store.blocks.block_numbers import BlockNumbers, block_window_layout
from rtl.keyed.store.blocks.block_windows import BlockWindows
from rtl.keyed.store.blocks.bounded_lines import BoundedLines
from rtl.keyed.store.blocks.copied_blocks import sourced_line
from rtl.keyed.store.blocks.dependent_windows import DependentWindows
from rtl.keyed.store.blocks.stamped_windows import StampedWindows
from rtl.network.line_pieces import LinePieces


class BlockCollector(wiring.Component):
    """Collects the blocks of windows and decompresses them.

    ::

        windows --+
                  +--> BlockNumbers --> reports --> BlockWindows --> Decompressor --> merger --> o
        lines ----+                        |  ^          |                              ^
                                           |  +----------+                              |
                                           +--> feedback                       cached --+

    The output is a line for each block, with as many lanes as a block may have values, or with a
    ``fold`` one lane for the state of all values. With ``pieces`` in the ring's plan the values of
    a block come in several lines, of ``pieces`` values each, and a window never has more values
    than its bound. For instance a window of three blocks with 10, 20 and 5 values is three lines,
    or with ``pieces`` 8, at most 2 + 3 + 1 lines.

    A window from the cache passes as a block without values, so that all windows stay in order. The
    ``cached`` states of the window's lines replace this block. The plan's cache
    (:class:`~rtl.keyed.cache.cache_plan.CachePlan`) builds the two components ``reports`` and
    ``merger``.

    With windows of time a line may be without values, but a window is not.

    Order is kept. Latency 1 cycle and the latency of the
    :class:`~rtl.keyed.codec.decompressor.Decompressor`, with pivots 5 more cycles for WindowPasses,
    and with ``pieces`` 2 more for LinePieces and BoundedLines. Initiation interval that of the
    decompressor, but at least 1 cycle for each line of the output. A stall at ``o`` stalls the
    inputs.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a BlockStore.

    Members
    -------
    windows : In(stream.Signature(block_window_layout(plan.store.ring, plan.window_info)))
    lines : In(stream.Signature(sourced_line()))
    o : Out(stream.Signature(plan.window_line))
    feedback : Out(stream.Signature(plan.store.ring.feedback, always_ready=True))
    started : Out(stream.Signature(plan.pivots.started)), or none
    verdicts : In(stream.Signature(plan.pivots.verdict, always_ready=True)), or none
    counts_pass, busy : Out(1), or none
        With pivots, these four are ports of :class:`~rtl.keyed.pivot.window_passes.WindowPasses`,
        which sends the blocks of each window to the decompressor.
    cached : In(stream.Signature(...))
        The lines of cached windows, from the levels.

    Source: seed 000, sections 3.4 and 3.4.5.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._numbers = BlockNumbers(plan.store.ring, plan.window_info)
        self._blocks = self._blocks_of(plan)
        self._passes = block_info = None
        if plan.pivots is not None:
            self._passes = WindowPasses(plan.pivots, self._blocks.o.p.shape())
            block_info = self._passes.o.p.shape().members["passenger"]
        self._values = Decompressor(
            plan.store.ring.codec,
            plan.store.ring.fold,
            plan.window_info,
            block_info,
            plan.store.ring.window_place,
        )
        self._is_chained = plan.store.ring.format.chained
        windows = block_window_layout(plan.store.ring, plan.window_info)
        self._pieces = self._bounded = None
        if plan.store.ring.piece_values is not None:
            codec = plan.store.ring.codec
            block_passenger = self._values.o.p.shape().members["passenger"]
            self._pieces = LinePieces(
                codec.width, codec.lanes, plan.store.ring.piece_values, block_passenger
            )
            self._bounded = BoundedLines(
                plan.line_format.shape, plan.store.ring.piece_values, plan.window_info
            )
        cache = plan.store.ring.cache
        self._reports = cache.reports(plan.store.ring, self._numbers.o.p.shape())
        self._merger = cache.merger(self._values.o.p.shape())
        pivot_ports = {}
        if self._passes is not None:
            members = self._passes.signature.members
            names = ("started", "verdicts", "counts_pass", "busy")
            pivot_ports = {name: members[name] for name in names}
        super().__init__(
            pivot_ports
            | {
                "windows": In(stream.Signature(windows)),
                "lines": In(stream.Signature(sourced_line())),
                "o": Out(stream.Signature(plan.window_line)),
                "feedback": Out(stream.Signature(plan.store.ring.feedback, always_ready=True)),
                "cached": self._merger.signature.members["states"],
            }
        )

    @staticmethod
    def _blocks_of(plan):
        """Builds the component that selects the blocks of windows."""
        if plan.store.ring.format.chained:
            return DependentWindows(plan.store.ring, plan.window_info)
        if (membership := plan.window.membership) is None:
            return BlockWindows(plan.store.ring, plan.window_info)
        return StampedWindows(plan.store.ring, membership, plan.window_info)

    @staticmethod
    def latencies_of(plan):
        """Returns two parts of the latency, in cycles: before and after the passes of pivots.

        With a serial decoder the second part is that of a block of one step.
        """
        ring = plan.store.ring
        pieces = 0 if ring.piece_values is None else LinePieces.latency + BoundedLines.latency
        after_passes = Decompressor.latency_of(ring.codec, ring.fold) + pieces
        return BlockNumbers.latency + BlockWindows.latency, after_passes

    @property
    def latency(self):
        pieces = (self._pieces, self._bounded) if self._pieces is not None else ()
        passes = () if self._passes is None else (self._passes,)
        parts = (self._numbers, self._blocks, self._values, *passes, *pieces)
        return sum(part.latency for part in parts)

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers = numbers = self._numbers
        m.submodules.blocks = blocks = self._blocks
        m.submodules.reports = reports = self._reports
        m.submodules.merger = merger = self._merger
        m.submodules.values = values = self._values
        wiring.connect(m, wiring.flipped(self.windows), numbers.windows)
        wiring.connect(m, wiring.flipped(self.lines), numbers.lines)
        wiring.connect(m, numbers.o, reports.i)
        wiring.connect(m, reports.o, blocks.i)
        wiring.connect(m, blocks.feedback, reports.fed)
        wiring.connect(m, reports.feedback, wiring.flipped(self.feedback))
        if self._is_chained:
            wiring.connect(m, values.feedback, blocks.decoded)
        if self._passes is None:
            wiring.connect(m, blocks.o, values.i)
        else:
            self._repeat(m, blocks.o, values.i)
        wiring.connect(m, values.o, merger.i)
        wiring.connect(m, wiring.flipped(self.cached), merger.states)
        if self._pieces is None:
            self._send_items(m, merger.o, self.o)
        else:
            m.submodules.pieces = self._pieces
            m.submodules.bounded = self._bounded
            wiring.connect(m, merger.o, self._pieces.i)
            self._send_items(m, self._pieces.o, self._bounded.i)
            wiring.connect(m, self._bounded.o, wiring.flipped(self.o))
        return m

    def _repeat(self, m, source, target):
        """Sends the blocks of each window through the decoder until its percentiles are found."""
        m.submodules.passes = passes = self._passes
        wiring.connect(m, source, passes.i)
        wiring.connect(m, passes.o, target)
        wiring.connect(m, passes.started, wiring.flipped(self.started))
        wiring.connect(m, wiring.flipped(self.verdicts), passes.verdicts)
        m.d.comb += [self.counts_pass.eq(passes.counts_pass), self.busy.eq(passes.busy)]

    @staticmethod
    def _send_items(m, source, target):
        """Sends lines of the codec's values as lines of items."""
        source_line = source.p
        o = target.p
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *(o[name].eq(source_line[name]) for name in ("valid", "last")),
            *(
                o.passenger[name].eq(source_line.passenger[name])
                for name in o.passenger.shape().members
            ),
        ]
        for lane in range(len(o.valid)):
            m.d.comb += Value.cast(o.tuples[lane]).eq(source_line.tuples[lane])
