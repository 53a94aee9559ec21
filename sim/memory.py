"""Describes the memory behind a design's AXI4 masters: parameters, contents and traffic."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

LINE = 64  # bytes
PAGE = 4096  # bytes: no burst crosses a multiple of PAGE
SLVERR, DECERR = "slverr", "decerr"
RESPONSES = {SLVERR: 2, DECERR: 3}
BACKENDS = ("ideal", "ddr3")
#: Greatest probability of a stall in a cycle, of a memory or a stream; with 1 nothing would pass.
MOST_STALLS = 0.99


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An error response that the memory returns.

    With ``address`` the error is returned for every beat of a read that touches the line with this
    byte, and for every write burst that touches the line, which is then not written. With
    ``access`` it is returned for the whole n-th burst (counted from 0) of each master in that
    direction. Data with an error response are random.

    Attributes
    ----------
    response : str
        ``"slverr"`` or ``"decerr"``.
    address, access : int or None
        Exactly one of the two must be given.
    write : bool or None
        True for writes only, False for reads only, None for both.
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

    *ideal*: in every cycle each port can return a line of 64 bytes and accept a line. The first
    beat of a read is offered ``latency`` cycles after the address was accepted, and the answer to a
    write ``latency`` cycles after its last beat of data, or later if earlier bursts are unanswered.
    A read returns exactly the writes that were answered before the read's address was accepted, so
    a master that reads its own data must wait for the answer. Example: with ``latency=40`` a read
    of 8 lines whose address is accepted in cycle 100 has its beats in cycles 140 to 147.

    *ddr3*: a real controller with 1 GiB of DDR3-1333, see :mod:`sim.ddr3`. It supports only the
    attributes ``stall`` and ``outstanding``, and only the compiled runner supports it.

    Through cocotb, bursts are served one at a time and in order, with the latency of cocotbext-axi;
    ``delay``, ``reorder`` and faults with ``access`` or ``decerr`` raise ValueError.

    Attributes
    ----------
    backend : str
        ``"ideal"`` or ``"ddr3"``.
    contents : mapping of int to bytes or array of uint8
        Initial contents by byte address.
    fill : int
        Value of every other byte.
    latency : int
        Latency in cycles, at least 1.
    delay : int
        Greatest additional latency of a burst in cycles; each burst draws its own at random.
    stall : float
        Probability in a cycle that a channel pauses, for each of the five channels independently.
    reorder : bool
        True if bursts of different ids may be answered in any order. Beats of different reads are
        never interleaved.
    outstanding : int
        Number of unanswered bursts that each direction of a port accepts.
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
        if not 0 <= self.stall <= MOST_STALLS:
            raise ValueError(f"stall must be between 0 and {MOST_STALLS}, not {self.stall}")
        if not 0 <= self.fill <= 255:
            raise ValueError(f"fill must be a byte, not {self.fill}")
        if self.backend == "ddr3":
            self._refuse("ddr3", "contents", "fill", "latency", "delay", "reorder", "faults")

    def for_cocotb(self):
        """Returns this memory; raises ValueError if cocotbext-axi does not support it."""
        if self.backend != "ideal":
            raise ValueError(f"backend must be ideal through cocotb, not {self.backend}")
        self._refuse("cocotb", "delay", "reorder")
        if any(fault.access is not None or fault.response != SLVERR for fault in self.faults):
            raise ValueError("faults must be slverr by address through cocotb")
        return self

    def _refuse(self, user, *names):
        """Raises ValueError for an attribute that differs from its default."""
        for name in names:
            standard = {} if name == "contents" else type(self).__dataclass_fields__[name].default
            if getattr(self, name) != standard:
                raise ValueError(f"{name} must not be given for {user}")


class Contents:
    """Contents of the memory after a run.

    Parameters
    ----------
    pages : mapping of int to array of uint8, shape (4096,)
        Pages that were preset or written, by their first address.
    fill : int
        Value of every byte of all other pages.
    """

    def __init__(self, pages, fill):
        self.pages = pages
        self.fill = fill

    def read(self, address, count):
        """Returns ``count`` bytes from ``address`` on."""
        parts = []
        end = address + count
        while address < end:
            start = address % PAGE
            size = min(PAGE - start, end - address)
            page = self.pages.get(address - start)
            content = bytes([self.fill]) * PAGE if page is None else page.tobytes()
            parts.append(content[start : start + size])
            address += size
        return b"".join(parts)


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Counts of the accesses of one AXI4 master.

    Attributes
    ----------
    lines_read, lines_written : int
        Number of lines of 64 bytes that the bursts touched; a line of two bursts counts twice.
    read_bursts, write_bursts : int
    errors : int
        Number of read beats and write answers with an error response.
    open_at_reset : int
        Number of unanswered reads and writes at the beginning of a reset; only in the compiled
        runner.
    """

    lines_read: int = 0
    lines_written: int = 0
    read_bursts: int = 0
    write_bursts: int = 0
    errors: int = 0
    open_at_reset: int = 0
