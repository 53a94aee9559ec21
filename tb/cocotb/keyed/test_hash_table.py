"""Compares the lookups of the hash table with PySpark's: entries of keys, evictions, and states.

The state of a key counts the key's tuples.
"""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends tuples to ``i``, and compares the lookups at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        bins = ["no tuple", "old key", "free entry", "eviction"]
        self.cover("o", "lookup", bins, self.lookup)
        self.cover("o", "last", [(0, 0), (0, 1), (1, 0), (1, 1)], self.valid_and_last)
        self.cover("o", "entry", range(self.point["entries"]), lambda actual: actual.get("entry"))

    @staticmethod
    def lookup(actual):
        if not actual["valid"]:
            return "no tuple"
        fresh = "eviction" if actual["evicted"] else "free entry"
        return fresh if actual["fresh"] else "old key"

    @staticmethod
    def valid_and_last(actual):
        return actual["valid"], actual["last"]


equality_tests = rows_equal_spark(TB, reset_after=700)


# ``epoch`` and ``stamp`` are the bits of the number of a stream, and of the number of an arrival.
_SMALL = {"key_width": 12, "entries": 8, "epoch": 2, "stamp": 10}


@points(_SMALL, {**_SMALL, "ways": 4, "entries": 16}, {**_SMALL, "ways": 1, "key_width": 40})
def test_hash_table(point, simulator, tmp_path):
    run_bench(__name__, "hash-table", point, simulator, tmp_path)
