"""Completes the hash table, and its hash functions, to units that a bench can drive."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.table.hash_table import HashTable
from rtl.keyed.table.key_hash import KeyHash
from rtl.stream.register import StreamRegister

#: Bits of the data that accompany each tuple through the table.
PASSENGER_BITS = 8


class CountingTable(wiring.Component):
    """Counts the tuples of each key with a :class:`~rtl.keyed.table.hash_table.HashTable`.

    A table asks the component around it for the new state of a key: ``next`` must answer ``o`` in
    the same cycle, which a bench of pins cannot. This component answers with the state plus 1,
    modulo 2^``state_bits``. So ``o.p.state`` is 0, 1 and 2 for the first three tuples of a key.
    Latency and initiation interval are those of the table.

    Parameters
    ----------
    key_width, entries, ways, epoch, stamp : int
        As for the table.
    state_bits : int
        Bits of a count.

    Members
    -------
    i, o : streams of the table; ``passenger`` has :data:`PASSENGER_BITS` bits.
    """

    def __init__(self, *, key_width, entries, ways, epoch, stamp, state_bits):
        self._table = HashTable(
            key_width, entries, ways, state_bits, PASSENGER_BITS, epoch=epoch, stamp=stamp
        )
        members = self._table.signature.members
        super().__init__({"i": members["i"], "o": members["o"]})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.table = table = self._table
        wiring.connect(m, wiring.flipped(self.i), table.i)
        wiring.connect(m, table.o, wiring.flipped(self.o))
        m.d.comb += table.next.eq(table.o.p.state + 1)
        return m


class KeyIndices(wiring.Component):
    """Computes the index of each key in each way, by :class:`~rtl.keyed.table.key_hash.KeyHash`.

    Latency 1 cycle, the register of the indices; initiation interval 1 cycle.

    Parameters
    ----------
    key_width, bits : int
        Bits of a key and of an index.
    ways : int
        1 to 4.

    Members
    -------
    i : In(stream.Signature(data.StructLayout({"key": key_width})))
    o : Out(stream.Signature(data.StructLayout({"index": array of ways indices})))
    """

    def __init__(self, *, key_width, bits, ways):
        self._hashes = [KeyHash(way=k, key_width=key_width, bits=bits) for k in range(ways)]
        indices = data.StructLayout({"index": data.ArrayLayout(bits, ways)})
        self._register = StreamRegister(indices)
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout({"key": key_width}))),
                "o": Out(stream.Signature(indices)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.register = register = self._register
        wiring.connect(m, register.o, wiring.flipped(self.o))
        m.d.comb += [
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            *(
                register.i.p.index[k].eq(key_hash.network(Value.cast(self.i.p.key)))
                for k, key_hash in enumerate(self._hashes)
            ),
        ]
        return m
