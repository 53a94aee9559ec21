"""Assigns blocks to places in the ring of their key, and saves from which block windows begin."""

from dataclasses import dataclass, field

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.no_cache import NoCache
from rtl.keyed.codec.block_format import block_info_layout, block_layout
from rtl.keyed.codec.chained.chain_format import window_block_layout
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.packer import packed_layout
from rtl.keyed.dram.lines import SEGMENTS
from rtl.keyed.store.blocks.ring_room import RingRoom
from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from rtl.stream.order import equal

#: Width of the number of a key's life, in bits. The number may wrap: of the lives of one entry,
#: far fewer than 2^LIFE have values or feedback in the pipeline at the same time.
LIFE = 12


def ring_blocks(form, values, ports):
    """Returns the number of blocks of a ring with room for ``values`` values, however coded.

    It is a power of two, and at least two for each port. The worst case is full blocks with the
    longest symbols, and 3 blocks more: the first block, of which the window has only the last
    value, a block that is being closed, and the growing block.

    A stamped block may have a single value, so a ring has ``values`` blocks, and ``values`` must be
    a power of two. Such a ring takes only ``values`` - 1 values: the window kind drops the value
    that would begin the block of the oldest value still needed
    (:class:`~rtl.keyed.windows.key_times.KeyTimes`).
    """
    if form.stamp_bits:
        return max(2 * ports, 4, values)
    return 1 << ceil_log2(max(2 * ports, -(-values // form.least_values) + 3))


def ring_size(lines, step):
    """Returns the least number of blocks of a ring with room for ``lines`` blocks.

    ``step`` is the number of ports times the lines of a stripe. The ring has a multiple of ``step``
    blocks, and the multiple has at most :data:`SEGMENTS` bits that are 1, because the ring lies in
    as many segments of the memory (:class:`~rtl.keyed.dram.lines.LineMap`). For instance 107 blocks
    with 4 ports take 112, which is 4 times 16 + 8 + 4.
    """
    multiple = max(2, -(-lines // step))
    while multiple.bit_count() > SEGMENTS:
        multiple += 1
    return multiple * step


@dataclass(frozen=True, kw_only=True)
class RingPlan:
    """Rings of blocks, one for each key; nothing is built here.

    Attributes
    ----------
    codec : BaseDelta, Xor, Grid or Sz
        Codec of the blocks.
    entries : int
        Number of keys, a power of two of at least 2.
    blocks : int
        Number of blocks of a ring.
    number_bits : int
        Width of a value's sequence number, in bits.
    fold : Fold or None
        State that a block's values are folded into, with a serial decoder or a cache; None if the
        values of windows are sent one by one.
    cache : CachePlan or NoCache
        Cache of the windows of some keys.
    pieces : int or None
        Values of an output line, if a block may have more values than a sorter takes in a cycle;
        then a block is sent as several lines. None sends each block as one line.
    gives_way : bool
        True if a ring may be too small for a window. Then the oldest block of a full ring gives way
        to a new block, and windows that lack its values are marked. False if each window has room.
    window_places : int or None
        With stamps, number of values that the windows of a key may need, a power of two. None
        stands for one value in each block.
    """

    codec: object
    entries: int
    blocks: int
    number_bits: int
    fold: Fold | None = None
    cache: CachePlan | NoCache = field(default_factory=NoCache)
    pieces: int | None = None
    gives_way: bool = False
    window_places: int | None = None

    @property
    def sum_bits(self):
        """Bits of the numbers of values on which sums depend; None without sums of floats."""
        sums = None if self.fold is None else self.fold.sums
        return None if sums is None else sums.info_bits

    @property
    def format(self):
        """Format of the blocks."""
        return self.codec.format

    @property
    def bounds(self):
        """Members of the host's settings for the codec."""
        return getattr(self.format.bound, "members", {})

    @property
    def stamped(self):
        """True if blocks are stamped: all values of a block lie in one slide of time."""
        return self.format.stamp_bits > 0

    @property
    def places(self):
        """Modulus of sequence numbers in the table: 2^number_bits, or the places if stamped."""
        if self.stamped:
            return self.window_places or self.blocks
        return 1 << self.number_bits

    def following(self, index):
        """Returns the index of the block after the block with this index."""
        following = (index + 1)[: len(index)]
        return following if self._wraps_by_itself else Mux(index == self.blocks - 1, 0, following)

    def previous(self, index):
        """Returns the index of the block before the block with this index."""
        previous = (index - 1)[: len(index)]
        return previous if self._wraps_by_itself else Mux(index == 0, self.blocks - 1, previous)

    def distance(self, first, last):
        """Returns the number of blocks from index ``first`` to index ``last``, less than blocks."""
        distance = (last - first)[: len(last)]
        if self._wraps_by_itself:
            return distance
        return Mux(last < first, (distance + self.blocks)[: len(last)], distance)

    @property
    def _wraps_by_itself(self):
        return self.blocks & (self.blocks - 1) == 0

    @property
    def read(self):
        """Layout of the block from which a key's next windows are read.

        It is valid for the key's ``life`` only. No later window begins before block ``block_index``
        of the ring. ``number`` is the sequence number of that block's first value. If stamped, also
        ``lost``: a later window may begin before this block, because the block before is damaged or
        gave way. With ``gives_way`` also ``overflow``: the block before gave way. With chains of
        blocks also ``start``, the state before this block, if the block is dependent.
        """
        lost = {"lost": 1} if self.stamped else {}
        lost |= {"overflow": 1} if self.gives_way else {}
        lost |= {"start": self.format.start} if self.format.chained else {}
        return data.StructLayout(
            {"life": LIFE, "block_index": range(self.blocks), "number": self.number_bits, **lost}
        )

    @property
    def written(self):
        """Layout of the state of a key's blocks in the ring.

        ``block_index``, the index of the growing block; ``life`` of the key; ``start``, the index
        of the first block of this life. If stamped, also the ``number`` of the next value.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        place = range(self.blocks)
        return data.StructLayout({"block_index": place, "start": place, "life": LIFE, **number})

    @property
    def feedback(self):
        """Layout of the feedback: ``index`` of a key's entry, and ``entry``, the new ``read``.

        With ``gives_way`` also ``drained``: this is no feedback of a window, but the answer to a
        request for it (:class:`~rtl.keyed.store.blocks.ring_room.RingRoom`).
        """
        drained = {"drained": 1} if self.gives_way else {}
        return data.StructLayout({"index": range(self.entries), "entry": self.read, **drained})

    @property
    def place(self):
        """Layout of the place where a window begins: a ``feedback`` with chains, without a start.

        ``index`` of a key's entry, its ``life``, and ``block_index`` and ``number`` of the block.
        """
        members = self.read.members
        place = {name: members[name] for name in ("life", "block_index", "number")}
        return data.StructLayout({"index": range(self.entries), **place})

    def window_block(self, passenger):
        """Returns the layout of a block of a window on its way to the decoders."""
        info = block_info_layout(passenger)
        if self.format.chained:
            return window_block_layout(self.format, info, self.place)
        return block_layout(info)

    def numbered(self, passenger):
        """Returns the layout of a value with its block and the index of the block.

        Members: those of :func:`~rtl.keyed.codec.packer.packed_layout`; ``block_index``, the index
        of the growing block (if the value closed a block, that block has ``block_index`` - 1);
        ``first``, the block from which windows are read. If stamped, also the ``number`` of the
        value.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        members = packed_layout(self.format, self.entries, passenger).members
        ring = {"block_index": range(self.blocks), "first": self.read}
        return data.StructLayout({**members, **ring, **number})

    def placed(self, passenger):
        """Returns the layout of a value whose block has room in the ring.

        Members: those of ``numbered``; ``blocks``, the number of closed blocks from ``first`` on,
        without the growing block; ``any``, this number is not 0. With ``gives_way`` also ``drain``
        and ``drop``: this is no value, but a request of
        :class:`~rtl.keyed.store.blocks.ring_room.RingRoom`.
        """
        numbered = self.numbered(passenger).members
        requests = dict.fromkeys(("drain", "drop"), 1) if self.gives_way else {}
        return data.StructLayout({**numbered, "blocks": range(self.blocks), "any": 1, **requests})


class BlockRing(wiring.Component):
    """Gives each block an index in its key's ring, and saves from which block windows are read.

    The contents of blocks pass through unchanged; only indices are stored here, in two memories
    with an entry for each key.

    Blocks have different numbers of values, so only the data collector, which reads the blocks,
    knows in which block a window begins. It feeds back the block in which the next window begins:
    earlier blocks are not read again. Until the feedback comes, windows are read from the earlier
    block, which is correct, but reads more blocks. For instance with blocks of the values 0 to 9,
    10 to 29, 30 to 39, and windows of 20 values every 5::

        window    values     read from      fed back, as the next one begins at
        0         0 to 19    0 to 9         5, in 0 to 9
        1         5 to 24    0 to 9         10, in 10 to 29
        2         10 to 29   10 to 29       15, in 10 to 29

    A key that begins anew has a new ``life``. Feedback has the life of its key: feedback of another
    life is ignored, and until feedback of the key's own life comes, windows are read from the
    life's first block. Invariant: **the block in which a window begins, and all later blocks, lie
    in the ring**, because a value that would close a block without a free place waits in RingRoom
    until feedback frees a place. If the ring may be too small for a window (``plan.gives_way``),
    the oldest block gives way, and the invariant holds for each window that is not marked::

        i --+--> Bank: growing block ------------+--> RingRoom --> o
            +--> FedBank: block to read from ----+       ^
                    ^                                    |
        feedback ---+-- a cycle later -------------------+

    Windows of time are read from the first block that an open window may need.

    RingRoom is a stage after the lookups, so the logic that updates the entries does not wait for
    the check for room.

    Order is kept. Latency 3 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.
    ``feedback`` is always ready. A reset leaves the entries of the keys as they are.

    Parameters
    ----------
    plan : RingPlan
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(packed_layout(plan.format, plan.entries, passenger)))
    o : Out(stream.Signature(plan.placed(passenger)))
    feedback : In(stream.Signature(plan.feedback, always_ready=True))
        The feedback of one life comes in the order of its windows.

    Source: seed 000, sections 3.1.3 and 3.4.2; lives are ours.
    """

    latency = Bank.latency + RingRoom.latency
    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        self._plan = plan
        value_layout = packed_layout(plan.format, plan.entries, passenger)
        self._written = Bank(plan.written, plan.entries, value_layout)
        self._read = FedBank(plan.read, plan.entries)
        self._room = RingRoom(plan, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(value_layout)),
                "o": Out(stream.Signature(plan.placed(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    @staticmethod
    def memory_bits_of(plan):
        """Returns the size of the memories, in bits, without building the component."""
        written = Bank.memory_bits_of(plan.written, plan.entries)
        return written + FedBank.memory_bits_of(plan.read, plan.entries)

    def elaborate(self, platform):
        m = Module()
        m.submodules.written, m.submodules.read = written, read = self._written, self._read
        m.submodules.room = room = self._room
        wiring.connect(m, room.o, wiring.flipped(self.o))
        value, written_entry, o = written.o.p.passenger, written.o.p.entry, room.i.p
        block_index, mine = Signal.like(written_entry.block_index), Signal()
        self._feed(m, read.feedback, room.feedback)
        fed_entry = self._fed_entry(m, written.o, read)
        m.d.comb += [
            written.i.valid.eq(self.i.valid),
            read.i.valid.eq(self.i.valid),
            self.i.ready.eq(written.i.ready),
            written.i.p.index.eq(self.i.p.entry),
            read.i.p.index.eq(self.i.p.entry),
            written.i.p.passenger.eq(self.i.p),
            block_index.eq(
                Mux(
                    value.closes,
                    self._plan.following(written_entry.block_index),
                    written_entry.block_index,
                )
                if self._plan.gives_way
                else written_entry.block_index + value.closes
            ),
            mine.eq((fed_entry.life == written_entry.life) & ~value.fresh),
            written.update.eq(value.valid),
            written.next.block_index.eq(block_index),
            written.next.start.eq(Mux(value.fresh, block_index, written_entry.start)),
            written.next.life.eq(written_entry.life + value.fresh),
            *(o[name].eq(value[name]) for name in value.shape().members),
            o.block_index.eq(block_index),
            o.first.life.eq(Mux(value.valid, written.next.life, written_entry.life)),
            o.first.block_index.eq(
                Mux(mine, fed_entry.block_index, Mux(value.fresh, block_index, written_entry.start))
            ),
            o.first.number.eq(Mux(mine, fed_entry.number, 0)),
            room.i.valid.eq(written.o.valid),
            written.o.ready.eq(room.i.ready),
            read.o.ready.eq(room.i.ready),
        ]
        if self._plan.stamped:
            m.d.comb += [
                o.number.eq(Mux(value.fresh, 0, written_entry.number)),
                written.next.number.eq(o.number + 1),
                o.first.lost.eq(mine & fed_entry.lost),
            ]
        if self._plan.format.chained:
            # The first block of a life has a seed, so only fed states matter.
            m.d.comb += [
                o.first.start.seed.eq(fed_entry.start.seed),
                o.first.start.known.eq(mine & fed_entry.start.known),
            ]
        if self._plan.gives_way:
            m.d.comb += o.first.overflow.eq(mine & fed_entry.overflow)
        return m

    def _feed(self, m, bank, room):
        """Sends the feedback to the bank after a cycle, and to RingRoom after two cycles.

        The value passes the two targets a cycle apart, so it meets each feedback exactly once. Only
        RingRoom gets the answers to its requests, which are no feedback of windows.
        """
        fed, is_drained = self.feedback, 0
        m.d.sync += bank.valid.eq(fed.valid)
        if self._plan.gives_way:
            is_drained = Signal()
            m.d.sync += [
                bank.valid.eq(fed.valid & ~fed.p.drained),
                is_drained.eq(fed.valid & fed.p.drained),
                room.p.drained.eq(is_drained),
            ]
        m.d.sync += room.valid.eq(bank.valid | is_drained)
        for source, target in ((fed, bank), (bank, room)):
            m.d.sync += [target.p[name].eq(source.p[name]) for name in ("index", "entry")]

    def _fed_entry(self, m, offered, read):
        """Returns the newest feedback for the entry of the value at the output of the banks.

        The entry of a FedBank does not change while it is stalled, so feedback that comes meanwhile
        is saved here.
        """
        fed = read.feedback
        later = Signal()
        saved, fed_entry = Signal(self._plan.read, reset_less=True), Signal(self._plan.read)
        m.d.comb += fed_entry.eq(Mux(later, saved, read.o.p.entry))
        with m.If(offered.valid & offered.ready):
            m.d.sync += later.eq(0)
        with m.Elif(equal(offered.p.index, fed.p.index, fed.valid & offered.valid)):
            m.d.sync += [later.eq(1), saved.eq(fed.p.entry)]
        return fed_entry
