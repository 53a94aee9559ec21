"""The hash table: which key is this, and what is its state."""

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
    """Finds the entry of each tuple's key, or makes one; the parent changes the entry's state.

    There are ``ways`` banks of tags, and a key may lie in one entry of each, at the index that the
    bank's own hash function gives (:class:`~rtl.keyed.table.key_hash.KeyHash`): a *tag* is the key
    that an entry belongs to. Always, **a key has one entry at most, and each tuple finds the table
    as the tuples before it have left it**, whatever keys come one after the other. A tuple whose
    key has no entry takes a free one of its ``ways`` entries, the one of the lowest way, and if
    there is none evicts the key that has not come for longest. A new entry's state is all zero.

    With 2 ways of 4 entries, where x, y and z all have index 1 in way 0 and 3 in way 1 (and so
    entries 1 and 7)::

        key  entry  fresh  evicted  state and next
        x    1      1               0 -> a
        y    7      1               0 -> b
        x    1      0               a -> c
        z    7      1      y        0 -> d        x came after y
        y    1      1      x        0 -> e        as if it had never been there

    *Least recently used.* A tag has a stamp, the number of the arrival that used it last, modulo
    2^stamp. The victim is the one with the greatest age, ``now - stamp`` modulo 2^stamp, of equals
    that of the lowest way. So an entry that has rested for 2^stamp arrivals or more counts as
    younger by that: another victim is chosen then, and all else stays as said. With one way there
    is no choice and no stamp.

    *Streams.* Entries belong to a stream: behind ``last`` the table is empty. A tag has the number
    of its stream, from 1 to 2^epoch - 1, and what has another number is free. Only when the numbers
    are used up, after every 2^epoch - 1 streams, and after a reset, all tags are written with 0:
    entries/ways cycles in which ``i`` waits. So a reset may come in any cycle.

    A beat without a tuple (``valid`` low, such as an empty stream's) looks up nothing, and counts
    for no arrival. It passes in its place, with ``fresh`` and ``evicted`` low; ``entry`` and
    ``state`` mean nothing then, and ``next`` is not taken.

    *Two loops.* What becomes of a tag does not depend on the parent; so tags are one pipeline, and
    the states another behind it, one memory that is read at the entry that was found. Each is a
    :class:`~rtl.memory.bank.Bank` with its own forwarding.

    Order is kept. Latency 5 cycles: 1 for the index, 2 for the tags, 2 for the state.
    Initiation interval 1 cycle, for any keys. A stall at ``o`` stalls ``i`` in the same cycle, when
    there is a tuple at the end of the tags.

    Parameters
    ----------
    key : ShapeLike
        Of a plain value of at least 1 bit.
    entries : int
        In all ways together: a power of two of at least 2 * ``ways``.
    ways : int
        1, 2 or 4.
    state : ShapeLike
        At least 1 bit.
    passenger : ShapeLike
        What travels along with a tuple.
    epoch, stamp : int
        Bits of the number of a stream and of an arrival, at least 1.

    Members
    -------
    i : In(stream.Signature(layout))
        ``key``, ``passenger``, ``valid`` (there is a tuple), ``last`` (the end of the stream).
    o : Out(stream.Signature(layout))
        The same, and ``entry`` (the index in its way, and the way in the highest bits), ``fresh``
        (the entry was made for this tuple), ``evicted`` (another key of this stream was thrown out
        for it), ``evicted_key`` (meant only with ``evicted``), ``state``.
    next : In(state)
        The new state of the entry, which depends on ``o.p`` combinationally; it is taken when a
        tuple is transferred at ``o``.

    Source: seed 000, section 3.1 (several hash functions, LRU, collisions reported). Epochs, and
    tags apart from states, are ours.
    """

    latency = 5
    initiation_interval = 1

    def __init__(self, key, entries, ways, state, passenger=0, *, epoch=8, stamp=24):
        self._tag = _tag(key, entries, ways, epoch, stamp)
        self._depth, self._ways = entries // ways, ways
        bits = (self._depth - 1).bit_length()
        self._hashes = [
            KeyHash(way=way, key_width=Shape.cast(key).width, bits=bits) for way in range(ways)
        ]
        tuple_in = {"key": key, "passenger": passenger, "valid": 1, "last": 1}
        found = {"fresh": 1, "evicted": 1, "evicted_key": key}
        self._epoch, self._stamp = epoch, stamp
        self._item = data.StructLayout({**tuple_in, "sweep": 1, "epoch": epoch})
        self._found = data.StructLayout(tuple_in | found)
        places = {"entry": range(entries), "state": state}
        asker = data.StructLayout({"key": key, "epoch": epoch})
        askers = [self._item] + [asker] * (ways - 1)
        self._tags = [Bank(self._tag, self._depth, one, note=_mine_or_free) for one in askers]
        self._states = Bank(state, entries, self._found)
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(tuple_in))),
                "o": Out(stream.Signature(data.StructLayout(tuple_in | found | places))),
                "next": In(state),
            }
        )

    @staticmethod
    def memory_bits_of(key, entries, ways, state, *, epoch=8, stamp=24):
        """Bits of the memories of such a table, without making one."""
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
        now = Signal(self._stamp)
        item = self._tags[0].o.p.passenger
        takes, fresh, evicted = self._choose(m, item, self._oldest(m, now))
        self._mark(m, item, takes, now)
        self._look_up(m, item, takes, fresh, evicted)
        self._give(m)
        return m

    def _intake(self, m):
        """Gives each tuple its indices; sweeps all of them when numbers of streams begin anew."""
        inside = {"item": self._item, "index": data.ArrayLayout(range(self._depth), self._ways)}
        hashed = Signal(data.StructLayout(inside), reset_less=True)
        coming = Signal.like(hashed)
        hashed_valid = Signal()
        sweeping = Signal(init=1)
        at = Signal(range(self._depth))
        epoch = Signal(self._epoch, init=1)
        step = self._tags[0].i.ready  # the same in all of them
        m.d.comb += [
            self.i.ready.eq(step & ~sweeping),
            *wire(coming.item, {**_members(self.i.p), "sweep": sweeping, "epoch": epoch}),
            coming.item.valid.eq(self.i.p.valid & ~sweeping),
            self._tags[0].i.p.passenger.eq(hashed.item),
        ]
        for bank in self._tags[1:]:
            asker = {"key": hashed.item.key, "epoch": hashed.item.epoch}
            m.d.comb += wire(bank.i.p.passenger, asker)
        with m.If(step):
            m.d.sync += [hashed_valid.eq(self.i.valid | sweeping), hashed.eq(coming)]
            with m.If(sweeping):
                m.d.sync += [at.eq(at + 1), sweeping.eq(~at.all())]
            with m.Elif(self.i.valid & self.i.p.last):
                m.d.sync += [epoch.eq(Mux(epoch.all(), 1, epoch + 1)), sweeping.eq(epoch.all())]
        for way, bank in enumerate(self._tags):
            index = self._hashes[way].network(Value.cast(self.i.p.key))
            m.d.comb += [
                coming.index[way].eq(Mux(sweeping, at, index)),
                bank.i.valid.eq(hashed_valid),
                bank.i.p.index.eq(hashed.index[way]),
            ]

    def _oldest(self, m, now):
        """For each way, whether its entry has rested for longest; of equals it is the lowest."""
        if self._ways == 1:
            return [Const(1)]
        stamps = [bank.o.p.entry.stamp for bank in self._tags]
        # A stamp above the present number is from before that last came to 0.
        past = [Signal(name=f"past{way}") for way in range(self._ways)]
        m.d.comb += [bit.eq(stamp > now) for bit, stamp in zip(past, stamps, strict=True)]
        older = {
            (b, a): Mux(past[a] == past[b], stamps[b] < stamps[a], past[b])
            for a, b in combinations(range(self._ways), 2)
        }
        below = [[older[way, a] for a in range(way)] for way in range(self._ways)]
        above = [[~older[b, way] for b in range(way + 1, self._ways)] for way in range(self._ways)]
        return [Cat(a, b).all() for a, b in zip(below, above, strict=True)]

    def _choose(self, m, item, oldest):
        """Whether the tuple takes the entry of each way; whether it is new; was another key's."""
        hits, free = Signal(self._ways), Signal(self._ways)
        m.d.comb += [
            hits.eq(Cat(bank.note[0] for bank in self._tags)),
            free.eq(Cat(bank.note[1] for bank in self._tags)),
        ]
        miss, full = ~hits.any(), ~free.any()
        first = [one & ~Cat(free[:way], 0).any() for way, one in enumerate(free)]
        takes = Signal(self._ways)
        m.d.comb += takes.eq(
            Cat(
                hits[way] | (miss & (first[way] | (full & oldest[way])))
                for way in range(self._ways)
            )
        )
        return takes, item.valid & miss, item.valid & miss & full

    def _mark(self, m, item, takes, now):
        """Writes the tag of the entry that the tuple takes; in a sweep those of all ways."""
        tag = Signal(self._tag)
        goes = self._states.i.ready | item.sweep
        with m.If(~item.sweep):
            m.d.comb += [tag.key.eq(item.key), tag.epoch.eq(item.epoch)]
            if self._ways > 1:
                m.d.comb += tag.stamp.eq(now)
        for bank, taken in zip(self._tags, takes, strict=True):
            m.d.comb += [
                bank.next.eq(tag),
                bank.update.eq((item.valid & taken) | item.sweep),
                bank.o.ready.eq(goes),
            ]
        with m.If(self._tags[0].o.valid & goes & item.valid):
            m.d.sync += now.eq(now + 1)

    def _look_up(self, m, item, takes, fresh, evicted):
        """Reads the state of the entry that the tuple takes."""
        asks = self._states.i
        places, keys = [], []
        for way, bank in enumerate(self._tags):
            place = Cat(bank.o.p.index, Const(way, (self._ways - 1).bit_length()))
            places.append(Mux(takes[way], place, 0))
            keys.append(Mux(takes[way], bank.o.p.entry.key, 0))
        found = {"fresh": fresh, "evicted": evicted, "evicted_key": reduce(or_, keys)}
        m.d.comb += [
            asks.valid.eq(self._tags[0].o.valid & ~item.sweep),
            asks.p.index.eq(reduce(or_, places)),
            *wire(asks.p.passenger, {**_members(item), **found}),
        ]

    def _give(self, m):
        """Offers what was found; a state from before the entry was made counts as zero."""
        states, o = self._states, self.o
        found = states.o.p.passenger
        m.d.comb += [
            o.valid.eq(states.o.valid),
            states.o.ready.eq(o.ready),
            *(o.p[name].eq(found[name]) for name, _ in self._found),
            o.p.entry.eq(states.o.p.index),
            Value.cast(o.p.state).eq(Mux(found.fresh, 0, Value.cast(states.o.p.entry))),
            states.next.eq(self.next),
            states.update.eq(found.valid),
        ]


def _mine_or_free(tag, item):
    """Whether the tag is the item's key's, in this stream; and whether it is of another stream."""
    free = tag.epoch != item.epoch
    return Cat(equal(tag.key, Value.cast(item.key), ~free), free)


def _members(view):
    return {name: view[name] for name, _ in view.shape()}


def _tag(key, entries, ways, epoch, stamp):
    """Layout of a tag; ValueError if there can be no such table."""
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
