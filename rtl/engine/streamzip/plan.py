"""The plan of how windows of keys are kept: in the table, and in the three levels of memory."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike
from amaranth.lib import data

from rtl.memory.line_memory import LineMemory
from rtl.memory.line_plan import LinePlan
from rtl.memory.lines import LineMap
from rtl.memory.tails import Tails
from rtl.table.hash_table import HashTable
from rtl.window.key_rows import KeyRows

#: Where the line is that a key is filling.
MEMORIES = ("mlq", "dram-only")


@dataclass(frozen=True, kw_only=True)
class KeyPlan:
    """Where the tuples of a key are, from the one that comes back to the oldest of its window.

    Attributes
    ----------
    key : ShapeLike
    line : LinePlan
        What is kept of a tuple, and how it lies in lines.
    rows : KeyRows
        Its ``places`` are those of a ring.
    lines : LineMap
        A ring for each entry of the table.
    ways : int
        Of the table.
    memory : str
        ``"mlq"``: the line that a key is filling grows in M1 and M2, and goes to M3 when it is
        full. ``"dram-only"``: it lies in M3, too, and is read and written with each tuple.
    """

    key: ShapeLike
    line: LinePlan
    rows: KeyRows
    lines: LineMap
    ways: int = 1
    memory: str = "mlq"

    def __post_init__(self):
        if self.memory not in MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(MEMORIES)}, not {self.memory!r}")
        places = self.lines.ring_lines * self.line.items
        if places != self.rows.places:
            raise ValueError(f"places must be those of a ring, {places}, not {self.rows.places}")

    @property
    def entries(self):
        """Keys that the table has place for."""
        return self.lines.rings

    @property
    def lines_max(self):
        """Lines from M3 of the largest window: its first item may be the last one of a line."""
        return (self.line.items - 1 + self.rows.window_max - 1) // self.line.items

    @property
    def settings(self):
        """Layout of what the host sets, ``size`` and ``slide``."""
        number = range(self.rows.window_max + 1)
        return data.StructLayout({"size": number, "slide": number})

    @property
    def told(self):
        """Layout of what goes with a window.

        Its ``key`` and ``entry``, its number ``window``, and ``bound``, which it has no more
        values than. With ``end`` it is no window, but the end of a stream.
        """
        return data.StructLayout(
            {
                "key": self.key,
                "entry": range(self.entries),
                "window": self.rows.numbers,
                "bound": range(self.rows.window_max + 1),
                "end": 1,
            }
        )

    @property
    def memory_bits(self):
        """Bits of the memories on the chip: the table, M1 and M2, and what comes back from M3."""
        table = HashTable.memory_bits_of(self.key, self.entries, self.ways, self.rows.state)
        tails = sum(Tails.memory_bits_of(self.line, self.entries))
        return table + tails + LineMemory.memory_bits_of(self.lines)
