"""Checks how many keys fit a memory, by the sizes of rings without a codec."""

from gen.design.key_memory import KeyMemory
from query.parser import parse
from rtl.engine import ENGINES

SCHEMA = "CREATE INPUT STREAM S (t uint(32), k uint(32), x int(64));\n"


def design_of(engine, window, **options):
    query = parse(f"{SCHEMA}SELECT min(x) FROM S [{window}];")
    return ENGINES[engine].design(ENGINES[engine].options(query=query, **options))


def test_keys_of_a_gib():
    """Windows of 4,096 values of 8 bytes: 32 KiB for each key, 32,768 keys in 1 GiB."""
    memory = KeyMemory.of(design_of("streamzip", "PARTITION BY k ROWS 4096 SLIDE 1", entries=64))
    assert memory.figures() == {
        "bytes": 64 << 15,
        "bytes_of_key": 1 << 15,
        "keys_of_gib": 1 << 15,
        "entries_of_gib": 1 << 15,
    }
    assert memory.text == "32,768 bytes; 1 GiB holds 32,768 keys (entries=32768)"


def test_entries_are_a_power_of_two():
    options = {"codec": "base-delta", "expected_ratio": "5", "entries": 64}
    memory = KeyMemory.of(design_of("streamzip", "PARTITION BY k ROWS 4096 SLIDE 1", **options))
    assert (memory.keys_of_gib, memory.entries_of_gib) == (149_796, 131_072)


def test_small_windows_fit_more_keys_than_a_table_has_entries():
    """A ring of 8 lines takes 512 bytes, so 1 GiB holds 2^21 keys; a table has up to 2^20."""
    memory = KeyMemory.of(design_of("streamzip", "PARTITION BY k ROWS 16 SLIDE 1", entries=64))
    assert (memory.keys_of_gib, memory.entries_of_gib) == (1 << 21, 1 << 20)


def test_an_sram_holds_no_rings():
    """M2 outside of the chip takes a line of each key in an SRAM, and none of the DRAM."""
    options = {"entries": 64, "m2_kind": "external"}
    memory = KeyMemory.of(design_of("streamzip", "PARTITION BY k ROWS 16 SLIDE 1", **options))
    assert (memory.bytes_of_key, memory.keys_of_gib) == (512, 1 << 21)


def test_no_keys_in_a_memory():
    assert KeyMemory.of(design_of("two-stacks", "ROWS 8 SLIDE 2")) is None
