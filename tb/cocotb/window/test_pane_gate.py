"""Checks the pane gate: the items and the lengths of panes, and the streams that are swallowed."""

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.streams import StreamDriver
from tb.cocotb.support.testbench import Testbench


class SteadyDriver(StreamDriver):
    """Drives the context of the next item also while it pauses, as a punctuator does."""

    def _drive(self, payload):
        super()._drive(payload)
        if payload is None and self._queue:
            for field, value in self._queue[0].items():
                if field.startswith("context"):
                    self.pins.fields[field].value = value


class TB(Testbench):
    """Sends items of windows to ``i``, and compares the items of panes at ``o`` and the lengths."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.dut.stream_done.value = 0
        self._ends = None  # the task that ends streams
        self.i = self._start(SteadyDriver(self, "i"), stalls[0])
        self.o = self.monitor("o")
        self.bad_setting = self.pulse_counter("bad_setting")
        self.overrun = self.pulse_counter("overrun")
        self.swallowed_end = self.pulse_counter("swallowed_end")
        bins = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1)]
        self.cover("o", "tuple, end and change", bins, self.form)

    @staticmethod
    def form(item):
        return item["valid"], item["last"], item["changed"]

    async def end_streams(self, lengths):
        """Compares the lengths at each item, and ends a stream some cycles after its last item."""
        for expected in lengths:
            last = False
            while not last:
                await RisingEdge(self.clock)
                if int(self.dut.o_valid.value) and int(self.dut.o_ready.value):
                    ports = {"size": self.dut.size, "step": self.dut.step}
                    actual = {name: int(port.value) for name, port in ports.items()}
                    actual["stamp"] = self.dut.stamp.value.to_signed()
                    actual["stride"] = int(self.dut.stride.value)
                    assert actual == expected, f"lengths are {actual}, not {expected}"
                    last = int(self.dut.o_payload_last.value)
            for _ in range(5):
                await RisingEdge(self.clock)
                assert not int(self.dut.o_valid.value), "an item before the previous stream ended"
            self.dut.stream_done.value = 1
            await ClockCycles(self.clock, 1)
            self.dut.stream_done.value = 0

    def start(self):
        if self._ends is not None:
            self._ends.cancel()
        self.dut.stream_done.value = 0
        self._ends = cocotb.start_soon(self.end_streams(self.rows("lengths")))
        super().start()

    def check_counts(self):
        self.bad_setting.expect(len(self.rows("bad")))
        self.swallowed_end.expect(len(self.rows("bad")))
        self.overrun.expect(len(self.rows("overrun")))


equality_tests = rows_equal_spark(TB)


@points({"width": 10}, {"width": 7, "panes_max": 32})
def test_pane_gate(point, simulator, tmp_path):
    run_bench(__name__, "pane-gate", point, simulator, tmp_path)
