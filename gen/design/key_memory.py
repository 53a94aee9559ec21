"""Computes how many keys fit the DRAM behind a design with windows of each key."""

from dataclasses import asdict, dataclass

from rtl.contract.design import Design
from rtl.contract.options import option_fields

GIB = 1 << 30


@dataclass(frozen=True, kw_only=True)
class KeyMemory:
    """DRAM that the keys of a design take behind its memory masters, without an SRAM of M2.

    For instance 16,384 keys with rings of 112 lines take 112 MiB, which is 7,168 bytes for each
    key, so 1 GiB holds 149,796 keys. A table has a power of two of entries, so 131,072 of them fit.

    Attributes
    ----------
    bytes, bytes_of_key : int
        Bytes of all entries of the table, and of one.
    keys_of_gib, entries_of_gib : int
        Number of keys that 1 GiB holds, and the greatest value of the option ``entries``, a power
        of two, that is not above it.
    """

    bytes: int
    bytes_of_key: int
    keys_of_gib: int
    entries_of_gib: int

    @classmethod
    def of(cls, design: Design) -> "KeyMemory | None":
        """Returns the memory of a design's keys; None if the design keeps no keys in a DRAM."""
        srams = {bus.name.replace("m_axi", "base") for bus in design.memories if bus.sram}
        areas = [
            number.area
            for number in design.settings.numbers
            if number.area is not None and number.name not in srams
        ]
        entries = design.parameters.get("entries")
        if not areas or entries is None:
            return None
        keys = GIB * entries // sum(areas)
        fields = {field.name: field for field in option_fields(type(design.options))}
        _, most_entries = fields["entries"].metadata["range"]
        return cls(
            bytes=sum(areas),
            bytes_of_key=sum(areas) // entries,
            keys_of_gib=keys,
            entries_of_gib=min(1 << keys.bit_length() - 1, most_entries),
        )

    def figures(self) -> dict[str, int]:
        """Returns plain data for ``--json``."""
        return asdict(self)

    @property
    def text(self) -> str:
        """Phrase with the memory of a key, and the keys of a GiB."""
        return (
            f"{self.bytes_of_key:,} bytes; 1 GiB holds {self.keys_of_gib:,} keys "
            f"(entries={self.entries_of_gib})"
        )
