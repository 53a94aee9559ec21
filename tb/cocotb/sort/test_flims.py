"""Checks the FLiMS merger: two streams of sorted lists give one stream of sorted lists."""

import cocotb
from cocotb.triggers import RisingEdge

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench

#: Entries of a bank: the number of beats that one input may send before the other input.
BANK = 8


class TB(Testbench):
    """Sends lists to ``a`` and ``b``, and compares the merged lists at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.a = self.driver("a")
        self.b = self.driver("b")
        self.o = self.list_monitor("o")
        counts = range(self.point["lanes"] + 1)
        for stream in "abo":
            bins = [(count, 1) for count in counts] + [(self.point["lanes"], 0)]
            self.cover(stream, f"{stream} tuples and last", bins, self.tuples_and_last)

    @staticmethod
    def tuples_and_last(beat):
        return beat["valid"].bit_count(), beat["last"]

    def start(self):
        merged = self.lists("o")
        for side in (self.a, self.b):
            side.send(dense_beats(self.lists(side.name, len(merged)), self.point["lanes"]))
        self.o.expect(merged)

    async def check_lead(self):
        """Checks in each cycle that neither input is further ahead than a bank has entries."""
        while not (self.a.is_empty or self.b.is_empty):
            await RisingEdge(self.clock)
            lead = abs(self.a.count - self.b.count)
            assert lead <= BANK + 1, f"one input is {lead} beats ahead of the other"


equality_tests = rows_equal_spark(TB)


@cocotb.test()
async def equal_tuples_leave_both_inputs_in_turn(dut):
    """Merges two lists of equal tuples, which must leave ``a`` and ``b`` at one rate."""
    tb = TB(dut, (0.0, 0.0))
    equal_tuple = tb.lists("a")[0][0]
    merged_tuple = dict(equal_tuple)
    if tb.point["cardinality"]:
        equal_tuple["cardinality"], merged_tuple["cardinality"] = 1, 2
    count = 5 * BANK * tb.point["lanes"]
    await tb.reset()
    for side in (tb.a, tb.b):
        side.send(dense_beats([[equal_tuple] * count], tb.point["lanes"]))
    tb.o.expect([[merged_tuple] * 2 * count])
    cocotb.start_soon(tb.check_lead())
    await tb.finish()


@points(
    {"lanes": 4, "width": 16, "cardinality": 10},
    {"lanes": 2, "width": 16},
    {"lanes": 8, "width": 48},
)
def test_flims(point, simulator, tmp_path):
    run_bench(__name__, "flims", point, simulator, tmp_path)
