"""Reads, changes and writes back an entry of a memory in every cycle."""

from amaranth.hdl import Const, Module, Mux, ShapeCastable, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.memory.lookup import Lookup, StoredEntries, lookup_layout, result_layout, width_of
from rtl.stream.order import equal


class Bank(StoredEntries, wiring.Component):
    """Looks up entries of a table; each lookup may change its entry.

    Each lookup enters with an index and leaves with the entry of the index. While a lookup is at
    ``o``, the parent computes the new entry: ``next`` and ``update`` depend on ``o.p``
    combinationally, and the entry is written when ``o`` is transferred. For any stalls: **a lookup
    finds the result of all earlier lookups**, including the lookup directly before.

    *Forwarding.* An entry is read two steps before it is offered, and a step changes at most one
    entry. So the read may have missed two updates: the update of the lookup two ahead, in the step
    of the read, and the update of the lookup one ahead, in the next step. Registers store both
    updates and the entry that was read. The lookup gets the younger update with the same index,
    or else the entry that was read. While ``o`` stalls, nothing is written and nothing moves. For
    instance with an entry that counts its lookups, and the lookups a, b, c and d of one index::

        cycle   input     fetch   offered = one of    read   two ahead   one ahead   next
        0       a
        1       b         a
        2       c         b       a: 0                0                              1
        3       d         c       b: 1                0                  1           2
        4                 d       c: 2                0      1           2           3
        5                         d: 3                1      2           3           4

    The entry that c has read, 0, is undefined in hardware, because a writes it in the cycle of the
    read; c does not use it. If c had another index, d would be offered the 2 of b, two ahead.

    *Notes.* The parent may need a function of entry and passenger early in the cycle. The bank
    computes the function ``note`` during the fetch for each of the three candidates: the entry that
    was read, and the two updates. So the results are in registers when the lookup is offered, and a
    multiplexer selects one. ``note`` always is the function of ``o.p.entry`` and ``o.p.passenger``.

    Without ``update`` the entry does not change. A reset drops the lookups inside, but does not
    change the entries.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle, for any sequence of indices. A
    stall at ``o`` stalls ``i`` in the same cycle.

    Parameters
    ----------
    entry : ShapeLike
    depth : int
        Entries, a power of two of at least 2. All are 0 when the device is configured, unless they
        are in UltraRAM.
    passenger : ShapeLike
        Data that accompany the index.
    note : callable or None
        Function of an entry and a passenger, in their shapes, that returns a Value. None: the note
        has no bits.
    kind : str
        Kind of memory, "block" or "ultra", as for :class:`~rtl.memory.block.BlockMemory`.

    Members
    -------
    i : In(stream.Signature(lookup_layout(depth, passenger)))
        ``index`` and ``passenger``.
    o : Out(stream.Signature(result_layout(depth, passenger, entry)))
        ``index``, ``passenger`` and ``entry``.
    note : Out(bits)
        Bits of the function's result, as many as its Value has.
    next : In(entry)
        New entry, written when ``o`` is transferred and ``update`` is high.
    update : In(1)
        The lookup at ``o`` changes its entry.

    Source: seed 000, section 3.1 (Figure 7, banks that are updated by a pipeline stage each); the
    forwarding is ours.
    """

    def __init__(self, entry, depth, passenger=0, *, note=None, kind="block"):
        self._store = BlockMemory(width_of(entry), depth, kind)
        self._note = note or (lambda entry, passenger: Const(0, 0))
        super().__init__(
            {
                "i": In(stream.Signature(lookup_layout(depth, passenger))),
                "o": Out(stream.Signature(result_layout(depth, passenger, entry))),
                "note": Out(len(self._note(Signal(entry), Signal(passenger)))),
                "next": In(entry),
                "update": In(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.store = store = self._store
        lookup = Lookup(m, self.i, self.o, store)
        written = Value.cast(self.next)
        updates = Signal()
        m.d.comb += [
            updates.eq(self.o.valid & self.update),
            store.write_address.eq(self.o.p.index),
            store.write_data.eq(written),
            store.write_enable.eq(updates & self.o.ready),
        ]
        # ``updated_index``: index of the lookup at ``o`` in the previous step; ``updated``: this
        # lookup changed its entry.
        updated_index = Signal(len(store.write_address), reset_less=True)
        updated = Signal()
        latest = Signal.like(written, reset_less=True)
        second_latest = Signal.like(written, reset_less=True)
        one_ahead = Signal(reset_less=True)
        two_ahead = Signal(reset_less=True)
        index = lookup.fetch.index
        with m.If(lookup.step):
            m.d.sync += [
                updated_index.eq(self.o.p.index),
                updated.eq(updates),
                latest.eq(written),
                second_latest.eq(latest),
                one_ahead.eq(equal(index, self.o.p.index) & updates),
                two_ahead.eq(equal(index, updated_index, updated)),
            ]
        read = store.read_data
        older_entry = Mux(two_ahead, second_latest, lookup.registered(read, "entry"))
        notes = [
            lookup.registered(self._note_of(candidate, lookup.fetch), name)
            for candidate, name in (
                (written, "note_one"),
                (latest, "note_two"),
                (read, "note_read"),
            )
        ]
        m.d.comb += [
            Value.cast(self.o.p.entry).eq(Mux(one_ahead, latest, older_entry)),
            self.note.eq(Mux(one_ahead, notes[0], Mux(two_ahead, notes[1], notes[2]))),
        ]
        return m

    def _note_of(self, candidate, fetch):
        """Returns the note of the lookup in the fetch for one candidate of its entry."""
        shape = self.next.shape()
        if isinstance(shape, ShapeCastable):
            entry = shape(candidate)
        else:  # the memory delivers plain bits, also of a signed entry
            entry = candidate.as_signed() if shape.signed else candidate
        return self._note(entry, fetch.passenger)
