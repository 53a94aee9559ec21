"""Runs the hand-written AXI4 master ``traffic.v``, and computes the data that it writes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rtl.contract.buses import MemoryBus
from sim.bench import Bench
from tb.sim.designs import stream, twin

SOURCE = Path(__file__).with_name("traffic.v")
#: Bits of ``mode``. Without AT_ONCE, reads begin after the last write. SLOW accepts answers in one
#: of four cycles.
WRITE, READ, AT_ONCE, SLOW = 1, 2, 4, 8
COUNTERS = (64, 68, 72)  # addresses of mismatches, errors, cycles
ADDRESS_MASK = (1 << 30) - 1


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Settings of the master.

    Attributes
    ----------
    mode : int
        Sum of WRITE, READ, AT_ONCE and SLOW.
    bursts, beats : int
        Number of bursts, and of beats in a burst.
    size : int
        A beat has ``1 << size`` bytes.
    shift, offset : int
        The address of a burst is a multiple of ``1 << shift``, plus ``offset``.
    strobe : int
        Write strobes of each four bytes.
    flight : int
        Largest number of unanswered bursts, of writes and of reads.
    """

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
        """Register writes that start the master."""
        values = (self.bursts, self.beats - 1, self.size, self.shift, self.offset, self.strobe)
        pairs = [(4 * (k + 1), value) for k, value in enumerate((*values, self.flight))]
        return [*pairs, (0, self.mode)]

    def start(self, n):
        """Returns the address of burst ``n``."""
        mixed = n * 0x9E3779B1 & 0xFFFFFFFF
        return ((mixed ^ mixed >> 15) << self.shift & ADDRESS_MASK) + self.offset

    def spans(self):
        """Yields the first address of each burst, and the address after its last byte."""
        for n in range(self.bursts):
            start = self.start(n)
            yield start, (start >> self.size << self.size) + (self.beats << self.size)


def content(address, count):
    """Returns the ``count`` bytes that the master writes at ``address``."""
    words = np.arange(address // 4, (address + count + 3) // 4, dtype=np.uint64)
    words = (words * 0x85EBCA6B ^ 0x5BD1E995).astype(np.uint32)
    return words.tobytes()[address % 4 : address % 4 + count]


def memory(name, width):
    return MemoryBus(name=name, port=name, data_width=width, address_width=32)


def text_of(width, defect=None):
    """Returns the Verilog of the master with a bus of ``width`` bits; ``defect`` is a macro."""
    defines = [f"`define WIDTH {width}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])


def traffic_bench(width=512, defect=None, *, cache, simulator="compiled"):
    """Returns the bench of the master."""
    return Bench(
        top="traffic",
        streams=[stream("m_axis", 4)],
        memories=[memory("m_axi", width)],
        verilog=text_of(width, defect),
        cache=cache,
        simulator=simulator,
    )


def twin_bench(width, *, cache):
    """Returns the bench of two masters that start together."""
    return Bench(
        top="twin",
        streams=[stream("m_axis", 4), stream("m_axis_1", 4)],
        memories=[memory("m_axi", width), memory("m_axi_1", width)],
        verilog=twin(text_of(width), "traffic"),
        cache=cache,
    )


def run(bench, traffic, *, packets=1, **options):
    """Runs the master, and returns the outcome."""
    return bench.run({}, writes=traffic.writes, reads=COUNTERS, packets=packets, **options)


def all_written(outcome, traffic):
    """True if the memory has all data that the master should have written."""
    return all(
        outcome.contents.read(start, end - start) == content(start, end - start)
        for start, end in traffic.spans()
    )
