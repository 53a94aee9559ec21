"""Checks the scans of each shape: running aggregates of a beat, and of a stream."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends beats of states to ``i``, and compares the scanned beats at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.lanes = range(self.point["lanes"])
        levels = (len(self.lanes) - 1).bit_length()
        levels = 2 * levels - 1 if self.point["scan"] == "brent-kung" else levels
        self.expect_timing(latency=levels)
        self._beats = 0  # of the stream so far
        self.cover("i", "beats of a stream", [1, 2, 3, 4], self.length)
        self.cover("i", "ends of the type in all lanes", [0, 1], self.extremes)
        if self.point["operator"] == "segmented-sum":
            counts = range(len(self.lanes) + 1)
            self.cover("i", "boundaries in a beat", counts, self.boundaries)

    def length(self, beat):
        """Returns the number of beats of the stream that ends with this beat, or None."""
        self._beats += 1
        length = self._beats
        if beat["last"]:
            self._beats = 0
        return length if beat["last"] else None

    def extremes(self, beat):
        """Returns 0 or 1 if all lanes have the type's least or greatest value, else None."""
        values = {beat[field] for field in beat if field.endswith("value")}
        if self.point["operator"] == "count":
            return values.pop() if len(values) == 1 else None
        half = 1 << self.point["width"] - 1
        return {(-half,): 0, (half - 1,): 1}.get(tuple(values))

    def boundaries(self, beat):
        """Returns the number of lanes in which a segment begins."""
        return sum(beat[f"states{k}_first"] for k in self.lanes)


equality_tests = rows_equal_spark(TB)


@points(
    {"scan": "sklansky", "operator": "segmented-sum", "lanes": 4, "width": 16},
    {"scan": "kogge-stone", "operator": "segmented-sum", "lanes": 8, "width": 32},
    {"scan": "brent-kung", "operator": "segmented-sum", "lanes": 8, "width": 32},
    {"scan": "brent-kung", "operator": "max", "lanes": 2, "width": 8},
)
def test_prefix_scan(point, simulator, tmp_path):
    run_bench(__name__, "prefix-scan", point, simulator, tmp_path)


@points(
    {"scan": "brent-kung", "operator": "segmented-sum", "lanes": 4, "width": 16},
    {"scan": "kogge-stone", "operator": "min", "lanes": 8, "width": 32},
    {"scan": "sklansky", "operator": "count", "lanes": 2, "width": 8},
    {"scan": "sklansky", "operator": "sum", "lanes": 16, "width": 32},
)
def test_rolling_scan(point, simulator, tmp_path):
    run_bench(__name__, "rolling-scan", point, simulator, tmp_path)
