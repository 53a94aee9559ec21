"""Checks the merge sorter: each window leaves sorted, with the sizes of its groups."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends windows to ``i``, and compares the sorted windows at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i", side_ports=["rows"])
        self.o = self.monitor("o")
        self._beats = 0  # of the growing window
        chunks = range(1, 1 + self.point["window_max"] // self.point["capacity"])
        self.cover("i", "chunks of a window", [*chunks, "cut"], self.chunks)
        self.cover("i", "beats of the last chunk", [1, "full", "other"], self.last_chunk)
        self.cover("o", "end of a stream", (0, 1), lambda beat: beat["context"])

    def chunks(self, beat):
        if beat["context"]:
            cut, self._beats = self._beats > 0, 0
            return "cut" if cut else None
        self._beats = 0 if beat["last"] else self._beats + 1
        return -(-beat["rows"] // self.chunk_beats) if beat["last"] else None

    def last_chunk(self, beat):
        count = (beat["rows"] - 1) % self.chunk_beats + 1
        return {1: 1, self.chunk_beats: "full"}.get(count, "other")

    @property
    def chunk_beats(self):
        return self.point["capacity"] // self.point["lanes"]

    def start(self):
        self._beats = 0
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))


equality_tests = rows_equal_spark(TB)


SMALL = {"lanes": 4, "capacity": 16, "window_max": 64, "width": 16, "cardinality": 8}


@points(
    SMALL | {"passes": "shared"},
    SMALL | {"passes": "pipelined"},
    SMALL | {"lanes": 2, "window_max": 128, "cardinality": 0, "passes": "shared"},
)
def test_merge_sorter(point, simulator, tmp_path):
    run_bench(__name__, "merge-sorter", point, simulator, tmp_path)
