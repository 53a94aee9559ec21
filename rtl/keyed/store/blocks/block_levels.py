"""Compresses the values of each key, stores their blocks, and requests the blocks of windows."""

from amaranth.hdl import Cat, Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.step import offer, step_layout
from rtl.keyed.store.blocks.block_commands import BlockCommands
from rtl.keyed.store.blocks.block_copies import copies_of
from rtl.keyed.store.blocks.block_numbers import block_window_layout
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.copied_blocks import sourced_line
from rtl.stream.queue import StreamQueue


def step_info_layout(plan):
    """Returns the layout of the members of a step that the ring needs, without the step's item.

    The members are those of ``plan.position_layout``, except ``fresh`` and the codec's settings,
    which the compressor takes; and ``closes`` and ``window_info`` of
    :func:`~rtl.keyed.step.step_layout`.
    """
    members = step_layout(plan).members
    names = [
        name
        for name in plan.position_layout.members
        if name not in ("fresh", *plan.store.ring.codec_settings)
    ]
    return data.StructLayout({name: members[name] for name in (*names, "closes", "window_info")})


def passenger_layout(plan):
    """Returns the layout of a value's passenger in the ring, which the ring does not read.

    The members are those of :func:`step_info_layout`, which the commands read, and ``cached``, the
    cache's decision about the value.
    """
    cached = {"cached": plan.store.ring.cache.decision}
    return data.StructLayout({**step_info_layout(plan).members, **cached})


class BlockLevels(wiring.Component):
    """Compresses values into the growing block of each key, and reads the windows that close.

    ::

        i --> Compressor --> cache --> BlockRing --> BlockCommands --+--> copies --> commands
              the growing              where         closed blocks,  |    (M2)
              block (M2)               blocks lie    reads, windows  +--> windows
                                       ^
                            feedback --+ from the data collector     lines --> copies --> collected

    In the picture commands pass ``copies`` on their way out, and blocks on their way in. M2 is
    memory on the chip, and M3 is DRAM; copies may also be in a memory behind ``m_axi_m2``.

    The growing block of a key is in block RAM, with the state of the codec. A closed block is
    written to M3 as a whole. A window that closes is sent to ``windows`` with a copy of the growing
    block, and its closed blocks are read. The first block that is read is the one that the data
    collector has fed back last for the key. The collector skips values that are not in the window.
    If M2 has copies of closed blocks (:class:`~rtl.keyed.store.blocks.block_copies.BlockCopies`),
    only older blocks are read from M3. For instance a value that closes block 6 and a window, where
    the key's windows are read from block 4 on::

        commands    write block 6    read blocks 4 to 6
        windows                      the window, with the growing block 7

    *Items of* ``windows`` *that are no windows*: the announcement of a key that begins, or of a
    block of a cached key that begins (``is_announcement``); the end of a stream, after all of its
    windows; and, if a ring may be smaller than a window (``plan.store.ring.gives_way``), the
    requests ``drain`` and ``drop`` of the ring, which the collector answers with feedback
    (:class:`~rtl.keyed.store.blocks.ring_room.RingRoom`). A ``drop`` reads one block.

    *The cache.* Values pass the plan's cache after the compressor. The blocks of a window from the
    cache are not read, and the window is ``empty`` in ``windows``; its lines come from ``cached``.
    Closed blocks are written in any case, because the key may lose its place in the cache. For the
    same reason each block of a cached key is announced in ``windows``, with the number of the
    block's first value.

    With windows of time a window does not have the value that closes it, and each block has values
    of one slide. Without a cache the window is a step of its own, before the step with the value.
    With a cache one step has both (``plan.store.ring.joined``), the window with the block as it was
    before the value: the block that the value closes, if there is one. The read of the window goes
    out before the write of that block. For instance a value that closes block 6 and a window, where
    windows are read from block 4 on::

        commands    read blocks 4 and 5    write block 6
        windows     the window, with block 6

    Order is kept. Latency: that of the compressor and 5 cycles. Initiation interval 1 cycle; but
    one command goes out per cycle, so a value that closes a block and a window takes 2 cycles. A
    stall at ``commands`` or ``windows`` stalls ``i``, a stall at ``collected`` stalls ``lines``.
    ``updated`` stays low, because no line is read to be changed. ``failed`` and ``busy`` are those
    of the copies. ``busy`` needs no other part: only a copy can still be under way when its stream
    has ended.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a BlockStore.

    Members
    -------
    i : In(stream.Signature(step_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(block_window_layout(plan.store.ring, plan.window_info)))
    lines : In(stream.Signature(marked_line()))
    collected : Out(stream.Signature(sourced_line()))
    feedback : In(stream.Signature(plan.store.ring.feedback, always_ready=True))
    updated : Out(1)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)}))
    busy : Out(1)
    cached : Out(stream.Signature(...))
        The lines of cached windows, for the collector.
    hit : Out(1)
        A window came out of the cache; high for a cycle.
    m2_base : In(plan.outer_m2.base_bits), or none
    m_axi_m2 : Out(Axi4(...)), or none
        With copies outside of the chip.

    Source: seed 000, sections 3.2 to 3.4.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        cache = plan.store.ring.cache
        self._compressor = Compressor(
            plan.store.ring.codec,
            plan.entries,
            step_info_layout(plan),
            restores=cache.stores_values,
        )
        self._ring = BlockRing(plan.store.ring, passenger_layout(plan))
        self._commands = BlockCommands(plan, self._ring.o.p.shape())
        windows = block_window_layout(plan.store.ring, plan.window_info)
        self._cache = cache.lookup(plan.entries)
        self._copies = copies = copies_of(plan.lines, plan.m2)
        outer = {} if plan.outer_m2 is None else copies.signature.members
        super().__init__(
            {
                "i": In(stream.Signature(step_layout(plan))),
                "commands": Out(stream.Signature(plan.lines.command())),
                "windows": Out(stream.Signature(windows)),
                "lines": In(stream.Signature(marked_line())),
                "collected": Out(stream.Signature(sourced_line())),
                "feedback": In(stream.Signature(plan.store.ring.feedback, always_ready=True)),
                "updated": Out(1),
                "failed": Out(copies.failed.shape()),
                "busy": Out(1),
                "cached": Out(self._cache.o.signature),
                "hit": Out(1),
                **{name: outer[name] for name in outer if name in ("m2_base", "m_axi_m2")},
            }
        )

    @staticmethod
    def latency_of(plan):
        ring = plan.store.ring
        compressor_latency = Compressor.latency_of(ring.codec, ring.cache.stores_values)
        return compressor_latency + BlockRing.latency + 2 * StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.compressor = compressor = self._compressor
        m.submodules.ring = ring = self._ring
        wiring.connect(m, wiring.flipped(self.feedback), ring.feedback)
        # The two queues end the chains of ``ready`` from the ring, and from the commands.
        m.submodules.packed = packed = StreamQueue(compressor.o.p.shape(), 2)
        m.submodules.placed = placed = StreamQueue(ring.o.p.shape(), 2)
        wiring.connect(m, compressor.o, packed.i)
        self._look_up(m, packed.o, ring.i)
        wiring.connect(m, ring.o, placed.i)
        m.submodules.block_commands = commands = self._commands
        m.submodules.copies = copies = self._copies
        wiring.connect(m, wiring.flipped(self.lines), copies.lines)
        wiring.connect(m, copies.o, wiring.flipped(self.collected))
        wiring.connect(m, copies.commands, wiring.flipped(self.commands))
        step = self.i.p
        value = compressor.i.p
        item = step.item.item if self._plan.store.ring.stamped else step.item
        m.d.comb += [
            compressor.i.valid.eq(self.i.valid),
            self.i.ready.eq(compressor.i.ready),
            value.entry.eq(step.window_info.entry),
            value.value.eq(_value_of(item)),
            value.fresh.eq(step.fresh),
            value.valid.eq(step.valid),
            *(value.bound[name].eq(step[name]) for name in self._plan.store.ring.codec_settings),
            *(
                Value.cast(value.passenger[name]).eq(Value.cast(step[name]))
                for name in step_info_layout(self._plan).members
            ),
        ]
        if self._plan.store.ring.stamped:
            m.d.comb += value.stamp.eq(step.item.stamp)
        wiring.connect(m, placed.o, commands.i)
        wiring.connect(m, commands.commands, copies.i)
        wiring.connect(m, commands.windows, wiring.flipped(self.windows))
        m.d.comb += [
            self.hit.eq(commands.hit),
            self.failed.eq(copies.failed),
            self.busy.eq(copies.busy),
        ]
        if self._plan.outer_m2 is not None:
            m.d.comb += copies.m2_base.eq(self.m2_base)
            wiring.connect(m, copies.m_axi_m2, wiring.flipped(self.m_axi_m2))
        return m

    def _look_up(self, m, source, target):
        """Sends each value to the cache, and adds the cache's decision to the value.

        The cache gets the decompressed value, so with a lossy codec a window has the same values
        from the cache as from its blocks.
        """
        m.submodules.cache = cache = self._cache
        wiring.connect(m, cache.o, wiring.flipped(self.cached))
        value = source.p
        result = target.p
        step = value.passenger
        window = step.window_info
        names = [name for name in result.shape().members if name != "passenger"]
        m.d.comb += [
            cache.i.valid.eq(source.valid & target.ready),
            target.valid.eq(source.valid & cache.i.ready),
            source.ready.eq(target.ready & cache.i.ready),
            *offer(
                cache.i.p,
                **{name: value[name] for name in ("entry", "fresh", "valid")},
                closes=step.closes,
                size=window.bound,
                window=window.window,
                item=self._stored_item(value),
            ),
            *(result[name].eq(value[name]) for name in names),
            *(result.passenger[name].eq(step[name]) for name in step.shape().members),
            result.passenger.cached.eq(cache.decision),
        ]

    def _stored_item(self, value):
        """Returns the bits of an item for the cache: the value, and with stamps its stamp."""
        ring = self._plan.store.ring
        if not ring.cache.stores_values:
            return 0
        item = value.value[: ring.fold.row.size]
        if not ring.stamped:
            return item
        stamp = value.growing[BLOCK_BITS - ring.format.head_bits :][: ring.format.stamp_bits]
        return Cat(item, stamp)


def _value_of(item):
    """Returns the value of an item, or of its only column, with its sign."""
    if not isinstance(item, data.View):
        return item
    (column,) = item.shape().members
    return item[column]
