"""Finds or creates the entry of each key, with its state, in a hash table."""

from functools import reduce
from itertools import combinations
from operator import or_

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.table.key_hash import KeyHash
from rtl.memory.bank import Bank
from rtl.stream.beat import wire
from rtl.stream.order import equal


class HashTable(wiring.Component):
    """Finds or creates the entry of each tuple's key; the parent changes the entry's state.

    Each *way* has a hash function (:class:`~rtl.keyed.table.key_hash.KeyHash`), which computes the
    index of a key's entry in the way: ``ways`` entries are possible for a key. The *tag* of an
    entry says which key has the entry; the tags of a way are a bank. **A key has at most one entry,
    and each tuple finds the table with the changes of all earlier tuples**, for any sequence of
    keys. A tuple whose key has no entry gets the free one of its ``ways`` entries in the lowest
    way. If none is free, the tuple evicts the least recently used of their keys. The state of a new
    entry is zero.

    With 2 ways of 4 entries, where x, y and z all have index 1 in way 0 and 3 in way 1 (and so
    entries 1 and 7)::

        key  entry  fresh  evicted  state and next
        x    1      1               0 -> a
        y    7      1               0 -> b
        x    1      0               a -> c
        z    7      1      y        0 -> d        x came after y
        y    1      1      x        0 -> e        y is a new key again

    *Least recently used.* Arrivals of tuples are numbered modulo 2^S, where S is the parameter
    ``stamp``, and a tag has the number of its latest arrival. The victim is the entry with the
    greatest age, the number of this arrival minus that of the tag, modulo 2^S; among equal ages,
    the entry of the lowest way. The age of an entry without an arrival for 2^S arrivals wraps, so
    the table may evict another key then; all other rules still hold. With one way there is no
    selection, and a tag has no such number.

    *Streams.* Entries belong to a stream: after ``last`` the table is empty. A tag has the number
    of its stream, from 1 to 2^E - 1, where E is the parameter ``epoch``; an entry whose tag has
    another number is free. When the numbers are used up, after 2^E - 1 streams, and after a reset,
    a *sweep* writes 0 to all tags, for entries/ways cycles in which ``i`` waits. So a reset may
    come in any cycle. For instance with an ``epoch`` of 2 bits there is a sweep after every third
    stream.

    A beat without a tuple (``valid`` low, such as the beat of an empty stream) has no lookup and no
    arrival. The beat passes in order, with ``fresh`` and ``evicted`` low and with undefined
    ``entry`` and ``state``; ``next`` is not stored.

    *Two pipelines.* A new tag does not depend on the parent, but a new state does. So the tags have
    a pipeline of their own. The pipeline of the states follows: one memory, which is read at the
    entry that the tags select. Each memory is a :class:`~rtl.memory.bank.Bank`, so a lookup finds
    the changes of all earlier lookups.

    Order is kept. Latency 5 cycles: 1 for the index, 2 for the tags, 2 for the state.
    Initiation interval 1 cycle, for any keys. A stall at ``o`` stalls ``i`` in the same cycle if a
    beat is at the output of the banks of tags.

    Parameters
    ----------
    key : ShapeLike
        Shape of a key, a plain value of at least 1 bit.
    entries : int
        Entries of all ways together, a power of two of at least 2 * ``ways``.
    ways : int
        1, 2 or 4.
    state : ShapeLike
        Shape of the state of an entry, at least 1 bit.
    passenger : ShapeLike
        Data that accompany a tuple.
    epoch, stamp : int
        Widths in bits of the number of a stream, and of the number of an arrival, at least 1.

    Members
    -------
    i : In(stream.Signature(layout))
        ``key``, ``passenger``, ``valid`` (the beat has a tuple), ``last`` (end of the stream).
    o : Out(stream.Signature(layout))
        Members of ``i``, and ``entry`` (the index in its way, and the way in the highest bits),
        ``fresh`` (the entry is new), ``evicted`` (the new entry replaced another key of the
        stream), ``evicted_key`` (undefined if ``evicted`` is low), ``state``.
    next : In(state)
        New state of the entry, which depends on ``o.p`` combinationally. The new state is stored
        when a tuple is transferred at ``o``.

    Source: seed 000, section 3.1 (several hash functions, LRU, collisions reported). Epochs, and
    separate tags and states, are ours.
    """

    latency = 5
    initiation_interval = 1

    def __init__(self, key, entries, ways, state, passenger=0, *, epoch=8, stamp=24):
        self._tag = _tag(key, entries, ways, epoch, stamp)
        self._depth = entries // ways
        self._ways = ways
        bits = (self._depth - 1).bit_length()
        self._hashes = [
            KeyHash(way=way, key_width=Shape.cast(key).width, bits=bits) for way in range(ways)
        ]
        tuple_in = {"key": key, "passenger": passenger, "valid": 1, "last": 1}
        result = {"fresh": 1, "evicted": 1, "evicted_key": key}
        self._epoch = epoch
        self._stamp = stamp
        self._item = data.StructLayout({**tuple_in, "sweep": 1, "epoch": epoch})
        self._result = data.StructLayout(tuple_in | result)
        indices = {"entry": range(entries), "state": state}
        query = data.StructLayout({"key": key, "epoch": epoch})
        queries = [self._item] + [query] * (ways - 1)
        self._tags = [
            Bank(self._tag, self._depth, shape, note=_match_and_free) for shape in queries
        ]
        self._states = Bank(state, entries, self._result)
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(tuple_in))),
                "o": Out(stream.Signature(data.StructLayout(tuple_in | result | indices))),
                "next": In(state),
            }
        )

    @staticmethod
    def memory_bits_of(key, entries, ways, state, *, epoch=8, stamp=24):
        """Returns the bits of the memories of a table without making the table."""
        tag = _tag(key, entries, ways, epoch, stamp)
        tags = ways * Bank.memory_bits_of(tag, entries // ways)
        return tags + Bank.memory_bits_of(state, entries)

    @property
    def memory_bits(self):
        return sum(bank.memory_bits for bank in [*self._tags, self._states])

    def elaborate(self, platform):
        m = Module()
        for way, bank in enumerate(self._tags):
            m.submodules[f"tags{way}"] = bank
        m.submodules.states = self._states
        self._intake(m)
        now = Signal(self._stamp)  # number of the current arrival
        item = self._tags[0].o.p.passenger
        selected, fresh, evicted = self._choose(m, item, self._oldest(m, now))
        self._write_tags(m, item, selected, now)
        self._look_up(m, item, selected, fresh, evicted)
        self._output(m)
        return m

    def _intake(self, m):
        """Computes the indices of each tuple; sweeps all tags when the stream numbers wrap."""
        hashed_members = {
            "item": self._item,
            "index": data.ArrayLayout(range(self._depth), self._ways),
        }
        hashed = Signal(data.StructLayout(hashed_members), reset_less=True)
        next_hashed = Signal.like(hashed)
        hashed_valid = Signal()
        sweeping = Signal(init=1)
        sweep_index = Signal(range(self._depth))
        epoch = Signal(self._epoch, init=1)
        step = self._tags[0].i.ready  # equal for all banks of tags
        m.d.comb += [
            self.i.ready.eq(step & ~sweeping),
            *wire(next_hashed.item, {**_members(self.i.p), "sweep": sweeping, "epoch": epoch}),
            next_hashed.item.valid.eq(self.i.p.valid & ~sweeping),
            self._tags[0].i.p.passenger.eq(hashed.item),
        ]
        for bank in self._tags[1:]:
            query = {"key": hashed.item.key, "epoch": hashed.item.epoch}
            m.d.comb += wire(bank.i.p.passenger, query)
        with m.If(step):
            m.d.sync += [hashed_valid.eq(self.i.valid | sweeping), hashed.eq(next_hashed)]
            with m.If(sweeping):
                m.d.sync += [sweep_index.eq(sweep_index + 1), sweeping.eq(~sweep_index.all())]
            with m.Elif(self.i.valid & self.i.p.last):
                m.d.sync += [epoch.eq(Mux(epoch.all(), 1, epoch + 1)), sweeping.eq(epoch.all())]
        for way, bank in enumerate(self._tags):
            index = self._hashes[way].network(Value.cast(self.i.p.key))
            m.d.comb += [
                next_hashed.index[way].eq(Mux(sweeping, sweep_index, index)),
                bank.i.valid.eq(hashed_valid),
                bank.i.p.index.eq(hashed.index[way]),
            ]

    def _oldest(self, m, now):
        """Returns a flag for each way: its entry is the least recently used one."""
        if self._ways == 1:
            return [Const(1)]
        stamps = [bank.o.p.entry.stamp for bank in self._tags]
        # A stamp above the current number is older than the latest wrap of the number.
        wrapped = [Signal(name=f"wrapped{way}") for way in range(self._ways)]
        m.d.comb += [bit.eq(stamp > now) for bit, stamp in zip(wrapped, stamps, strict=True)]
        # older[b, a] for two ways a < b: the entry of way b is older than the entry of way a.
        older = {
            (b, a): Mux(wrapped[a] == wrapped[b], stamps[b] < stamps[a], wrapped[b])
            for a, b in combinations(range(self._ways), 2)
        }
        # The entry of a way is the oldest if no lower way is as old, and no higher way is older.
        oldest = []
        for way in range(self._ways):
            older_than_lower = [older[way, a] for a in range(way)]
            no_higher_is_older = [~older[b, way] for b in range(way + 1, self._ways)]
            oldest.append(Cat(older_than_lower, no_higher_is_older).all())
        return oldest

    def _choose(self, m, item, oldest):
        """Returns a signal with a bit for each way, high in the way of the tuple's entry; and two
        flags: the entry is new, and the new entry evicts a key."""
        hits = Signal(self._ways)
        free_ways = Signal(self._ways)
        m.d.comb += [
            hits.eq(Cat(bank.note[0] for bank in self._tags)),
            free_ways.eq(Cat(bank.note[1] for bank in self._tags)),
        ]
        miss = ~hits.any()
        full = ~free_ways.any()
        lowest_free = [bit & ~Cat(free_ways[:way], 0).any() for way, bit in enumerate(free_ways)]
        selected = Signal(self._ways)
        m.d.comb += selected.eq(
            Cat(
                hits[way] | (miss & (lowest_free[way] | (full & oldest[way])))
                for way in range(self._ways)
            )
        )
        return selected, item.valid & miss, item.valid & miss & full

    def _write_tags(self, m, item, selected, now):
        """Writes the tag of the selected entry; in a sweep, the tags of all ways."""
        tag = Signal(self._tag)
        advance = self._states.i.ready | item.sweep
        with m.If(~item.sweep):
            m.d.comb += [tag.key.eq(item.key), tag.epoch.eq(item.epoch)]
            if self._ways > 1:
                m.d.comb += tag.stamp.eq(now)
        for bank, is_selected in zip(self._tags, selected, strict=True):
            m.d.comb += [
                bank.next.eq(tag),
                bank.update.eq((item.valid & is_selected) | item.sweep),
                bank.o.ready.eq(advance),
            ]
        with m.If(self._tags[0].o.valid & advance & item.valid):
            m.d.sync += now.eq(now + 1)

    def _look_up(self, m, item, selected, fresh, evicted):
        """Reads the state of the selected entry."""
        lookup = self._states.i
        indices = []
        keys = []
        for way, bank in enumerate(self._tags):
            index_of_way = Cat(bank.o.p.index, Const(way, (self._ways - 1).bit_length()))
            indices.append(Mux(selected[way], index_of_way, 0))
            keys.append(Mux(selected[way], bank.o.p.entry.key, 0))
        result = {"fresh": fresh, "evicted": evicted, "evicted_key": reduce(or_, keys)}
        m.d.comb += [
            lookup.valid.eq(self._tags[0].o.valid & ~item.sweep),
            lookup.p.index.eq(reduce(or_, indices)),
            *wire(lookup.p.passenger, {**_members(item), **result}),
        ]

    def _output(self, m):
        """Outputs entry and state; the state of a new entry is zero."""
        states = self._states
        o = self.o
        result = states.o.p.passenger
        m.d.comb += [
            o.valid.eq(states.o.valid),
            states.o.ready.eq(o.ready),
            *(o.p[name].eq(result[name]) for name, _ in self._result),
            o.p.entry.eq(states.o.p.index),
            Value.cast(o.p.state).eq(Mux(result.fresh, 0, Value.cast(states.o.p.entry))),
            states.next.eq(self.next),
            states.update.eq(result.valid),
        ]


def _match_and_free(tag, item):
    """Returns two bits: the tag has the item's key and stream; the tag has another stream."""
    is_free = tag.epoch != item.epoch
    return Cat(equal(tag.key, Value.cast(item.key), ~is_free), is_free)


def _members(view):
    """Returns the members of a view by name."""
    return {name: view[name] for name, _ in view.shape()}


def _tag(key, entries, ways, epoch, stamp):
    """Returns the layout of a tag; raises ValueError for wrong parameters."""
    if ways not in (1, 2, 4):
        raise ValueError(f"ways must be 1, 2 or 4, not {ways!r}")
    if not isinstance(entries, int) or entries < 2 * ways or entries & (entries - 1):
        raise ValueError(
            f"entries must be a power of two of at least {2 * ways}, twice the ways, "
            f"not {entries!r}"
        )
    if Shape.cast(key).width < 1:
        raise ValueError(f"key must have at least 1 bit, not {Shape.cast(key).width}")
    for name, bits in (("epoch", epoch), ("stamp", stamp)):
        if not isinstance(bits, int) or bits < 1:
            raise ValueError(f"{name} must be an integer of at least 1, not {bits!r}")
    tag = {"key": Shape.cast(key).width, "epoch": epoch}
    return data.StructLayout(tag | {"stamp": stamp} if ways > 1 else tag)
