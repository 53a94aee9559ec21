"""The hand-made AXI4 master of these tests, and what it leaves in the memory."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rtl.contract.buses import MemoryBus
from tb.harness.bench import Bench
from tb.harness_tests.designs import stream

SOURCE = Path(__file__).with_name("traffic.v")
WRITE, READ, AT_ONCE, SLOW = 1, 2, 4, 8
SEEN = (64, 68, 72)  # mismatches, errors, cycles
WHOLE = (1 << 30) - 1


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Bursts of the master; ``beats`` of ``1 << size`` bytes each, starts ``1 << shift`` apart."""

    mode: int
    bursts: int
    beats: int
    size: int = 6
    shift: int = 12
    offset: int = 0
    strobe: int = 15
    flight: int = 8

    @property
    def writes(self):
        """The register writes that start it."""
        values = (self.bursts, self.beats - 1, self.size, self.shift, self.offset, self.strobe)
        pairs = [(4 * (k + 1), value) for k, value in enumerate((*values, self.flight))]
        return [*pairs, (0, self.mode)]

    def start(self, n):
        """Address of burst ``n``."""
        return ((n * 0x9E3779B1 & 0xFFFFFFFF) << self.shift & WHOLE) + self.offset

    def spans(self):
        """First address and the one behind the last, of each burst."""
        for n in range(self.bursts):
            start = self.start(n)
            yield start, (start >> self.size << self.size) + (self.beats << self.size)


def content(address, count):
    """What the master writes: ``count`` bytes from ``address`` on."""
    words = np.arange(address // 4, (address + count + 3) // 4, dtype=np.uint64)
    words = (words * 0x85EBCA6B ^ 0x5BD1E995).astype(np.uint32)
    return words.tobytes()[address % 4 : address % 4 + count]


def traffic_bench(width=512, defect=None, *, cache, simulator="compiled"):
    """The bench of the master with a bus of ``width`` bits; ``defect`` is a macro."""
    defines = [f"`define WIDTH {width}", *([f"`define {defect} 1"] if defect else [])]
    memory = MemoryBus(name="m_axi", port="m_axi", data_width=width, address_width=32)
    return Bench(
        top="traffic",
        streams=[stream("m_axis", 4)],
        memories=[memory],
        verilog="\n".join([*defines, SOURCE.read_text()]),
        cache=cache,
        simulator=simulator,
    )


def run(bench, traffic, **options):
    """The outcome of a run of the master."""
    return bench.run({}, writes=traffic.writes, reads=SEEN, packets=1, **options)
