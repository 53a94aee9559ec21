"""Checks the decompressor: max, count and sum of the values of each block, and broken blocks."""

import cocotb
from cocotb.triggers import ClockCycles

from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench


class TB(Testbench):
    """Sends blocks to ``i``, and compares the state of each block at ``o``."""

    def __init__(self, dut, stalls=(0.0, 0.0)):
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

    async def run(self):
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))
        await self.finish()


@cocotb.test()
@cocotb.parametrize(stalls=STALLS)
async def states_equal_spark(dut, stalls):
    tb = TB(dut, stalls)
    await tb.reset()
    await tb.run()


@cocotb.test()
async def a_reset_drops_the_blocks_under_way(dut):
    tb = TB(dut)
    await tb.reset()
    tb.i.send(tb.rows("i"))
    tb.o.expect(tb.rows("o"))
    await ClockCycles(tb.clock, 300)
    await tb.reset()
    await tb.run()


@points(
    {"codec": "xor"},
    {"codec": "base-delta"},
    {"codec": "grid"},
    {"codec": "sz", "exponent": 2},
)
def test_decompressor(point, simulator, tmp_path):
    run_bench(__name__, "decompressor", point, simulator, tmp_path)
