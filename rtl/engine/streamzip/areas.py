"""Computes default addresses of the memory behind each master."""

from dataclasses import dataclass

from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BYTES, PAGE_BYTES
from rtl.keyed.dram.word_map import WORD_BITS

#: Size of a row of a DRAM of 64 bits, in bytes. The next row belongs to the next bank.
ROW_BYTES = 8192


@dataclass(frozen=True, kw_only=True)
class Area:
    """Memory that a master uses: ``bytes`` bytes from ``base`` on, with beats of ``width`` bits.

    ``sram`` is True if the memory must answer soon.
    """

    base: int
    bytes: int
    width: int
    sram: bool = False

    @property
    def span(self):
        """Size in bytes, rounded up to whole pages, because bases are whole pages."""
        return -(-self.bytes // PAGE_BYTES) * PAGE_BYTES

    @property
    def end(self):
        """Address of the first page after the area."""
        return self.base + self.span


def areas_of(built):
    """Returns an :class:`Area` for each master: ``"0"``, ``"1"``, ... for M3's ports, and ``"m2"``.

    A memory on the chip has no master, and no area.

    Areas do not overlap, because masters may share a memory. Between two areas lies a gap of rows
    of a DRAM. Without a gap all ports would read the same bank at a time, and wait for each other.
    The gap is two rows, because with one row two ports meet in a bank more often when windows of
    different keys are read in turn. For instance two ports of 1 MiB are at 0 and at 1 MiB + 16 KiB.
    If a port's part of a ring fills two rows or more, keys of the same age use every second bank.
    Then the gap is one row, and two ports use different banks.

    Parameters
    ----------
    built : rtl.engine.streamzip.options.Options
        Resolved.
    """
    areas = {}
    base = 0
    ring_bytes = Rings(built).lines // built.ports * LINE_BYTES  # of a key, at one port
    gap = ROW_BYTES if ring_bytes >= 2 * ROW_BYTES else 2 * ROW_BYTES
    for port in range(built.ports if built.m3_kind == "external" else 0):
        port_bytes = built.entries * ring_bytes
        area = Area(base=base, bytes=port_bytes, width=built.port_bits)
        areas[str(port)] = area
        base = area.end + gap
    if built.m2_kind == "external":
        m2_bytes = built.entries * (built.m2_blocks or built.m2_lines) * LINE_BYTES
        areas["m2"] = Area(base=base, bytes=m2_bytes, width=WORD_BITS, sram=True)
    return areas
