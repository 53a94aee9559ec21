"""Checks the FLiMS merger: two streams of sorted lists give one stream of sorted lists."""

import cocotb

from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench


class TB(Testbench):
    """Sends lists to ``a`` and ``b``, and compares the merged lists at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.a = self.driver("a")
        self.b = self.driver("b")
        self.o = self.list_monitor("o")
        counts = range(self.point["lanes"] + 1)
        for stream in "abo":
            bins = [(count, 1) for count in counts] + [(self.point["lanes"], 0)]
            self.cover(stream, f"{stream} tuples and last", bins, self.tuples_and_last)

    @staticmethod
    def tuples_and_last(beat):
        return beat["valid"].bit_count(), beat["last"]


@cocotb.test()
@cocotb.parametrize(stalls=STALLS)
async def merged_lists_equal_spark(dut, stalls):
    tb = TB(dut, stalls)
    await tb.reset()
    merged = tb.lists("o")
    for side in "ab":
        lists = tb.lists(side, count=len(merged))
        getattr(tb, side).send(dense_beats(lists, tb.point["lanes"]))
    tb.o.expect(merged)
    await tb.finish()


@points({"lanes": 4, "width": 32}, {"lanes": 2, "width": 16}, {"lanes": 8, "width": 48})
def test_flims(point, simulator, tmp_path):
    run_bench(__name__, "flims", point, simulator, tmp_path)
