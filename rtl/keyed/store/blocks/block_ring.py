"""Where the blocks of a key lie in its ring, and from which one on its windows are read."""

from dataclasses import dataclass

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.packer import packed_layout
from rtl.keyed.store.blocks.ring_room import RingRoom
from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from rtl.stream.order import equal

#: Bits of the number of a key's life: far more than lives of an entry are ever told of at a time.
LIFE = 12


def ring_blocks(form, values, ports):
    """Blocks of a ring that has room for so many values of a key, however they are coded.

    A power of two, and at least two for each port. Beside the blocks that are full of the longest
    symbols there is one of which the window has but the last value, and one that is being closed.

    Stamped ones may have a value each. There the values are a power of two, and as many blocks have
    room for one less.
    """
    if form.stamp_bits:
        return max(2 * ports, 4, values)
    return 1 << ceil_log2(max(2 * ports, -(-values // form.least_values) + 3))


@dataclass(frozen=True, kw_only=True)
class RingPlan:
    """Rings of blocks, one for each key; nothing is built here.

    Attributes
    ----------
    codec : BaseDelta, Xor, Grid or Sz
        What the blocks are coded with.
    entries : int
        Keys, a power of two of at least 2.
    blocks : int
        Of a ring, a power of two.
    number_bits : int
        Of a value's number among those of its key.
    fold : Fold or None
        What a block becomes when it is decoded value by value, or where there is a cache; None
        where windows are given in values.
    cache : CachePlan or None
        Windows of some keys come out of it.
    pieces : int or None
        Values in which windows are given, where a block may have more than who sorts them takes in
        a cycle; None gives a line for each block.
    """

    codec: object
    entries: int
    blocks: int
    number_bits: int
    fold: Fold | None = None
    cache: CachePlan | None = None
    pieces: int | None = None

    @property
    def format(self):
        """Of the blocks."""
        return self.codec.format

    @property
    def bounds(self):
        """Members of what the host sets for the codec."""
        return getattr(self.format.bound, "members", {})

    @property
    def stamped(self):
        """Blocks are those of windows of time."""
        return self.format.stamp_bits > 0

    @property
    def places(self):
        """What the table counts the values of a key in: their numbers, or if stamped, blocks."""
        return self.blocks if self.stamped else 1 << self.number_bits

    @property
    def read(self):
        """Layout of how far a key's windows have been read.

        The ``life`` of the key that it is true of; no window that is yet to come begins before
        block ``line`` of the ring, the first value of which has this ``number``. If stamped, also
        ``lost``: one does, for that block comes behind a damaged one.
        """
        lost = {"lost": 1} if self.stamped else {}
        return data.StructLayout(
            {"life": LIFE, "line": range(self.blocks), "number": self.number_bits, **lost}
        )

    @property
    def written(self):
        """Layout of how far a key's blocks have been written.

        The growing one will be block ``line`` of the ring, the first one of its ``life`` is
        ``start``. If stamped, also the ``number`` of the next value.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        place = range(self.blocks)
        return data.StructLayout({"line": place, "start": place, "life": LIFE, **number})

    @property
    def feedback(self):
        """Layout of what is fed back: ``index`` of a key's entry, ``entry``, how far it is read."""
        return data.StructLayout({"index": range(self.entries), "entry": self.read})

    def numbered(self, passenger):
        """Layout of a value with its block, and where that is.

        As :func:`~rtl.keyed.codec.packer.packed_layout`, and: the block that grows will be block
        ``line`` of the ring, and one that the value closed is the one before; ``first``, the block
        from which on windows are read, with its ``number`` and the key's ``life``. If stamped, also
        the ``number`` of the value: so many of its key came before it.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        members = packed_layout(self.format, self.entries, passenger).members
        ring = {"line": range(self.blocks), "first": self.read}
        return data.StructLayout({**members, **ring, **number})

    def placed(self, passenger):
        """Layout of a value for whose block there is room.

        As it is ``numbered``, and how many ``blocks`` there are from the first one to before the
        growing one, and whether there are ``any``.
        """
        numbered = self.numbered(passenger).members
        return data.StructLayout({**numbered, "blocks": range(self.blocks), "any": 1})


class BlockRing(wiring.Component):
    """Numbers the blocks of each key, and remembers from which one on it is read.

    Blocks have as many values as there was room for, so only who has read them knows in which one
    a window begins. It feeds that back, for the next window: what comes before is not read again.
    Until then windows are read from the block before, which is right, but more. For instance blocks
    with the values 0 to 9, 10 to 29, 30 to 39, and windows of 20 values every 5::

        window    values     read from      fed back, as the next one begins at
        0         0 to 19    0 to 9         5, in 0 to 9
        1         5 to 24    0 to 9         10, in 10 to 29
        2         10 to 29   10 to 29       15, in 10 to 29

    A key that begins anew has a ``life`` of its own, which goes along with what is fed back: what
    is told of another life does not count, and until something is told of this one, it is read
    from its first block. **Always: the block in which a window begins, and all behind it, lie in
    the ring**, for a value that would close a block where there is no place waits until one has
    been told to be free::

        i --> Bank, how far written ---+--> RingRoom --> o
              FedBank, how far read ---+       |
        feedback --> register ---^---- register^

    Windows of time are read from the first block on that one may still need.

    Whether there is room is settled behind the lookups, so that it is not in the way of what
    becomes of the entries.

    Order is kept. Latency 3 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.
    ``feedback`` is always taken. A reset leaves what is known of the keys as it is.

    Parameters
    ----------
    plan : RingPlan
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(packed_layout(plan.format, plan.entries, passenger)))
    o : Out(stream.Signature(plan.placed(passenger)))
    feedback : In(stream.Signature(plan.feedback, always_ready=True))
        Of each life in the order of windows.

    Source: seed 000, sections 3.1.3 and 3.4.2; lives are ours.
    """

    latency = Bank.latency + RingRoom.latency
    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        self._plan = plan
        goes = packed_layout(plan.format, plan.entries, passenger)
        self._written = Bank(plan.written, plan.entries, goes)
        self._read = FedBank(plan.read, plan.entries)
        self._room = RingRoom(plan, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(goes)),
                "o": Out(stream.Signature(plan.placed(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    @staticmethod
    def memory_bits_of(plan):
        """Bits of the memories of such a ring, without making one."""
        written = Bank.memory_bits_of(plan.written, plan.entries)
        return written + FedBank.memory_bits_of(plan.read, plan.entries)

    def elaborate(self, platform):
        m = Module()
        m.submodules.written, m.submodules.read = written, read = self._written, self._read
        m.submodules.room = room = self._room
        wiring.connect(m, room.o, wiring.flipped(self.o))
        came, known, o = written.o.p.passenger, written.o.p.entry, room.i.p
        line, mine = Signal.like(known.line), Signal()
        self._feed(m, read.feedback, room.feedback)
        told = self._told(m, written.o, read)
        m.d.comb += [
            written.i.valid.eq(self.i.valid),
            read.i.valid.eq(self.i.valid),
            self.i.ready.eq(written.i.ready),
            written.i.p.index.eq(self.i.p.entry),
            read.i.p.index.eq(self.i.p.entry),
            written.i.p.passenger.eq(self.i.p),
            line.eq(known.line + came.closes),
            mine.eq((told.life == known.life) & ~came.fresh),
            written.update.eq(came.valid),
            written.next.line.eq(line),
            written.next.start.eq(Mux(came.fresh, line, known.start)),
            written.next.life.eq(known.life + came.fresh),
            *(o[name].eq(came[name]) for name in came.shape().members),
            o.line.eq(line),
            o.first.life.eq(Mux(came.valid, written.next.life, known.life)),
            o.first.line.eq(Mux(mine, told.line, Mux(came.fresh, line, known.start))),
            o.first.number.eq(Mux(mine, told.number, 0)),
            room.i.valid.eq(written.o.valid),
            written.o.ready.eq(room.i.ready),
            read.o.ready.eq(room.i.ready),
        ]
        if self._plan.stamped:
            m.d.comb += [
                o.number.eq(Mux(came.fresh, 0, known.number)),
                written.next.number.eq(o.number + 1),
                o.first.lost.eq(mine & told.lost),
            ]
        return m

    def _feed(self, m, *targets):
        """Shows what is fed back to each, a cycle after the one before it."""
        fed = self.feedback
        for target in targets:
            m.d.sync += target.valid.eq(fed.valid)
            m.d.sync += target.p.eq(fed.p)
            fed = target

    def _told(self, m, offered, read):
        """What was fed back of the entry that is offered, also while it has to wait."""
        fed = read.feedback
        later = Signal()
        kept, told = Signal(self._plan.read, reset_less=True), Signal(self._plan.read)
        m.d.comb += told.eq(Mux(later, kept, read.o.p.entry))
        with m.If(offered.valid & offered.ready):
            m.d.sync += later.eq(0)
        with m.Elif(equal(offered.p.index, fed.p.index, fed.valid & offered.valid)):
            m.d.sync += [later.eq(1), kept.eq(fed.p.entry)]
        return told
