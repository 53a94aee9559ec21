"""Checks the FLiMS merger: two streams of sorted lists give one stream of sorted lists."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


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

    def start(self):
        merged = self.lists("o")
        for side in (self.a, self.b):
            side.send(dense_beats(self.lists(side.name, len(merged)), self.point["lanes"]))
        self.o.expect(merged)


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 16, "cardinality": 10},
    {"lanes": 2, "width": 16},
    {"lanes": 8, "width": 48},
)
def test_flims(point, simulator, tmp_path):
    run_bench(__name__, "flims", point, simulator, tmp_path)
