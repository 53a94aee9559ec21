"""The memory behind a design's AXI4 masters: what it is asked to be, and what it held."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

LINE = 64  # bytes
PAGE = 4096  # bytes: no burst crosses a multiple of it
SLVERR, DECERR = "slverr", "decerr"
RESPONSES = {SLVERR: 2, DECERR: 3}
BACKENDS = ("ideal", "ddr3")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An error that the memory gives on demand.

    With ``address``: to every beat of a read that touches the line with this byte, and to every
    burst of writes that does; the line is then not written. With ``access``: to the whole of the
    n-th burst (from 0) of each master in that direction. Data under an error are rubbish.

    Attributes
    ----------
    response : str
        ``"slverr"`` or ``"decerr"``.
    address, access : int or None
        Exactly one of the two is given.
    write : bool or None
        Only to writes, or only to reads; None to both.
    """

    response: str = SLVERR
    address: int | None = None
    access: int | None = None
    write: bool | None = None

    def __post_init__(self):
        if self.response not in RESPONSES:
            raise ValueError(f"response must be slverr or decerr, not {self.response}")
        if (self.address is None) == (self.access is None):
            raise ValueError("a fault must have either address or access, not both or none")


@dataclass(frozen=True, kw_only=True, eq=False)
class Memory:
    """One memory with a port for each AXI4 master of the design.

    *ideal*: each port gives a line of 64 bytes in every cycle and takes one; the first beat of a
    read is offered ``latency`` cycles after its address was taken, and the answer to a write as
    long after its last beat of data, unless earlier ones are still under way. A read sees what was
    answered before its address was taken, and nothing else: who reads what he writes must wait for
    the answer. For instance with ``latency=40``, a read of 8 lines whose address is taken in cycle
    100 has its beats in cycles 140 to 147.

    *ddr3*: a real controller with 1 GiB of DDR3-1600 behind it, see :mod:`sim.ddr3`; of the
    attributes below it takes only ``stall`` and ``outstanding``. Only in the compiled runner.

    Through cocotb, bursts are served one at a time and in order, with the latency of the model of
    cocotbext-axi; ``delay``, ``reorder`` and faults by ``access`` or with ``decerr`` are refused.

    Attributes
    ----------
    backend : str
        ``"ideal"`` or ``"ddr3"``.
    contents : mapping of int to bytes or array of uint8
        What is at a byte address at the beginning.
    fill : int
        Every byte that was never set.
    latency : int
        Cycles, at least 1.
    delay : int
        Each burst takes up to so many cycles more, at random.
    stall : float
        Probability that a channel pauses in a cycle: each of the five by itself.
    reorder : bool
        Bursts that are due are answered in any order, but never two of one id. Those of a read
        come whole, one after the other.
    outstanding : int
        Bursts that each direction of a port takes before it answers one.
    faults : sequence of Fault
    """

    backend: str = "ideal"
    contents: Mapping[int, bytes | np.ndarray] = field(default_factory=dict)
    fill: int = 0xA5
    latency: int = 40
    delay: int = 0
    stall: float = 0.0
    reorder: bool = False
    outstanding: int = 64
    faults: tuple[Fault, ...] = ()

    def __post_init__(self):
        if self.backend not in BACKENDS:
            raise ValueError(f"backend must be one of {', '.join(BACKENDS)}, not {self.backend}")
        for name, low in (("latency", 1), ("delay", 0), ("outstanding", 1)):
            if getattr(self, name) < low:
                raise ValueError(f"{name} must be at least {low}, not {getattr(self, name)}")
        if not 0 <= self.stall <= 0.99:
            raise ValueError(f"stall must be between 0 and 0.99, not {self.stall}")
        if not 0 <= self.fill <= 255:
            raise ValueError(f"fill must be a byte, not {self.fill}")
        if self.backend == "ddr3":
            self._refuse("ddr3", "contents", "fill", "latency", "delay", "reorder", "faults")

    def for_cocotb(self):
        """This memory; raises ValueError when the model of cocotbext-axi cannot be it."""
        if self.backend != "ideal":
            raise ValueError(f"backend must be ideal through cocotb, not {self.backend}")
        self._refuse("cocotb", "delay", "reorder")
        if any(fault.access is not None or fault.response != SLVERR for fault in self.faults):
            raise ValueError("faults must be slverr by address through cocotb")
        return self

    def _refuse(self, who, *names):
        for name in names:
            standard = {} if name == "contents" else type(self).__dataclass_fields__[name].default
            if getattr(self, name) != standard:
                raise ValueError(f"{name} must not be given for {who}")


class Contents:
    """What the memory held after a run.

    Parameters
    ----------
    pages : mapping of int to array of uint8, shape (4096,)
        Those that were preset or written, by their first address.
    fill : int
        Every byte of the others.
    """

    def __init__(self, pages, fill):
        self.pages, self.fill = pages, fill

    def read(self, address, count):
        """``count`` bytes from ``address`` on."""
        parts, end = [], address + count
        while address < end:
            start = address % PAGE
            size = min(PAGE - start, end - address)
            page = self.pages.get(address - start)
            whole = bytes([self.fill]) * PAGE if page is None else page.tobytes()
            parts.append(whole[start : start + size])
            address += size
        return b"".join(parts)


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """What one AXI4 master asked for.

    Attributes
    ----------
    lines_read, lines_written : int
        Lines of 64 bytes that its bursts touched; two bursts in one line count it twice.
    read_bursts, write_bursts : int
    errors : int
        Beats of reads and answers to writes that bore an error.
    open_at_reset : int
        Bursts that were not answered when a reset began, of either kind; only in the compiled
        runner.
    """

    lines_read: int = 0
    lines_written: int = 0
    read_bursts: int = 0
    write_bursts: int = 0
    errors: int = 0
    open_at_reset: int = 0
