"""Checks the reverse butterfly: it moves each tuple of a beat to the tuple's target lane."""

import cocotb

from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench


class TB(Testbench):
    """Sends tuples with target lanes to ``i``, and compares the moved tuples at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.lanes = range(self.point["lanes"])
        starts = [(k, count) for k in self.lanes for count in self.lanes[1:]]
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

    def start(self):
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))


@cocotb.test()
@cocotb.parametrize(stalls=STALLS)
async def moved_tuples_equal_spark(dut, stalls):
    await TB(dut, stalls).run()


@cocotb.test()
async def moved_tuples_after_a_reset_equal_spark(dut):
    await TB(dut, STALLS[-1]).run(reset_after=300)


@points(
    {"lanes": 4, "width": 32, "radix": 2},
    {"lanes": 8, "width": 16, "radix": 4},
    {"lanes": 2, "width": 8, "radix": 2},
)
def test_butterfly(point, simulator, tmp_path):
    run_bench(__name__, "butterfly", point, simulator, tmp_path)
