"""Checks the pane buffer: tuples in disorder, their panes, their windows, and dropped tuples."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends tuples to ``i``; compares ``panes``, the windows at ``o``, and the dropped tuples."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        makes_punctuations = self.point["punctuations"] == "made"
        self.i = self.driver("i")
        self.panes = self.monitor("panes")
        self.o = self.monitor("o", side_ports=["busy"])
        self.late = self.pulse_counter("events_late")
        self.overrun = self.pulse_counter("events_overrun")
        self.bad_setting = self.pulse_counter("errors_bad_setting")
        fates = ["no tuple", "timely", "late", "overrun"]
        fates += ["late or overrun"] * makes_punctuations
        self.cover("i", "fate", fates, lambda arrival: arrival["fate"])
        self.cover("i", "window", ["one pane", "slide of a pane", "slide of panes"], self.window)
        panes = ["empty", "with tuples", "last, empty", "no pane, last"]
        self.cover("panes", "pane", panes, self.pane)
        tuples = [(count, busy) for count in (0, 1, 2) for busy in (None, 1)]
        self.cover("o", "tuples of a window, and end", tuples, self.tuples)

    @staticmethod
    def window(arrival):
        range_, slide = arrival["range"], arrival["slide"]
        if not 0 < slide <= range_:
            return None
        if range_ == slide:
            return "one pane"
        return "slide of panes" if range_ % slide else "slide of a pane"

    @staticmethod
    def pane(item):
        if not item["valid"]:
            return "no pane, last"
        content = "with tuples" if item["nonempty"] else "empty"
        return f"last, {content}" if item["last"] else content

    @staticmethod
    def tuples(row):
        return min(2, row["lane0_results_r2"]), row.get("busy")

    def start(self):
        self.i.send(self.rows("i"))
        self.panes.expect(self.rows("panes"))
        self.o.expect(self.rows("o"))

    def check_counts(self):
        fates = [dropped["fate"] for dropped in self.rows("dropped")]
        assert self.late.count + self.overrun.count == len(fates)
        self.late.expect_between(fates.count("late"), len(fates) - fates.count("overrun"))
        self.bad_setting.expect_between(1, len(self.rows("bad")))
        assert not int(self.dut.busy.value), "busy after the last row"


equality_tests = rows_equal_spark(TB, reset_after=900)


@points(
    {"width": 10, "modules": 4, "panes": 8},
    {"width": 10, "modules": 6, "window_level": "sequential", "punctuations": "stream"},
    {"width": 14, "modules": 3, "panes": 32, "punctuations": "stream"},
    {"width": 9, "modules": 8, "panes": 4, "window_level": "sequential"},
)
def test_pane_buffer(point, simulator, tmp_path):
    run_bench(__name__, "pane-buffer", point, simulator, tmp_path)
