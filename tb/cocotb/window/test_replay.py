"""Checks the replay buffer: it sends every window of a stream in full, and then the end."""

from collections import defaultdict

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.streams import ListMonitor
from tb.cocotb.support.testbench import Testbench


class Cut(list):
    """The tuples of a window that the end of its stream cuts short.

    Any number of them may come, from the first tuple on, or none.
    """


class WindowMonitor(ListMonitor):
    """Compares windows. An empty beat with ``context`` ends a :class:`Cut`."""

    def _accepted(self):
        if not int(self.pins.fields["context"].value):
            return super()._accepted() | {"cut": None}
        beat = {"valid": 0, "last": 1, "context": 1}
        self._compare(beat, {field: field for field in beat}, "end of a stream")
        assert self._expected, f"{self.name}: an end of a stream came, and none was expected"
        assert isinstance(self._expected.popleft()[0], Cut), (
            f"{self.name}: the stream ends too early"
        )
        tuples, self._place = self._place, 0
        return beat | {"cut": tuples > 0}


class TB(Testbench):
    """Sends streams and their settings to ``i``, and compares the windows at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.lanes = self.point["lanes"]
        self.i = self.driver("i", side_ports=["size", "slide"])
        self.o = self._start(WindowMonitor(self, "o"), self._stall_out)
        self._beats = 0  # of the stream
        self.cover("i", "size", ["one beat", "largest", "other"], self.size)
        self.cover("i", "slide", ["one beat", "size", "other"], self.slide)
        short = ["short"] if self.lanes > 1 else []
        self.cover("i", "end", ["empty", *short, "full"], self.end)
        self.cover("i", "memory", ["fits", "wraps around"], self.memory)
        self.cover("o", "tuples of a window that is cut short", (False, True), lambda b: b["cut"])

    def size(self, beat):
        names = {self.lanes: "one beat", self.point["window_max"]: "largest", None: None}
        return names.get(beat.get("size"), "other")

    def slide(self, beat):
        names = {self.lanes: "one beat", beat.get("size"): "size"}
        return names.get(beat["slide"], "other") if "slide" in beat else None

    def end(self, beat):
        kinds = {0: "empty", self.lanes: "full"}
        return kinds.get(beat["valid"].bit_count(), "short") if beat["last"] else None

    def memory(self, beat):
        self._beats += 1
        count, self._beats = self._beats, 0 if beat["last"] else self._beats
        wraps = count * self.lanes > 2 * self.point["window_max"]
        return ("wraps around" if wraps else "fits") if beat["last"] else None

    def start(self):
        self._beats = 0
        streams = self.rows("streams")
        windows = defaultdict(list)
        for row in self.rows("o"):
            windows[row["stream"], row["window"]].append({"value": row["value"]})
        for number, tuples in enumerate(self.lists("i", len(streams))):
            stream = streams[number]
            settings = {name: stream[name] for name in ("size", "slide")}
            first, *others = dense_beats([tuples], self.lanes, empty_ends=number % 2 == 0)
            self.i.send([first | settings, *others])
            self.o.expect(windows[number, k] for k in range(stream["windows"]))
            self.o.expect([Cut(windows[number, stream["windows"]])])


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "window_max": 32, "width": 16},
    {"lanes": 2, "window_max": 128, "width": 32},
    {"lanes": 1, "window_max": 16, "width": 8},
)
def test_replay(point, simulator, tmp_path):
    run_bench(__name__, "replay", point, simulator, tmp_path)
