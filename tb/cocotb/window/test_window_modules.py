"""Checks the window modules: each closed window has the state of all of its tuples."""

import cocotb
from cocotb.triggers import ClockCycles

from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench


class TB(Testbench):
    """Sends items to ``i``, and compares the closed windows at ``o`` and the dropped tuples."""

    def __init__(self, dut, stalls=(0.0, 0.0)):
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

    async def run(self):
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))
        await self.finish()
        self.overrun.expect(len(self.rows("overrun")))
        self.bad_setting.expect(len(self.rows("bad")))


@cocotb.test()
@cocotb.parametrize(stalls=STALLS)
async def closed_windows_equal_spark(dut, stalls):
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


@points(
    {"width": 12, "operator": "min"},
    {"width": 16, "operator": "sum", "modules": 6},
    {"width": 9, "operator": "count", "modules": 2},
)
def test_window_modules(point, simulator, tmp_path):
    run_bench(__name__, "window-modules", point, simulator, tmp_path)
