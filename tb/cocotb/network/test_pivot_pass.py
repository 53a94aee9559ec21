"""Checks a pass with a pivot: each window gives its percentile, or a bound of its percentile."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends lines to ``i``, and compares the result of each pass at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.expect_timing()
        self.cover("o", "found", [0, 1], lambda result: result["found"])


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 8, "tuples": 32, "neighbours": 2, "percent": 50},
    {"lanes": 2, "width": 16, "tuples": 16, "neighbours": 1, "percent": 90},
)
def test_pivot_pass(point, simulator, tmp_path):
    run_bench(__name__, "pivot-pass", point, simulator, tmp_path)
