"""How much memory the windows of keys take on the chip."""

from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.coded_plan import CodedKeyedPlan
from rtl.keyed.dram.line_memory import LineMemory
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.block_walks import BlockWalks
from rtl.keyed.store.lines.tails import Tails
from rtl.keyed.table.hash_table import HashTable


def memory_bits_of(keys):
    """Bits of a KeyedPlan's memories: the table, M1 and M2, and what comes back from M3."""
    table = HashTable.memory_bits_of(keys.key, keys.entries, keys.ways, keys.state)
    return table + _levels(keys) + LineMemory.memory_bits_of(keys.lines)


def _levels(keys):
    if keys.memory != "mlq":
        return 0
    if isinstance(keys, CodedKeyedPlan):
        compressor = Compressor.memory_bits_of(keys.coded.codec, keys.entries)
        cache = 0
        if keys.coded.cache is not None:
            cache = keys.coded.cache.memory_bits + BlockWalks.memory_bits_of(keys.coded)
        return compressor + BlockRing.memory_bits_of(keys.coded) + cache
    m1, m2 = Tails.memory_bits_of(keys.line, keys.entries, keys.m2.lines)
    return m1 if keys.m2.external else m1 + m2
