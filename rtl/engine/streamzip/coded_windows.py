"""From the blocks of windows to their values: the data collector with a codec."""

from amaranth.hdl import Module, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_windows import BlockWindows, coded_window_layout
from rtl.codec.decompressor import Decompressor
from rtl.memory.line_stripes import marked_line


class CodedWindows(wiring.Component):
    """Collects the blocks of windows and decompresses them.

    ::

        windows --+
                  +--> BlockWindows --> Decompressor --> o
        lines ----+        |
                           +--> feedback

    What it takes and gives is what :class:`~rtl.memory.window_lines.WindowLines` does for lines
    that are not compressed: a line for each block, with as many lanes as that may have values, or
    with a ``fold`` one for the state of them all. Order is kept. Latency and initiation interval
    those of :class:`~rtl.codec.decompressor.Decompressor`. A stall at ``o`` stalls the inputs.

    Parameters
    ----------
    plan : CodedPlan

    Members
    -------
    windows : In(stream.Signature(coded_window_layout(plan.coded, plan.told)))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(plan.given.line(plan.told)))
    feedback : Out(stream.Signature(plan.coded.feedback, always_ready=True))

    Source: seed 000, sections 3.4 and 3.4.5.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._blocks = BlockWindows(plan.coded, plan.told)
        self._values = Decompressor(plan.coded.codec, plan.coded.fold, plan.told)
        windows = coded_window_layout(plan.coded, plan.told)
        super().__init__(
            {
                "windows": In(stream.Signature(windows)),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(plan.given.line(plan.told))),
                "feedback": Out(stream.Signature(plan.coded.feedback, always_ready=True)),
            }
        )

    @staticmethod
    def latency_of(plan):
        return BlockWindows.latency + Decompressor.latency_of(plan.coded.codec)

    @property
    def latency(self):
        return self._blocks.latency + self._values.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.blocks, m.submodules.values = blocks, values = self._blocks, self._values
        wiring.connect(m, wiring.flipped(self.windows), blocks.windows)
        wiring.connect(m, wiring.flipped(self.lines), blocks.lines)
        wiring.connect(m, blocks.o, values.i)
        wiring.connect(m, blocks.feedback, wiring.flipped(self.feedback))
        given, o = values.o.p, self.o.p
        m.d.comb += [
            self.o.valid.eq(values.o.valid),
            values.o.ready.eq(self.o.ready),
            *(o[name].eq(given[name]) for name in ("valid", "last", "passenger")),
        ]
        for lane in range(len(o.valid)):
            m.d.comb += Value.cast(o.tuples[lane]).eq(given.tuples[lane])
        return m
