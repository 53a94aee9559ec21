"""A memory in which one entry is read, changed and written back in every cycle."""

from amaranth.hdl import Const, Module, Mux, ShapeCastable, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.block import BlockMemory
from rtl.memory.lookup import Lookup, answered, asked, width_of
from rtl.stream.order import equal


class Bank(wiring.Component):
    """Entries of a table, each lookup of which may change the one that it finds.

    An index goes in, and comes out with the entry beside it. While it is offered the parent says
    what becomes of the entry: ``next`` and ``update`` depend on ``o.p`` combinationally, and are
    taken when ``o`` is transferred. Always, whatever the stalls: **a lookup finds what all lookups
    before it have left**, the one just before it included.

    *Forwarding.* An entry is read two steps before it is offered, and a step changes one entry at
    most. So there are two updates that it may have missed: that of the lookup two ahead, made in
    the step of the read, and that of the lookup one ahead, made in the next. Both are kept, with
    what was read, and there is nothing else that the memory could not have given. What is offered
    is the younger one that has the same index. A stall changes nothing, for nothing is written and
    nothing moves while ``o`` stands still. With an entry that counts its lookups, all of index 5,
    one in each cycle::

        cycle   goes in   fetch   offered, of these   read   two ahead   one ahead   next
        0       a
        1       b         a
        2       c         b       a: 0                0                              1
        3       d         c       b: 1                0                  1           2
        4                 d       c: 2                0      1           2           3
        5                         d: 3                1      2           3           4

    If c had another index, d would be offered the 2 of b, two ahead.

    *Notes.* What the parent has to know of an entry and the passenger that asks for it can be
    worked out in the fetch, of each of the three that it may be, so that it is there in a register
    as soon as the lookup is offered. Always ``note`` is what the function of that name gives of
    ``o.p.entry`` and ``o.p.passenger``.

    Without ``update`` the entry stays as it is. A reset forgets the lookups inside, and leaves the
    entries: a parent that wants others writes them.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle, for any sequence of indices. A
    stall at ``o`` stalls ``i`` in the same cycle.

    Parameters
    ----------
    entry : ShapeLike
    depth : int
        Entries, a power of two of at least 2. All are 0 when the device is configured, unless they
        are in UltraRAM.
    passenger : ShapeLike
        What travels along with the index.
    note : callable or None
        Takes an entry and a passenger, of their shapes, and gives a Value.
    kind : str
        Of memory, as for :class:`~rtl.memory.block.BlockMemory`.

    Members
    -------
    i : In(stream.Signature(asked(depth, passenger)))
        ``index`` and ``passenger``.
    o : Out(stream.Signature(answered(depth, passenger, entry)))
        The same, and ``entry``.
    note : Out(bits)
        As wide as what the function gives.
    next : In(entry)
        What is written when ``o`` is transferred,
    update : In(1)
        if this is high.

    Source: seed 000, section 3.1 (Figure 7, banks that are updated by a pipeline stage each); the
    forwarding is ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, entry, depth, passenger=0, *, note=None, kind="block"):
        self._store = BlockMemory(width_of(entry), depth, kind)
        self._note = note or (lambda entry, passenger: Const(0, 0))
        super().__init__(
            {
                "i": In(stream.Signature(asked(depth, passenger))),
                "o": Out(stream.Signature(answered(depth, passenger, entry))),
                "note": Out(len(self._note(Signal(entry), Signal(passenger)))),
                "next": In(entry),
                "update": In(1),
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
        written = Value.cast(self.next)
        updates = Signal()
        m.d.comb += [
            updates.eq(self.o.valid & self.update),
            store.write_address.eq(self.o.p.index),
            store.write_data.eq(written),
            store.write_enable.eq(updates & self.o.ready),
        ]
        at = Signal(len(store.write_address), reset_less=True)  # of the update in the step before
        wrote = Signal()
        latest, before = (
            Signal.like(written, name=n, reset_less=True) for n in ("latest", "before")
        )
        one_ahead, two_ahead = Signal(reset_less=True), Signal(reset_less=True)
        index = lookup.fetch.index
        with m.If(lookup.step):
            m.d.sync += [
                at.eq(self.o.p.index),
                wrote.eq(updates),
                latest.eq(written),
                before.eq(latest),
                one_ahead.eq(equal(index, self.o.p.index) & updates),
                two_ahead.eq(equal(index, at, wrote)),
            ]
        read = store.read_data
        older = Mux(two_ahead, before, lookup.kept(read, "entry"))
        notes = [
            lookup.kept(self._noted(found, lookup.fetch), name)
            for found, name in ((written, "note_one"), (latest, "note_two"), (read, "note_read"))
        ]
        m.d.comb += [
            Value.cast(self.o.p.entry).eq(Mux(one_ahead, latest, older)),
            self.note.eq(Mux(one_ahead, notes[0], Mux(two_ahead, notes[1], notes[2]))),
        ]
        return m

    def _noted(self, found, fetch):
        """The note of what is in the fetch, if these are the bits of its entry."""
        shape = self.next.shape()
        entry = shape(found) if isinstance(shape, ShapeCastable) else found
        return self._note(entry, fetch.passenger)
