"""Checks the punctuator: the punctuation in force at each tuple, and the late tuples."""

import cocotb
from cocotb.triggers import ClockCycles

from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench


class TB(Testbench):
    """Sends streams to ``i``, and compares the items at ``o`` and the number of late tuples."""

    def __init__(self, dut, stalls=(0.0, 0.0)):
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

    async def run(self):
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))
        await self.finish()
        self.late.expect(len(self.rows("late")))


@cocotb.test()
@cocotb.parametrize(stalls=STALLS)
async def items_equal_spark(dut, stalls):
    tb = TB(dut, stalls)
    await tb.reset()
    await tb.run()


@cocotb.test()
async def a_reset_drops_a_stream(dut):
    tb = TB(dut)
    await tb.reset()
    tb.i.send(tb.rows("i"))
    tb.o.expect(tb.rows("o"))
    await ClockCycles(tb.clock, 900)
    await tb.reset()
    await tb.run()


@points({"width": 16}, {"width": 16, "punctuations": "stream"}, {"width": 9})
def test_punctuator(point, simulator, tmp_path):
    run_bench(__name__, "punctuator", point, simulator, tmp_path)
