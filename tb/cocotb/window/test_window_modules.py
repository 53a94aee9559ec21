"""Checks the window modules: each closed window has the state of all of its tuples."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends items to ``i``, and compares the closed windows at ``o`` and the dropped tuples."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.overrun = self.pulse_counter("overrun")
        self.bad_setting = self.pulse_counter("bad_setting")
        bins = [("window", 0), ("window", 1), ("empty window", 0), ("empty window", 1)]
        self.cover("o", "window and end", [*bins, ("no window", 1)], self.window_and_end)

    @staticmethod
    def window_and_end(row):
        nonempty = "window" if row.get("nonempty") else "empty window"
        return nonempty if row["valid"] else "no window", int(row["last"])

    def check_counts(self):
        self.overrun.expect(len(self.rows("overrun")))
        self.bad_setting.expect(len(self.rows("bad")))


equality_tests = rows_equal_spark(TB, reset_after=900)


@points(
    {"width": 12, "operator": "min"},
    {"width": 16, "operator": "sum", "modules": 6},
    {"width": 9, "operator": "count", "modules": 2},
)
def test_window_modules(point, simulator, tmp_path):
    run_bench(__name__, "window-modules", point, simulator, tmp_path)
