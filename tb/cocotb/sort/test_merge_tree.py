"""Checks the merge tree: a sorted list from each leaf gives one sorted list at the root."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.payloads import dense_beats
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends lists to the leaves, and compares the merged lists at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.leaves = [self.driver(f"leaf{k}") for k in range(self.point["lanes"])]
        self.o = self.list_monitor("o")
        self.cover("leaf0", "valid and last", [(0, 0), (0, 1), (1, 0), (1, 1)], self.valid_and_last)
        counts = range(self.point["lanes"] + 1)
        self.cover("o", "tuples of a last beat", counts, self.tuples_of_last)

    @staticmethod
    def valid_and_last(beat):
        return beat["valid"], beat["last"]

    @staticmethod
    def tuples_of_last(beat):
        return beat["valid"].bit_count() if beat["last"] else None

    def start(self):
        merged = self.lists("o")
        lists = [self.lists(leaf.name, len(merged)) for leaf in self.leaves]
        longest = [max(map(len, same)) for same in zip(*lists, strict=True)]
        for leaf, of_leaf in zip(self.leaves, lists, strict=True):
            pad = dict.fromkeys(leaf.pins.fields, 0)  # equal pads ascend, as tuples must
            for tuples, length in zip(of_leaf, longest, strict=True):
                beats = [payload for item in tuples for payload in dense_beats([[item]], 1)]
                beats += [pad] * (length - len(beats))
                leaf.send(beat | {"last": int(k == length - 1)} for k, beat in enumerate(beats))
        self.o.expect(merged)


equality_tests = rows_equal_spark(TB)


@points(
    {"lanes": 4, "width": 16, "cardinality": 10},
    {"lanes": 2, "width": 32, "cardinality": 0},
    {"lanes": 8, "width": 24, "cardinality": 12},
)
def test_merge_tree(point, simulator, tmp_path):
    run_bench(__name__, "merge-tree", point, simulator, tmp_path)
