"""Computes the size of the memories that windows of keys take on the chip."""

from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.table.hash_table import HashTable


def memory_bits_of(keys):
    """Returns the size, in bits, of a KeyedPlan's memories: table, store, and lines from M3."""
    table = HashTable.memory_bits_of(keys.key, keys.entries, keys.ways, keys.window.state)
    store = keys.store.memory_bits(keys.entries)
    return table + store + LineMemory.memory_bits_of(keys.lines)
