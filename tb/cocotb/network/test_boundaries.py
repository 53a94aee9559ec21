"""Checks the marks of the first and the last tuple of each group, and of tuples that descend."""

from itertools import pairwise

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends streams of groups to ``i``, and compares the marked beats at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.lanes = self.point["lanes"]
        self.checks = self.point["order"] == "checked"
        self.i = self.driver("i")
        self.expect_timing(latency=1)
        self.o = self.monitor("o", side_ports=["unsorted"] if self.checks else [])
        ends = [(count, 1) for count in range(self.lanes + 1)]
        self.cover("i", "tuples of a last beat", ends, self.tuples_and_last)
        marks = [(first, last) for first in (0, 1) for last in (0, 1)]
        for lane in (0, self.lanes - 1):
            names = [f"lane{lane}_{name}" for name in ("first", "last")]
            self.cover("o", f"first and last, lane {lane}", marks, self.marks_at(names))
        if self.checks:
            self.cover("o", "unsorted", (0, 1), lambda beat: beat["unsorted"])

    @staticmethod
    def tuples_and_last(beat):
        return beat["valid"].bit_count(), beat["last"]

    @staticmethod
    def marks_at(names):
        return lambda beat: tuple(beat.get(name) for name in names)

    def start(self):
        marked = self.lists("o")
        sent = dense_beats(self.lists("i", len(marked)), self.lanes, empty_ends=True)
        for previous, beat in pairwise(sent):
            if not beat["valid"]:  # its lanes hold tuples of the group that ends
                beat.update(previous | beat)
        self.i.send(sent)
        self.o.expect(map(self.unsorted, dense_beats(marked, self.lanes, empty_ends=True)))

    def unsorted(self, beat):
        """Returns a beat with the bit ``unsorted`` in place of the descents of its tuples."""
        fields = [field for field in beat if field.endswith("_descends")]
        descents = [beat.pop(field) for field in fields]
        return beat | ({"unsorted": int(any(descents))} if self.checks else {})


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 16, "order": "checked"},
    {"lanes": 2, "width": 8, "order": "free"},
    {"lanes": 8, "width": 12, "order": "checked"},
)
def test_boundaries(point, simulator, tmp_path):
    run_bench(__name__, "boundaries", point, simulator, tmp_path)
