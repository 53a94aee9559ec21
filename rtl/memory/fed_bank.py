"""A memory that one pipeline stage reads and a later stage writes."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.memory.lookup import Lookup, StoredEntries, lookup_layout, result_layout, width_of
from rtl.stream.order import equal


class FedBank(StoredEntries, wiring.Component):
    """Looks up entries of a table that a later pipeline stage writes.

    The later stage knows the state of a key, such as the read progress of its window. The stage
    feeds back whole entries, one in a cycle, and never waits. **A lookup finds all entries that
    were fed back up to the cycle before the lookup is first offered**. While the lookup is stalled,
    its entry does not change.

    Each bank has one writer, so there is no deadlock: the writer needs no slot in a pipeline that
    may be stalled until the writer writes. If both stages change a number, each stage has its own
    number in its own bank. For instance the number of a key's pending aggregations is the number of
    triggered aggregations, in a :class:`~rtl.memory.bank.Bank`, minus the number of completed
    aggregations, in a FedBank. If an entry must become void with its key, the parent numbers the
    lives of each key, and stores the number in both banks.

    *Forwarding.* If an entry is written between the read and the offer, the lookup gets the written
    entry. A register stores the latest entry for the lookup's index during the fetch. The fetch may
    last any number of cycles, and any number of entries may be fed back in the fetch::

        cycle   input     fetch  and read    fed back       o offers    saved entry
        0       a: 5                         5: x
        1                 a      (unsure)    5: y                       x
        2                 a      ...         7: z                       y
        3                                                   a: y

    with ``o`` stalled until cycle 2 by another lookup.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` in
    the same cycle, so a FedBank and a Bank with the same lookups advance in the same cycles.

    Parameters
    ----------
    entry : ShapeLike
    depth : int
        Entries, a power of two of at least 2. All are 0 when the device is configured; a reset does
        not change them.
    passenger : ShapeLike
        Data that accompany the index.

    Members
    -------
    i : In(stream.Signature(lookup_layout(depth, passenger)))
        ``index`` and ``passenger``.
    o : Out(stream.Signature(result_layout(depth, passenger, entry)))
        ``index``, ``passenger`` and ``entry``.
    feedback : In(stream.Signature({index, entry}, always_ready=True))

    Source: seed 000, section 3.1.3 (the decompressor's feedback); the forwarding is ours.
    """

    def __init__(self, entry, depth, passenger=0):
        self._store = BlockMemory(width_of(entry), depth)
        fed = data.StructLayout({"index": range(depth), "entry": entry})
        super().__init__(
            {
                "i": In(stream.Signature(lookup_layout(depth, passenger))),
                "o": Out(stream.Signature(result_layout(depth, passenger, entry))),
                "feedback": In(stream.Signature(fed, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        lookup = Lookup(m, self.i, self.o, store)
        fed = self.feedback
        written = Value.cast(fed.p.entry)
        has_feedback = Signal()  # the entry was fed back since the read for the fetch
        saved_entry = Signal(len(written), reset_less=True)
        hits = Signal()
        m.d.comb += [
            store.write_address.eq(fed.p.index),
            store.write_data.eq(written),
            store.write_enable.eq(fed.valid),
            hits.eq(equal(lookup.fetch.index, fed.p.index, fed.valid)),
        ]
        with m.If(self.i.ready):
            m.d.sync += has_feedback.eq(equal(self.i.p.index, fed.p.index, fed.valid))
        with m.Elif(hits):
            m.d.sync += has_feedback.eq(1)
        with m.If(self.i.ready | hits):
            m.d.sync += saved_entry.eq(written)
        latest_entry = lookup.registered(
            Mux(hits, written, Mux(has_feedback, saved_entry, store.read_data)), "entry"
        )
        m.d.comb += Value.cast(self.o.p.entry).eq(latest_entry)
        return m
