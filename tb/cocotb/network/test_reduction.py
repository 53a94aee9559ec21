"""Checks the reduction: each window of lines gives one state."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends lines to ``i``, and compares the state of each window at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.expect_timing()
        self._lines = 0  # of the window
        counts = range(self.point["lanes"] + 1)
        self.cover("i", "tuples of a line", counts, lambda line: line["valid"].bit_count())
        self.cover("i", "lines of a window", ["one", "some", "greatest"], self.lines)

    def lines(self, line):
        self._lines += 1
        count, self._lines = self._lines, 0 if line["last"] else self._lines
        greatest = self.point["tuples"] // self.point["lanes"]
        return {1: "one", greatest: "greatest"}.get(count, "some") if line["last"] else None


equality_tests = rows_equal_spark(TB)


@points(
    {"operator": "min", "lanes": 4, "width": 16, "tuples": 64},
    {"operator": "sum", "lanes": 2, "width": 32, "tuples": 16},
    {"operator": "count", "lanes": 8, "width": 8, "tuples": 128},
)
def test_reduction(point, simulator, tmp_path):
    run_bench(__name__, "reduction", point, simulator, tmp_path)
