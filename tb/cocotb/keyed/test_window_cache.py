"""Checks the window cache: the decision about each value, and the windows that are in the cache."""

import cocotb

from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench

DECISION = ["decision_hit", "decision_claims", "decision_stored", "decision_place"]


class TB(Testbench):
    """Sends values to ``i``; compares the decision about each, and the lines of hits at ``o``."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.decisions = self.answer_monitor("i", DECISION)
        self.o = self.monitor("o")
        self.previous = None
        lanes, self.ring = self.point["lanes"], 2 * self.point["values"]
        kinds = ["no value", "no window", "hit", "miss", "claim", "claim of a key's place"]
        self.cover("i", "value", kinds, self.kind_of)
        self.cover("i", "fresh value of a window", [0, 1], self.fresh_claim)
        pairs = [f"hit, {kind}" for kind in ("no window", "hit", "miss", "claim")]
        self.cover("i", "value after a hit", pairs, self.pair_of)
        self.cover("i", "lane of the first value", range(lanes), self.lane_of)
        bins = ["inside", "at the end", "wraps around"]
        self.cover("i", "hit in its ring", bins, self.end_of)
        self.cover("o", "line", ["full", "full, last", "rest, last"], self.line_of)

    @staticmethod
    def kind_of(value):
        if not value["valid"]:
            return "no value"
        if value["claims"]:
            return "claim of a key's place" if value["takes"] else "claim"
        return ("hit" if value["hit"] else "miss") if value["closes"] else "no window"

    @staticmethod
    def fresh_claim(value):
        return value["fresh"] if value["claims"] else None

    def pair_of(self, value):
        """Returns the kind of a value behind a hit."""
        earlier, self.previous = self.previous, self.kind_of(value)
        return f"{earlier}, {self.previous.split(' of ')[0]}"

    def lane_of(self, value):
        first = value["number"] + 1 - value["size"]
        return first % self.point["lanes"] if value["hit"] else None

    def end_of(self, value):
        """Returns where the window of a hit ends in the ring of its place."""
        beyond = value["size"] - 1 - value["number"] % self.ring
        names = {True: "wraps around", False: "inside"}
        is_end = value["number"] % self.ring == self.ring - 1
        return ("at the end" if is_end else names[beyond > 0]) if value["hit"] else None

    def line_of(self, line):
        kind = "full" if line["lane0_values"] == self.point["lanes"] else "rest"
        return f"{kind}, last" if line["last"] else kind

    def start(self):
        self.previous = None
        self.i.send(self.rows("i"))
        self.decisions.expect(self.rows("decisions"))
        self.o.expect(self.rows("o"))


equality_tests = rows_equal_spark(TB, reset_after=900)


@cocotb.test()
async def a_slow_output_loses_nothing(dut):
    await TB(dut, (0.0, 0.8)).run()


_SMALL = {"values": 16, "width": 16, "entries": 16}


@points(
    _SMALL | {"places": 2, "lanes": 4},
    _SMALL | {"places": 3, "lanes": 2},
    {"places": 4, "lanes": 8, "values": 32, "width": 32},
)
def test_window_cache(point, simulator, tmp_path):
    run_bench(__name__, "window-cache", point, simulator, tmp_path)
