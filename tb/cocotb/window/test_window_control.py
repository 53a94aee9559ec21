"""Checks the control of a ring of windows: which windows a tuple goes to, and which are closed."""

from collections import deque

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.streams import StreamMonitor
from tb.cocotb.support.testbench import Testbench


class RingMonitor(StreamMonitor):
    """Follows the commands in a plain ring of begins, and compares the steps with Spark's.

    Commands that only prepare the ring for a stream are no step: only the windows of the ring show
    them, at the next tuple.
    """

    def __init__(self, tb, name):
        super().__init__(tb, name)
        self.clear()

    def clear(self):
        super().clear()
        self._ring = deque([None] * self._tb.point["modules"])

    def _accepted(self):
        command = {field: int(handle.value) for field, handle in self.pins.fields.items()}
        width = self.pins.widths["time"]
        if command["close"]:
            begin = self._ring.popleft()
            self._ring.append(command["begin"])
            if command["row"]:
                end = command["end"] - (command["end"] >> width + 1 << width + 2)
                self._step({"begin": begin, "end": end})
        if command["add"]:
            floor = -1 if command["low"] else command["floor"]
            window_begins = sorted(b for b in self._ring if floor < b <= command["time"])
            value = command["state_value"]
            self._step({"value": value} | {f"begins{k}": b for k, b in enumerate(window_begins)})
        return command

    def _step(self, step):
        expected = self._expected.popleft()
        if "value" in expected:
            expected["value"] %= 1 << self.pins.widths["state_value"]
        assert step == expected, f"step {self.count} is {step}, not {expected}"


class TB(Testbench):
    """Sends items to ``i``, and compares the steps of the ring."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self._start(RingMonitor(self, "o"), 0)
        self.overrun = self.pulse_counter("overrun")
        self.bad_setting = self.pulse_counter("bad_setting")
        bins = [(0, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1)]
        self.cover("o", "close, row and add", bins, self.form)

    @staticmethod
    def form(command):
        return command["close"], command["row"], command["add"]

    def start(self):
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("steps"))

    def check_counts(self):
        self.overrun.expect(len(self.rows("overrun")))
        self.bad_setting.expect(len(self.rows("bad")))


equality_tests = rows_equal_spark(TB)


@points({"width": 12, "operator": "min"}, {"width": 16, "operator": "min", "modules": 6})
def test_window_control(point, simulator, tmp_path):
    run_bench(__name__, "window-control", point, simulator, tmp_path)
