"""Computes default addresses of the memory behind each master."""

from dataclasses import dataclass

from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BYTES, PAGE_BYTES
from rtl.keyed.dram.word_map import WORD_BITS

#: Size of a row of a DRAM of 64 bits, in bytes. The next row belongs to the next bank.
BANK_BYTES = 8192


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
    """Returns an :class:`Area` for each master by its name: M3's by number, and ``m2``.

    A memory on the chip has no master, and no area.

    Areas do not overlap, because masters may share a memory. Each area begins two banks of a DRAM
    after the end of the one before, because otherwise all ports would read the same bank at a time,
    and with a distance of one bank two ports would meet in a bank more often when windows of
    different keys are read in turn. For instance two ports of 1 MiB are at 0 and at 1 MiB + 16 KiB.
    The distance is one bank if a port's part of a ring takes two banks or more: then keys of the
    same age use every second bank, and two ports use the banks between.

    Parameters
    ----------
    built : rtl.engine.streamzip.options.Options
        Resolved.
    """
    areas, base = {}, 0
    part = Rings(built).lines // built.ports * LINE_BYTES
    count, area_alignment = built.entries * part, 1 if part >= 2 * BANK_BYTES else 2
    for port in range(built.ports if built.m3_kind == "external" else 0):
        area = Area(base=base, bytes=count, width=built.port_bits)
        areas[str(port)] = area
        base = area.end + area_alignment * BANK_BYTES
    if built.m2_kind == "external":
        words = built.entries * built.m2_lines * LINE_BYTES
        areas["m2"] = Area(base=base, bytes=words, width=WORD_BITS, sram=True)
    return areas
