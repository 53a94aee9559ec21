"""Checks the hash of keys: way 0 equals Spark's crc32, and all ways equal their CRCs."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends keys to ``i``, and compares the indices at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.expect_timing(latency=1)
        greatest = (1 << self.point["key_width"]) - 1
        self.cover("i", "ends of the type", [0, greatest], lambda payload: payload["key"])
        self.cover("o", "lowest bits", range(8), lambda payload: payload["index0"] % 8)


equality_tests = rows_equal_spark(TB)


@points({"key_width": 32}, {"key_width": 13, "bits": 5}, {"key_width": 60, "bits": 32, "ways": 2})
def test_key_hash(point, simulator, tmp_path):
    run_bench(__name__, "key-hash", point, simulator, tmp_path)
