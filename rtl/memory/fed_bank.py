"""A memory that one stage of a pipeline reads, and a later one writes."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.memory.lookup import Lookup, answered, asked, width_of
from rtl.stream.order import equal


class FedBank(wiring.Component):
    """Entries of a table that are looked up here, and written from elsewhere.

    For what a stage far behind knows of a key (how far its window has been read): it feeds back
    whole entries, one in a cycle, and never waits. **A lookup finds what was fed back up to the
    cycle before it is first offered**; while it is stalled it stays as it is, as streams do.

    That a bank has one writer is what keeps it free of deadlock: the writer needs no turn in a
    pipeline whose stall may be waiting for the writer itself. Where both stages change a number,
    each has its own in its own bank: how many aggregations a key has under way is how many it
    triggered, in a :class:`~rtl.memory.bank.Bank`, less how many are done, in this. And where an
    entry is to be void with its key, the parent has a number of the key's life in both.

    *Forwarding.* A lookup whose entry is written between the read and the offer takes what is
    written instead: kept in a register while it waits in the fetch, the youngest one for its index.
    The fetch may last for any time, and any number of entries be fed back in it::

        cycle   goes in   fetch  and read    fed back       o offers
        0       a: 5                         5: x
        1                 a      (unsure)    5: y                       x is kept
        2                 a      ...         7: z                       y is kept
        3                                                   a: y

    with ``o`` stalled until cycle 2 by another lookup.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` in
    the same cycle: so it keeps step with a Bank beside it that is given the same lookups.

    Parameters
    ----------
    entry : ShapeLike
    depth : int
        Entries, a power of two of at least 2. All are 0 when the device is configured, and a reset
        leaves them.
    passenger : ShapeLike
        What travels along with the index.

    Members
    -------
    i : In(stream.Signature(asked(depth, passenger)))
        ``index`` and ``passenger``.
    o : Out(stream.Signature(answered(depth, passenger, entry)))
        The same, and ``entry``.
    feedback : In(stream.Signature({index, entry}, always_ready=True))

    Source: seed 000, section 3.1.3 (the decompressor's feedback); the forwarding is ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, entry, depth, passenger=0):
        self._store = BlockMemory(width_of(entry), depth)
        fed = data.StructLayout({"index": range(depth), "entry": entry})
        super().__init__(
            {
                "i": In(stream.Signature(asked(depth, passenger))),
                "o": Out(stream.Signature(answered(depth, passenger, entry))),
                "feedback": In(stream.Signature(fed, always_ready=True)),
            }
        )

    @staticmethod
    def memory_bits_of(entry, depth):
        """Bits of the memory of such a bank, without making one."""
        return BlockMemory.bits_of(width_of(entry), depth)

    @property
    def memory_bits(self):
        return self._store.bits

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        lookup = Lookup(m, self.i, self.o, store)
        fed = self.feedback
        written = Value.cast(fed.p.entry)
        caught = Signal()  # the memory was written after it was read for the fetch
        kept = Signal(len(written), reset_less=True)
        hits = Signal()
        m.d.comb += [
            store.write_address.eq(fed.p.index),
            store.write_data.eq(written),
            store.write_enable.eq(fed.valid),
            hits.eq(equal(lookup.fetch.index, fed.p.index, fed.valid)),
        ]
        with m.If(self.i.ready):
            m.d.sync += caught.eq(equal(self.i.p.index, fed.p.index, fed.valid))
        with m.Elif(hits):
            m.d.sync += caught.eq(1)
        with m.If(self.i.ready | hits):
            m.d.sync += kept.eq(written)
        found = lookup.kept(Mux(hits, written, Mux(caught, kept, store.read_data)), "entry")
        m.d.comb += Value.cast(self.o.p.entry).eq(found)
        return m
