"""Checks the punctuator: the punctuation in force at each tuple, and the late tuples."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends streams to ``i``, and compares the items at ``o`` and the number of late tuples."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.dut.swallowed.value = 0
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.late = self.pulse_counter("late")
        bins = [("tuple", 0), ("no tuple", 0), ("no tuple", 1)]
        self.cover("o", "tuple and end", bins, self.tuple_and_end)
        self.cover("o", "end", ["no punctuation", "punctuation"], self.end)
        self.cover("o", "settings", ["equal", "changed"], self.settings)

    @staticmethod
    def tuple_and_end(item):
        return "tuple" if item["valid"] else "no tuple", item["last"]

    @staticmethod
    def end(item):
        if item["last"]:
            return "punctuation" if item["punctuation"] else "no punctuation"

    @staticmethod
    def settings(item):
        return "changed" if item["changed"] else "equal"

    def check_counts(self):
        self.late.expect(len(self.rows("late")))


equality_tests = rows_equal_spark(TB, reset_after=900)


@points({"width": 16}, {"width": 16, "punctuations": "stream"}, {"width": 9})
def test_punctuator(point, simulator, tmp_path):
    run_bench(__name__, "punctuator", point, simulator, tmp_path)
