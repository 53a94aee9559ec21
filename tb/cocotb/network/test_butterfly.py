"""Checks the reverse butterfly: it moves each tuple of a beat to the tuple's target lane."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends tuples with target lanes to ``i``, and compares the moved tuples at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        lane_bits, stage_bits = (self.point[n].bit_length() - 1 for n in ("lanes", "radix"))
        self.expect_timing(latency=-(-lane_bits // stage_bits))
        self.lanes = range(self.point["lanes"])
        counts = range(1, self.point["lanes"] + 1)
        starts = [(k, count) for k in self.lanes for count in counts]
        self.cover("i", "first target and tuples", starts, self.target_and_tuples)
        moves = [(source, to) for source in self.lanes for to in self.lanes]
        for lane in self.lanes:
            bins = [move for move in moves if move[0] == lane]
            self.cover("i", f"targets of lane {lane}", bins, self.move_of(lane))

    def target_and_tuples(self, beat):
        targets = [beat[f"lane{k}_to"] for k in self.lanes if beat["valid"] >> k & 1]
        return (targets[0], len(targets)) if targets else None

    @staticmethod
    def move_of(lane):
        return lambda beat: (lane, beat.get(f"lane{lane}_to"))


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 16, "radix": 4},
    {"lanes": 8, "width": 16, "radix": 4},
    {"lanes": 8, "width": 8, "radix": 2},
)
def test_butterfly(point, simulator, tmp_path):
    run_bench(__name__, "butterfly", point, simulator, tmp_path)
