"""Checks the decompressor: max, count and sum of the values of each block, and broken blocks."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends blocks to ``i``, and compares the state of each block at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.cover("i", "block", ["raw", "coded"], lambda block: ["raw", "coded"][block["coded"]])
        self.cover("i", "skipped values", ["none", "first", "all"], self.skipped)
        self.cover("o", "window", ["goes on", "ends", "ends with an error"], self.window)

    @staticmethod
    def skipped(block):
        if block["skip"] == block["count"]:
            return "all"
        return "first" if block["skip"] else "none"

    @staticmethod
    def window(line):
        if not line["last"]:
            return "goes on"
        return "ends with an error" if line["passenger_error"] else "ends"


equality_tests = rows_equal_spark(TB)


@points(
    {"codec": "xor"},
    {"codec": "base-delta"},
    {"codec": "grid"},
    {"codec": "sz", "width": 64, "exponent": 2},
    {"codec": "scaled-sz"},
)
def test_decompressor(point, simulator, tmp_path):
    run_bench(__name__, "decompressor", point, simulator, tmp_path)
