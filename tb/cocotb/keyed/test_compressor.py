"""Checks the compressor: the blocks of each key equal the blocks of the plain model to the bit."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench

CODED = 0b1010010


class TB(Testbench):
    """Sends values to ``i``, and compares the blocks at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.expect_timing()
        stamped = self.point["stamp_bits"]
        self.cover("o", "full block", ["coded"] if stamped else ["raw", "coded"], self.full_block)
        self.cover("o", "value", ["first", "next", "none"], self.value)

    @staticmethod
    def full_block(row):
        if row["closes"]:
            return "coded" if row["closed_block"] >> 505 == CODED else "raw"

    @staticmethod
    def value(row):
        return ("first" if row["fresh"] else "next") if row["valid"] else "none"


equality_tests = rows_equal_spark(TB, reset_after=500)


_SMALL = {"entries": 4}


@points(
    {"codec": "xor", **_SMALL},
    {"codec": "base-delta", **_SMALL},
    {"codec": "grid", **_SMALL},
    {"codec": "sz", "width": 32, "exponent": 2, **_SMALL},
    {"codec": "scaled-sz", **_SMALL},
    {"codec": "base-delta", "width": 32, "stamp_bits": 3, **_SMALL},
    {"codec": "float-sz", "width": 32, "exponent": -10, **_SMALL},
)
def test_compressor(point, simulator, tmp_path):
    run_bench(__name__, "compressor", point, simulator, tmp_path)
