"""Checks the windows of each key: their lines, evicted keys, counters, and the lines in AxiRam."""

from cocotb.triggers import RisingEdge

from tb.cocotb.support.axi_memory import AxiMemory
from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import Testbench

#: Bytes of a line, and of the memory behind each port.
LINE, SIZE = 64, 1 << 20
COUNTERS = "m3_lines_read", "m3_lines_written", "window_values", "m3_window_values", "collision"


class TB(Testbench):
    """Sends tuples to ``i``; compares the lines at ``o``, ``evicted``, counters and memories."""

    def __init__(self, dut, stalls):
        super().__init__(dut, stalls)
        self.i = self.driver("i")
        self.o = self.monitor("o")
        self.evicted = self.monitor("evicted")
        self.counters = {name: self.pulse_counter(f"events_{name}") for name in COUNTERS}
        self.failures = self.pulse_counter("failed")
        self.memories = [
            AxiMemory(self, f"m_axi_{k}", f"bases{k}", SIZE, stalls[1])
            for k in range(self.point["ports"])
        ]
        self.lines = 0  # of the window, so far
        self.places = self.point["ring_lines"] * self.point["items"]
        self.cover("i", "size", [1, "some", self.places], self.size_of)
        self.cover(
            "i", "tuple", [(0, 0), (0, 1), (1, 0), (1, 1)], lambda i: (i["valid"], i["last"])
        )
        self.cover("evicted", "report", ["a key", "a key, and the end", "the end"], self.report_of)
        numbers = ["none", 1, 2, "some", self.point["ring_lines"] + 1]
        self.cover("o", "lines of a window", numbers, self.lines_of)

    def size_of(self, beat):
        size = beat["settings_size"]
        return size if size in (1, self.places) else "some"

    @staticmethod
    def report_of(beat):
        return ("a key, and the end" if beat["last"] else "a key") if beat["valid"] else "the end"

    def lines_of(self, line):
        self.lines += 1
        if not line["last"]:
            return None
        lines, self.lines = self.lines, 0
        if not line["valid"]:
            return "none"
        return lines if lines in (1, 2, self.point["ring_lines"] + 1) else "some"

    def start(self):
        self.lines = 0
        for memory in self.memories:
            memory.clear()
        self.i.send(self.rows("i"))
        for side in (self.o, self.evicted):
            side.expect(self.rows(side.name))

    async def finish(self):
        """Waits for all payloads, and for the end of all bursts."""
        await super().finish()
        while int(self.dut.busy.value):
            await RisingEdge(self.clock)

    def check_counts(self):
        """Compares counters, and the contents of the memories.

        With memory "dram-only" the lines of the memory are neither counted nor compared, because
        the expected rows name full lines only, and this memory holds growing lines, too.
        """
        self.failures.expect(0)
        lines, full_lines = self.rows("o"), self.rows("memory")
        from_memory = [line["valid"].bit_count() for line in lines if line["passenger_m3"]]
        expected = {
            "window_values": sum(line["valid"].bit_count() for line in lines),
            "m3_window_values": sum(from_memory),
            "collision": sum(report["valid"] for report in self.rows("evicted")),
        }
        if self.point["memory"] == "mlq":
            expected["m3_lines_read"] = len(from_memory)
            expected["m3_lines_written"] = sum(line["writes"] for line in full_lines)
            self.expect_memories(full_lines)
        for name, count in expected.items():
            self.counters[name].expect(count)

    def expect_memories(self, full_lines):
        """Compares the memories: every full line, and 0 where no line is full."""
        ports, ring_lines, bits = self.point["ports"], self.point["ring_lines"], self.point["width"]
        parts = [{} for _ in self.memories]
        for line in full_lines:
            slots = [line[f"lane{k}"] % (1 << bits) for k in range(self.point["items"])]
            data = [slot.to_bytes(LINE // len(slots), "little") for slot in slots]
            port = (line["number"] + line["number"] // ring_lines) % ports
            parts[port][line["number"] // ports * LINE] = b"".join(data)
        for memory, expected in zip(self.memories, parts, strict=True):
            memory.expect(expected)


equality_tests = rows_equal_spark(TB, reset_after=600)


_SMALL = {"key_width": 6, "entries": 8, "ring_lines": 4, "items": 8}


@points(
    _SMALL | {"width": 32},
    _SMALL | {"width": 64, "ways": 1, "m2_lines": 2, "ports": 2, "data_width": 128},
    _SMALL | {"width": 16, "ways": 4, "entries": 16, "items": 16, "ring_lines": 8, "ports": 4},
    _SMALL | {"width": 32, "memory": "dram-only", "data_width": 256},
)
def test_windows_of_keys(point, simulator, tmp_path):
    run_bench(__name__, "key-windows", point, simulator, tmp_path)
