"""Where the memory lies behind each master, unless the host knows better."""

from dataclasses import dataclass

from rtl.engine.streamzip.rings import Rings
from rtl.keyed.dram.lines import LINE_BYTES, PAGE_BYTES
from rtl.keyed.dram.word_map import WORD_BITS

#: Of a row of a DRAM of 64 bits, behind which the next bank's begins.
BANK_BYTES = 8192


@dataclass(frozen=True, kw_only=True)
class Area:
    """What a master uses of its memory: ``bytes`` from ``base`` on, ``width`` bits of a beat.

    ``sram``: it is to answer soon.
    """

    base: int
    bytes: int
    width: int
    sram: bool = False

    @property
    def span(self):
        """The bytes in whole pages, as a base must be."""
        return -(-self.bytes // PAGE_BYTES) * PAGE_BYTES

    @property
    def end(self):
        """The first page behind it."""
        return self.base + self.span


def areas_of(built):
    """An :class:`Area` for each master by its name: those of M3 by number, and ``m2`` outside.

    They lie one behind the other, for masters may share a memory. And each two banks of a DRAM
    further, or all ports would read the same bank at a time: with one bank two ports meet in one
    more often, where windows of different keys are read in turn. For instance two ports of 1 MiB
    are at 0 and at 1 MiB and 16 KiB. But just one bank further where a port's part of a ring takes
    two banks or more: then keys that are as old as each other are all in every second bank, and
    two ports have the others.

    Parameters
    ----------
    built : rtl.engine.streamzip.options.Options
        With all that follows from the query.
    """
    areas, base = {}, 0
    part = Rings(built).lines // built.ports * LINE_BYTES
    count, apart = built.entries * part, 1 if part >= 2 * BANK_BYTES else 2
    for port in range(built.ports):
        area = Area(base=base, bytes=count, width=built.port_bits)
        areas[str(port)] = area
        base = area.end + apart * BANK_BYTES
    if built.m2_kind == "external":
        words = built.entries * built.m2_lines * LINE_BYTES
        areas["m2"] = Area(base=base, bytes=words, width=WORD_BITS, sram=True)
    return areas
