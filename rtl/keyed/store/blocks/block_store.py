"""Describes the store of values in compressed blocks, and builds its components."""

from dataclasses import dataclass, field

from amaranth.hdl import Signal
from amaranth.lib import data, wiring

from rtl.keyed.codec.chained.chain_format import chain_counts
from rtl.keyed.codec.chained.chain_pool import ChainPool
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.store.blocks.block_collector import BlockCollector
from rtl.keyed.store.blocks.block_copies import BlockCopies, outer_copies_map
from rtl.keyed.store.blocks.block_levels import BlockLevels
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.ring_plan import RingPlan
from rtl.keyed.store.lines.line_format import LineFormat
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.second_level import SecondLevel


@dataclass(frozen=True, kw_only=True)
class BlockStore:
    """Compresses the values of a key into blocks, each with as many values as have room in it.

    The block of a value is known only when the value is compressed. So a step describes a window by
    sequence numbers, and the collector finds the values of the window in the blocks. If the window
    kind has a membership, all values of a block have the same stamp.

    The attributes and methods are those of
    :class:`~rtl.keyed.store.lines.line_store.LineStore`.

    Attributes
    ----------
    line : LinePlan
        Stored items. If values are sorted, windows come in lines of ``items`` values.
    ring : RingPlan
        The rings of blocks. With a ``fold`` a window comes as one state for each block, instead of
        the values.
    m2 : SecondLevel
        With ``blocks``, M2 has copies of the last closed blocks of each key.
    """

    line: LinePlan
    ring: RingPlan
    m2: SecondLevel = field(default_factory=SecondLevel)

    #: Name of the memory, as for LineStore: the growing block is on the chip.
    memory = "mlq"
    #: Each value may take a block by itself.
    ring_items = 1

    def check(self, window, lines):
        """Raises ValueError unless places, stamps and M2 agree with the blocks."""
        if self.m2.lines != 1:
            raise ValueError(f"m2 must have one line with blocks, not {self.m2}")
        if self.m2.has_words_outside:
            raise ValueError(f"m2 must have copies of blocks outside of the chip, not {self.m2}")
        if window.places != self.ring.places:
            raise ValueError(
                f"places must be the numbers of values, {self.ring.places}, not {window.places}"
            )
        if window.membership is not None:
            stamp = self.ring.format.stamp_bits
            window_stamp = window.membership.stamp_bits
            if stamp != window_stamp:
                raise ValueError(f"stamps of blocks must have {window_stamp} bits, not {stamp}")

    @property
    def settings(self):
        """Members of the host's settings that the store adds: the bound of a lossy codec."""
        return self.ring.codec_settings

    @property
    def counters(self):
        """Counters of the cache, a part of the counters of KeyWindows."""
        return self.ring.cache.counters

    def outer_m2(self, lines):
        """Returns the LineMap of the copies if they are outside of the chip, else None."""
        return outer_copies_map(lines, self.m2)

    def line_format(self, window, lines):
        """Returns the format of the lines of a window."""
        ring = self.ring
        lines_max = self.ring.blocks + 1
        if (fold := ring.fold) is not None:
            return LineFormat(
                shape=fold.states,
                lanes=1,
                lines=lines_max,
                block=fold.block_tuples,
                queued=Decompressor.capacity_of(ring.codec, fold),
                counts=chain_counts(fold) if ring.format.chained else {},
            )
        lanes = ring.piece_values or ring.codec.lanes
        pieces = ring.codec.lanes // lanes
        shape = window.value_of(self.line.item)
        used = min(lanes, ring.codec.slots)
        return LineFormat(
            shape=shape, lanes=lanes, lines=lines_max * pieces, pieces=pieces, used=used
        )

    def info_members(self, lines):
        """Returns the members that the store adds to the description of a window.

        If blocks may give way, ``overflow``: the window lacks values of blocks that gave way. With
        sums of floating point, ``number``: the sequence number of the first value of a block that
        is in the window. So ``number`` differs from block to block of a window. For instance in a
        window of the values 10 to 34, with blocks from 0 and 20 on, it is 10 and then 20.
        """
        overflow = {"overflow": 1} if self.ring.gives_way else {}
        number = {} if self.ring.fold is None else self.ring.fold.window_number
        return {**overflow, **number}

    def position_layout(self, window, lines):
        """Returns the layout of the members of a step that accompany a value to the compressor.

        The window kind's ``span``, which describes a window by sequence numbers; ``fresh``, the
        value is the first one of its key; and the codec's bound.
        """
        return data.StructLayout({**window.span, "fresh": 1, **self.ring.codec_settings})

    def locate(self, step, number, begin, before):
        """Returns no statements, because a step describes its window by the window kind's span."""
        return []

    def locate_after(self, step, number, head):
        """Returns statements that assign the number of values from ``head`` to before ``number``.

        For instance 30 values, with the sequence number 100 and a head at 70.
        """
        return [step.window_info.bound.eq((number - head)[: len(number)])]

    def room(self, m, state, holds, empties):
        """Returns the flags ``full`` and ``lost`` of a value, as ``LineStore.room``.

        ``full`` is always high, so the item comes in a step of its own, after the windows that its
        tuple closes. But ``full`` is always low if the ring joins a value and its window, because
        the ring sends a window before its value if the value has no room
        (:class:`~rtl.keyed.store.blocks.ring_room.RingRoom`). ``lost`` is high if the value would
        take the last free place, because this place is for the block that is being closed. For
        instance with 8 places and a head at place 3 of the ring, 7 values have room, and the next
        value, which would lie at place 2, is dropped.
        """
        following = Signal.like(state.place)
        lost = Signal()
        m.d.comb += [
            following.eq(state.place + 1),
            lost.eq(state.used & holds(following) & ~empties),
        ]
        return 0 if self.ring.joined else 1, lost

    def members_to_steps(self, places):
        """Returns the members that the store adds to a tuple between the table and the steps.

        ``place``, the sequence number of the tuple's value; ``empties``, when the tuple has closed
        its windows, no open window has an earlier value; ``fresh``, the value is the first one of
        its key; and the codec's bound.
        """
        return {"place": range(places), "empties": 1, "fresh": 1, **self.ring.codec_settings}

    def levels(self, plan):
        """Builds the component that stores the items of steps, and requests windows."""
        return BlockLevels(plan)

    def levels_latency(self, plan):
        """Returns the latency of :meth:`levels`, in cycles."""
        return BlockLevels.latency_of(plan)

    def collector(self, plan):
        """Builds the component that collects and decompresses the blocks of windows."""
        return BlockCollector(plan)

    def collector_latencies(self, plan):
        """Returns two parts of the latency of :meth:`collector`, in cycles.

        The passes of windows with pivots are between them.
        """
        return BlockCollector.latencies_of(plan)

    def connect(self, m, levels, collector):
        """Connects the feedback of the collector to the levels, and the cache to the collector."""
        wiring.connect(m, collector.feedback, levels.feedback)
        wiring.connect(m, levels.cached, collector.cached)

    def events_of(self, levels):
        """Returns the values of the cache's counters, by name."""
        return {counter.name: levels.hit for counter in self.ring.cache.counters}

    def memory_bits(self, entries):
        """Returns the size of the memories on the chip, in bits."""
        cache = self.ring.cache.memory_bits_of(self.ring)
        compressor = Compressor.memory_bits_of(self.ring.codec, entries)
        copies = BlockCopies.memory_bits_of(entries, self.m2)
        queues = 0
        if self.ring.format.chained:
            queues = ChainPool.memory_bits_of(self.ring.codec, self.ring.fold)
        return compressor + BlockRing.memory_bits_of(self.ring) + cache + copies + queues
