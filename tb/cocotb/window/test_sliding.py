"""Checks sliding aggregates: a row for each full window, and its stamp."""

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench


class TB(Testbench):
    """Sends items and their settings to ``i``, and compares the rows at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        stamps = ["stamp", "stride"] if self.point["stamp"] else []
        self.i = self.driver("i", side_ports=["size", "slide", *stamps])
        self.o = self.monitor("o", side_ports=["busy"])
        self._items = 0  # of the stream
        self._size = 0  # of its windows
        self.cover("i", "size", [1, "even", "odd", "largest"], self.size)
        self.cover("i", "slide", [1, "size", "between"], self.slide)
        lengths = ["no item", "short", "one window", "many windows", "wraps around"]
        self.cover("i", "items of a stream", lengths, self.length)

    def size(self, payload):
        if (size := payload.get("size")) is None:
            return None
        return {1: 1, self.point["items_max"]: "largest"}.get(size, "odd" if size % 2 else "even")

    @staticmethod
    def slide(payload):
        if (slide := payload.get("slide")) is None:
            return None
        return {payload["size"]: "size", 1: 1}.get(slide, "between")

    def length(self, payload):
        self._items += payload["valid"]
        self._size = payload.get("size", self._size)
        if not payload["last"]:
            return None
        items, self._items = self._items, 0
        if items <= self._size:
            return "no item" if not items else "short" if items < self._size else "one window"
        return "wraps around" if items > 2 * self.point["items_max"] else "many windows"

    def start(self):
        self._items = 0
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))


equality_tests = rows_equal_spark(TB)


SMALL = {"tuples": 64, "width": 16}


@points(
    SMALL | {"operator": "min", "items_max": 8, "stamp": 32},
    SMALL | {"operator": "max", "items_max": 64, "stamp": 0},
)
def test_two_stacks(point, simulator, tmp_path):
    run_bench(__name__, "two-stacks", point, simulator, tmp_path)


@points(
    SMALL | {"operator": "sum", "items_max": 8, "stamp": 32},
    SMALL | {"operator": "sum", "items_max": 64, "stamp": 0},
)
def test_sliding(point, simulator, tmp_path):
    run_bench(__name__, "sliding", point, simulator, tmp_path)


@points(
    SMALL | {"operator": "sum", "items_max": 8, "stamp": 32},
    SMALL | {"operator": "max", "items_max": 16, "stamp": 0},
)
def test_sequential(point, simulator, tmp_path):
    run_bench(__name__, "sequential", point, simulator, tmp_path)
