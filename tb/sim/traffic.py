"""The hand-made AXI4 master of these tests, alone or twice, and what it leaves in the memory."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rtl.contract.buses import MemoryBus
from sim.bench import Bench
from tb.sim.designs import stream, twin

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
        mixed = n * 0x9E3779B1 & 0xFFFFFFFF
        return ((mixed ^ mixed >> 15) << self.shift & WHOLE) + self.offset

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


def memory(name, width):
    return MemoryBus(name=name, port=name, data_width=width, address_width=32)


def text_of(width, defect=None):
    """Verilog text of the master with a bus of ``width`` bits; ``defect`` is a macro."""
    defines = [f"`define WIDTH {width}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])


def traffic_bench(width=512, defect=None, *, cache, simulator="compiled"):
    """The bench of the master."""
    return Bench(
        top="traffic",
        streams=[stream("m_axis", 4)],
        memories=[memory("m_axi", width)],
        verilog=text_of(width, defect),
        cache=cache,
        simulator=simulator,
    )


def twin_bench(width, *, cache):
    """The bench of two masters that are started together."""
    return Bench(
        top="twin",
        streams=[stream("m_axis", 4), stream("m_axis_1", 4)],
        memories=[memory("m_axi", width), memory("m_axi_1", width)],
        verilog=twin(text_of(width), "traffic"),
        cache=cache,
    )


def run(bench, traffic, *, packets=1, **options):
    """The outcome of a run of the master."""
    return bench.run({}, writes=traffic.writes, reads=SEEN, packets=packets, **options)


def holds(outcome, traffic):
    """Whether the memory holds all that the master should have written."""
    return all(
        outcome.contents.read(start, end - start) == content(start, end - start)
        for start, end in traffic.spans()
    )
