"""Computes the size of the block memories that windows of keys take on the chip."""

from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.table.hash_table import HashTable


def memory_bits_of(keys):
    """Returns the size, in bits, of a KeyedPlan's block memories.

    The memories are those of the table, the store, the lines from M3, and the passes of windows.
    Memories of LUTs, such as short queues, do not count.
    """
    table = HashTable.memory_bits_of(keys.key, keys.entries, keys.ways, keys.window.state)
    store = keys.store.memory_bits(keys.entries)
    lines = LineMemory.memory_bits_of(keys.lines, kind=keys.m3_kind)
    return table + store + lines + pass_bits_of(keys)


def pass_bits_of(keys):
    """Returns the bits of the buffer of windows and of the pivots; 0 without pivots."""
    if keys.pivots is None:
        return 0
    if keys.store.ring is None:
        return keys.pivots.memory_bits(keys.line_format.line(keys.window_info))
    return keys.pivots.memory_bits(keys.store.ring.window_block(keys.window_info))
