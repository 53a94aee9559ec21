"""Checks the linear sorter: each chunk leaves sorted, ties in the order of their arrival."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends chunks to ``i``, and compares the sorted chunks at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.list_monitor("o")
        self.expect_timing()
        self._tuples = 0  # of the growing chunk
        cells = self.point["cells"]
        lengths = [(n, "sorted") for n in (1, 2, cells - 1, cells)]
        drops = [(n, "dropped") for n in (0, 1, cells - 1, cells)]
        self.cover("i", "tuples of a chunk", lengths + drops, self.chunk)

    def chunk(self, beat):
        count = self._tuples + beat["valid"]
        self._tuples = 0 if beat["last"] else count
        ends = "sorted" if beat["valid"] else "dropped"
        return (count, ends) if beat["last"] else None

    def start(self):
        self._tuples = 0
        self.i.send(self.rows("i"))
        self.o.expect(self.lists("o"))


equality_tests = rows_equal_spark(TB)


@points(
    {"cells": 8, "width": 16, "passenger": 16, "cardinality": 4},
    {"cells": 6, "width": 8, "passenger": 16},
    {"cells": 32, "width": 48, "passenger": 16, "cardinality": 6},
)
def test_linear_sorter(point, simulator, tmp_path):
    run_bench(__name__, "linear-sorter", point, simulator, tmp_path)
