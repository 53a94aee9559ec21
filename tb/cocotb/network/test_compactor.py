"""Checks the round-robin compactor: the tuples of valid lanes leave in order, without gaps."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends beats with gaps to ``i``, and compares the dense lists at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.list_monitor("o")
        self.expect_timing()
        self.lanes = self.point["lanes"]
        self._place = 0  # lane of the stream's next tuple
        counts = range(self.lanes + 1)
        fills = [(place, count) for place in range(self.lanes) for count in counts]
        self.cover("i", "lane and tuples", fills, self.fill)
        self.cover("i", "tuples of a last beat", counts, self.tuples_of_last)
        self.cover("o", "tuples of a last beat", counts, self.tuples_of_last)

    def fill(self, beat):
        place, count = self._place, beat["valid"].bit_count()
        self._place = 0 if beat["last"] else (place + count) % self.lanes
        return place, count

    @staticmethod
    def tuples_of_last(beat):
        return beat["valid"].bit_count() if beat["last"] else None

    def start(self):
        self._place = 0
        self.i.send(self.rows("i"))
        streams = self.rows("streams")
        self.o.expect(self.lists("o", len(streams)), streams)


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 32, "scan": "sklansky", "context": 8},
    {"lanes": 8, "width": 16, "scan": "brent-kung", "context": 1},
    {"lanes": 2, "width": 8, "scan": "kogge-stone", "context": 3},
)
def test_compactor(point, simulator, tmp_path):
    run_bench(__name__, "compactor", point, simulator, tmp_path)
