"""Describes the rings of blocks: sizes, layouts, and indices of blocks; nothing is built here."""

from dataclasses import dataclass, field

from amaranth.hdl import Mux
from amaranth.lib import data
from amaranth.utils import ceil_log2

from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.cache.no_cache import NoCache
from rtl.keyed.codec.block_format import block_info_layout, block_layout
from rtl.keyed.codec.chained.chain_format import window_block_layout
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.packer import packed_layout
from rtl.keyed.dram.lines import SEGMENTS

#: Width of the number of a key's life, in bits. A key begins a new life whenever its first value
#: arrives after it was inserted into the table. The number may wrap: far fewer than 2^LIFE_BITS
#: lives of one entry have values or feedback in the pipeline at the same time.
LIFE_BITS = 12

#: Layout of a request of a full ring, which takes the place of a value, and later of a window, on
#: its way to the data collector. At most one of the two bits is high:
#:
#: - ``drain``: the collector answers when it has sent the feedback of all windows before;
#: - ``drop``: the oldest block of the ring gives way, and the collector answers with the block
#:   after it.
#:
#: :class:`~rtl.keyed.store.blocks.ring_room.RingRoom` sends the requests, and
#: :class:`~rtl.keyed.store.blocks.block_windows.BlockWindows` answers them.
RING_REQUEST = data.StructLayout({"drain": 1, "drop": 1})


def ring_blocks(form, values, ports, earlier=0):
    """Returns the number of blocks of a ring with room for ``values`` values, however coded.

    The number is a power of two, and at least two for each port. The worst case is full blocks with
    the longest symbols, and 3 blocks more: the first block, of which the window has only the last
    value, a block that is being closed, and the growing block. For instance 64 values, of which a
    block has at least 6, take 11 blocks and these 3: 14, rounded up to 16. A ring also has room for
    ``earlier`` blocks before the first block of a window.

    A stamped block may have a single value, so a ring has ``values`` blocks, but at least 4 and at
    least two for each port; ``values`` must be a power of two. A ring of stamped blocks has room
    for ``values`` - 1 values, because one place stays free for the block that is being closed: see
    :meth:`rtl.keyed.store.blocks.block_store.BlockStore.room`.
    """
    if form.stamp_bits:
        return max(2 * ports, 4, values)
    blocks = -(-values // form.least_values) + 3 + earlier
    return 1 << ceil_log2(max(2 * ports, blocks))


def ring_size(blocks, step):
    """Returns the least number of blocks of a ring with room for ``blocks`` blocks.

    ``step`` is the number of ports times the lines of a stripe. The ring has a multiple of ``step``
    blocks, and the multiple has at most :data:`SEGMENTS` bits that are 1, because the ring lies in
    as many segments of the memory (:class:`~rtl.keyed.dram.lines.LineMap`). For instance 107 blocks
    with 4 ports take 112, which is 4 times 16 + 8 + 4.
    """
    multiple = max(2, -(-blocks // step))
    while multiple.bit_count() > SEGMENTS:
        multiple += 1
    return multiple * step


@dataclass(frozen=True, kw_only=True)
class RingPlan:
    """Describes the rings of blocks, one ring for each key.

    A ring has a fixed number of places in DRAM, each for one compressed block. The index of a block
    is the number of its place. The *growing* block of a key, which is on the chip, has the index of
    the place that it will take when it is closed. For instance a ring of 4 blocks whose growing
    block has index 1, where windows are read from block 3 on::

        index       0         1                       2           3
        contents    closed    free, for the growing   obsolete    closed, read first

    Attributes
    ----------
    codec : rtl.keyed.codec.codec.Codec
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
    piece_values : int or None
        Number of values of a line that the collector sends to a sorter. A block with more values is
        cut into several lines: a block of 20 values into 3 lines or more of 8. None sends each
        block as one line.
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
    piece_values: int | None = None
    gives_way: bool = False
    window_places: int | None = None

    @property
    def format(self):
        """Format of the blocks."""
        return self.codec.format

    @property
    def codec_settings(self):
        """Members of the host's settings for the codec: the error bound of a lossy codec."""
        return getattr(self.format.error_bound, "members", {})

    @property
    def stamped(self):
        """True if each block has a stamp: the slide of time in which all its values lie."""
        return self.format.stamp_bits > 0

    @property
    def joined(self):
        """True if a value and the window of time that it closes are one item: with a cache.

        A window from the cache then costs its tuple no extra cycle. Without a cache the window is
        an item of its own: a joined window would be sent before the feedback of the windows ahead
        names the first block that is still needed, and so would read older blocks in vain.
        """
        return self.stamped and self.cache.stores_values

    @property
    def places(self):
        """Number of places with which the window kind of the plan counts.

        Without stamps it is 2^``number_bits``, the modulus of sequence numbers. With stamps it is
        ``window_places``, or ``blocks`` if that is None; the ring itself still numbers values
        modulo 2^``number_bits``.
        """
        if self.stamped:
            return self.window_places or self.blocks
        return 1 << self.number_bits

    def following(self, index):
        """Returns the index that follows ``index`` in the ring."""
        following = (index + 1)[: len(index)]
        return following if self._wraps_by_itself else Mux(index == self.blocks - 1, 0, following)

    def previous(self, index):
        """Returns the index that precedes ``index`` in the ring."""
        previous = (index - 1)[: len(index)]
        return previous if self._wraps_by_itself else Mux(index == 0, self.blocks - 1, previous)

    def distance(self, first, last):
        """Returns the number of blocks from index ``first`` up to the one before ``last``.

        For instance 3 blocks, 6, 7 and 0, from 6 to 1 in a ring of 8.
        """
        distance = (last - first)[: len(last)]
        if self._wraps_by_itself:
            return distance
        return Mux(last < first, (distance + self.blocks)[: len(last)], distance)

    @property
    def _wraps_by_itself(self):
        return self.blocks & (self.blocks - 1) == 0

    @property
    def first_block(self):
        """Layout of the first block from which a key's next windows are read.

        No later window of the key's ``life`` begins before block ``block_index`` of the ring, whose
        first value has the sequence number ``number``. If stamped, also ``lost``: a later window
        may begin before this block, because the block before is damaged or gave way. With
        ``gives_way`` also ``overflow``: the block before gave way. With chains of blocks also
        ``start``, the state of the codec before this block, if the block is dependent.
        """
        lost = {"lost": 1} if self.stamped else {}
        lost |= {"overflow": 1} if self.gives_way else {}
        lost |= {"start": self.format.start} if self.format.chained else {}
        return data.StructLayout(
            {
                "life": LIFE_BITS,
                "block_index": range(self.blocks),
                "number": self.number_bits,
                **lost,
            }
        )

    @property
    def write_state(self):
        """Layout of the state of a key's blocks in the ring.

        ``block_index``, the index of the growing block; ``life`` of the key; ``start``, the index
        of the first block of this life. If stamped, also the ``number`` of the next value.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        place = range(self.blocks)
        return data.StructLayout(
            {"block_index": place, "start": place, "life": LIFE_BITS, **number}
        )

    @property
    def feedback(self):
        """Layout of the feedback: ``entry``, the new content of entry ``index`` of the memory.

        ``index`` is the number of the key's entry in the table, and ``entry`` the key's
        :attr:`first_block`.

        With ``gives_way`` also ``drained``: the feedback is the answer to a ``drain`` of
        :data:`RING_REQUEST`, and ``entry`` has no meaning.
        """
        drained = {"drained": 1} if self.gives_way else {}
        return data.StructLayout(
            {"index": range(self.entries), "entry": self.first_block, **drained}
        )

    @property
    def window_place(self):
        """Layout of the block in which a key's next window begins, without a state of the codec.

        ``index`` of the key's entry; ``life`` of the key; ``block_index`` of the block, and
        ``number`` of the block's first value.
        """
        members = self.first_block.members
        place = {name: members[name] for name in ("life", "block_index", "number")}
        return data.StructLayout({"index": range(self.entries), **place})

    def window_block(self, passenger):
        """Returns the layout of a block of a window on its way to the decoders."""
        info = block_info_layout(passenger)
        if self.format.chained:
            return window_block_layout(self.format, info, self.window_place)
        return block_layout(info)

    def numbered_value(self, passenger):
        """Returns the layout of a value with its block and the index of the block.

        The members of :func:`~rtl.keyed.codec.packer.packed_layout`; ``block_index``, the index of
        the growing block, which has the value (if the value closed a block, the closed block has
        the index before); ``first``, the block from which windows are read, as :attr:`first_block`.
        If stamped, also the ``number`` of the value.
        """
        number = {"number": self.number_bits} if self.stamped else {}
        members = packed_layout(self.format, self.entries, passenger).members
        ring = {"block_index": range(self.blocks), "first": self.first_block}
        return data.StructLayout({**members, **ring, **number})

    def value_in_ring(self, passenger):
        """Returns the layout of a value whose block has room in the ring.

        The members of :meth:`numbered_value`; ``blocks``, the number of closed blocks from
        ``first`` on, without the growing block; ``any``, high if ``blocks`` is not 0. With
        ``gives_way`` also ``ring_request``, a :data:`RING_REQUEST`, which is not 0 if a request
        came in place of a value. If ``joined``, ``blocks`` counts the blocks before the value,
        because the window that the value closes does not contain it. Then there are also two flags
        for a value that closes a window and must wait for room. Such an item is offered twice:
        first with ``early``, as the window alone, and later with ``late``, as the value alone.
        """
        counts = {"blocks": range(self.blocks), "any": 1}
        parts = {"early": 1, "late": 1} if self.joined else {}
        request = request_members(self)
        members = {**self.numbered_value(passenger).members, **counts, **parts, **request}
        return data.StructLayout(members)


def request_members(ring):
    """Returns the member of a layout for requests of a ring; none if no block ever gives way."""
    return {"ring_request": RING_REQUEST} if ring.gives_way else {}
