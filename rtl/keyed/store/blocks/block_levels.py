"""Compresses the values of each key, stores their blocks, and requests the blocks of windows."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS, HEAD_BITS, MARK_BITS
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.step import offer, step_layout
from rtl.keyed.store.blocks.block_copies import copies_of
from rtl.keyed.store.blocks.block_numbers import block_window_layout
from rtl.keyed.store.blocks.block_ring import BlockRing
from rtl.keyed.store.blocks.copied_blocks import sourced_line
from rtl.stream.queue import StreamQueue


def step_info_layout(plan):
    """Returns the layout of the members of a step that the ring needs, without the step's item.

    The members by which the store tells a window (``plan.placed``), ``closes`` and
    ``window_info``, as in :func:`~rtl.keyed.step.step_layout`.
    """
    members = step_layout(plan).members
    names = [name for name in plan.placed.members if name not in ("fresh", *plan.store.ring.bounds)]
    return data.StructLayout({name: members[name] for name in (*names, "closes", "window_info")})


def passenger_layout(plan):
    """Returns the layout of a value's passenger in the ring.

    The members of :func:`step_info_layout`, and ``cached``, the cache's decision about the value.
    """
    cached = {"cached": plan.store.ring.cache.decision}
    return data.StructLayout({**step_info_layout(plan).members, **cached})


class BlockLevels(wiring.Component):
    """Compresses values into the growing block of each key, and reads the windows that close.

    ::

        i --> Compressor --> cache --> BlockRing --+--> full blocks, reads --> copies --> commands
              the growing              where       |             lines -----> (M2) ---> collected
              block (M2)               blocks lie  +--> windows
                                       ^
                            feedback --+ from the data collector

    The growing block of a key is in block RAM, with the state of the codec. A full block is written
    to M3 as a whole. A window that closes is sent to ``windows`` with a copy of the growing block,
    and its full blocks are read: all from the block on that the data collector has last fed back
    for the key. The collector skips values that are not in the window. If M2 has copies of full
    blocks (:class:`~rtl.keyed.store.blocks.block_copies.BlockCopies`), only older blocks are read
    from M3. For instance a value that closes block 6 and a window, where the key's windows are read
    from block 4 on::

        commands    write block 6    read blocks 4 to 6
        windows                      the window, with the growing block 7

    *Items of* ``windows`` *that are no windows*: the announcement of a key that begins
    (``is_announcement``); the end of a stream, after all of its windows; and, if blocks may give
    way, the requests ``drain`` and ``drop`` of the ring, which the collector answers with feedback
    (:class:`~rtl.keyed.store.blocks.ring_room.RingRoom`). A ``drop`` reads one block.

    *The cache.* Values pass the plan's cache after the compressor. The blocks of a window from the
    cache are not read, and the window is ``empty`` in ``windows``; its lines come from ``cached``.
    Full blocks are written in any case, because the key may lose its place in the cache. For the
    same reason each block of a cached key is announced in ``windows``, with its first number.

    With windows of time a window does not have the value that closes it, and each block has values
    of one slide. Without a cache the window comes before the value. With a cache both come together
    (``plan.store.ring.joined``), the window with the block as it was before the value: the block
    that the value closes, if there is one. The read of the window goes out before the write of that
    block. For instance a value that closes block 6 and a window, where windows are read from block
    4 on::

        commands    read blocks 4 and 5    write block 6
        windows     the window, with block 6

    Order is kept. Latency that of the compressor and 5 cycles. Initiation interval 1 cycle; but one
    command goes out per cycle, so a value that closes a block and a window takes 2 cycles. A stall
    at ``commands`` or ``windows`` stalls ``i``, a stall at ``collected`` stalls ``lines``.
    ``updated``, ``failed`` and ``busy`` stay low, because all values inside belong to a stream that
    has not ended.

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
        windows = block_window_layout(plan.store.ring, plan.window_info)
        self._cache = cache.lookup(plan.entries)
        self._copies = copies_of(plan.lines, plan.m2)
        super().__init__(
            {
                "i": In(stream.Signature(step_layout(plan))),
                "commands": Out(stream.Signature(plan.lines.command())),
                "windows": Out(stream.Signature(windows)),
                "lines": In(stream.Signature(marked_line())),
                "collected": Out(stream.Signature(sourced_line())),
                "feedback": In(stream.Signature(plan.store.ring.feedback, always_ready=True)),
                "updated": Out(1),
                "failed": Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)})),
                "busy": Out(1),
                "cached": Out(self._cache.o.signature),
                "hit": Out(1),
            }
        )

    @staticmethod
    def latency_of(plan):
        ring = plan.store.ring
        coded = Compressor.latency_of(ring.codec, ring.cache.stores_values)
        return coded + BlockRing.latency + 2 * StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.compressor, m.submodules.ring = compressor, ring = self._compressor, self._ring
        wiring.connect(m, wiring.flipped(self.feedback), ring.feedback)
        # The two queues end the chains of ``ready`` from the ring, and from the commands.
        m.submodules.packed = packed = StreamQueue(compressor.o.p.shape(), 2)
        m.submodules.placed = placed = StreamQueue(ring.o.p.shape(), 2)
        wiring.connect(m, compressor.o, packed.i)
        self._look_up(m, packed.o, ring.i)
        wiring.connect(m, ring.o, placed.i)
        m.submodules.copies = copies = self._copies
        wiring.connect(m, wiring.flipped(self.lines), copies.lines)
        wiring.connect(m, copies.o, wiring.flipped(self.collected))
        wiring.connect(m, copies.commands, wiring.flipped(self.commands))
        step, value = self.i.p, compressor.i.p
        item = step.item.item if self._plan.store.ring.stamped else step.item
        m.d.comb += [
            compressor.i.valid.eq(self.i.valid),
            self.i.ready.eq(compressor.i.ready),
            value.entry.eq(step.window_info.entry),
            value.value.eq(_number(item)),
            value.fresh.eq(step.fresh),
            value.valid.eq(step.valid),
            *(value.bound[name].eq(step[name]) for name in self._plan.store.ring.bounds),
            *(
                Value.cast(value.passenger[name]).eq(Value.cast(step[name]))
                for name in step_info_layout(self._plan).members
            ),
        ]
        if self._plan.store.ring.stamped:
            m.d.comb += value.stamp.eq(step.item.stamp)
        self._command(m, placed.o, copies.i)
        return m

    def _look_up(self, m, source, target):
        """Sends each value to the cache, and adds the cache's decision to the value.

        The cache gets the decompressed value, so with a lossy codec a window has the same values
        from the cache as from its blocks.
        """
        m.submodules.cache = cache = self._cache
        wiring.connect(m, cache.o, wiring.flipped(self.cached))
        value, result = source.p, target.p
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

    def _span(self, window, placed):
        """Returns statements that assign the sequence numbers of a window."""
        step, stamped = placed.passenger, self._plan.store.ring.stamped
        number = placed.number if stamped else step.number
        begin, end, following = self._plan.window.span_of(step, number)
        statements = [window.begin.eq(begin), window.end.eq(end), window.next.eq(following)]
        return [*statements, window.window.eq(step.window_info.window)] if stamped else statements

    def _command(self, m, source, commands):
        """Sends the commands and items of ``windows`` of a value, and then accepts the value.

        A value may cause four transfers: the write of a full block, the read of a window's blocks,
        an item of ``windows``, and the end of the stream, which is another item of ``windows``.
        """
        placed, step = source.p, source.p.passenger
        joined = self._plan.store.ring.joined
        # The window, and the value, may come one after the other.
        closes = step.closes & ~placed.late if joined else step.closes
        has_value = ~placed.early if joined else 1
        key_begins = placed.valid & placed.fresh & ~closes
        pending, accepted, finished = Signal(4), Signal(4), Signal(4)
        hit, notes = Signal(), Signal()
        writes, reads, sends_item, sends_end = pending
        transfers = Cat(
            placed.valid & placed.closes & has_value,
            closes & placed.any & ~hit,
            closes | key_begins | notes,
            step.window_info.end & has_value,
        )
        if self._plan.store.ring.gives_way:
            # A request of the ring is no value. Both requests are items, and a ``drop`` reads.
            request = placed.ring_request
            transfers = Mux(request.drain | request.drop, Cat(0, request.drop, 1, 0), transfers)
        command, window = commands.p, self.windows.p
        # A read goes out after the write of the same value, or before it with windows of time.
        is_write, is_read = (writes & ~reads, reads) if joined else (writes, reads & ~writes)
        m.d.comb += [
            pending.eq(transfers & ~finished),
            commands.valid.eq(source.valid & (writes | reads)),
            command.write.eq(is_write),
            command.recent.eq(1),
            command.line.eq(
                Cat(
                    Mux(is_write, self._previous(placed.block_index), placed.first.block_index)[
                        : len(placed.block_index)
                    ],
                    placed.entry,
                )
            ),
            command.count.eq(placed.blocks),
            command.data.eq(placed.full),
            self.windows.valid.eq(source.valid & (sends_item | sends_end)),
            accepted.eq(
                Cat(
                    commands.ready & is_write,
                    commands.ready & is_read,
                    self.windows.ready,
                    self.windows.ready & ~sends_item,
                )
            ),
            source.ready.eq((pending & ~accepted) == 0),
            *self._growing(window, placed, closes),
            window.alone.eq(~sends_item | ~closes | ~placed.any | hit),
            window.entry.eq(placed.entry),
            window.first.eq(placed.first),
            *self._span(window, placed),
            window.empty.eq(~sends_item | hit | ~(closes | key_begins)),
            window.is_announcement.eq(sends_item & ~closes),
            hit.eq(step.cached.hit & closes),
            notes.eq(placed.closes & step.cached.stored & has_value),
            window.cached.hit.eq(sends_item & hit),
            window.cached.claims.eq(sends_item & step.cached.claims & closes),
            window.cached.noted.eq(sends_item & notes),
            window.cached.place.eq(step.cached.place),
            self.hit.eq(source.valid & source.ready & hit),
            window.passenger.eq(step.window_info),
            window.passenger.end.eq(~sends_item),
        ]
        if self._plan.store.ring.gives_way:
            self._send_requests(m, placed, command)
        with m.If(source.valid):
            m.d.sync += finished.eq(Mux(source.ready, 0, finished | (pending & accepted)))

    def _growing(self, window, placed, closes):
        """Returns statements that assign the newest block of a window, and the block's index.

        If a window of time comes with a value, it is the block as it was before the value.
        """
        if not self._plan.store.ring.joined:
            return [
                window.growing.eq(placed.growing),
                window.count.eq(placed.count),
                window.block_index.eq(placed.block_index),
            ]
        index = placed.block_index
        before = placed.full[BLOCK_BITS - HEAD_BITS :][:COUNT_BITS]
        return [
            window.growing.eq(placed.full),
            window.count.eq(Mux(closes, before, placed.count)),
            window.block_index.eq(Mux(placed.closes, self._previous(index), index)),
        ]

    def _previous(self, block_index):
        """Returns the index of the block before a block."""
        ring = self._plan.store.ring
        is_short = ring.gives_way or ring.joined
        return ring.previous(block_index) if is_short else block_index - 1

    def _send_requests(self, m, placed, command):
        """Sends the requests of the ring, ``drain`` and ``drop``, among the windows.

        With a ``drop``, ``block_index`` and ``end`` are the index of the block that the waiting
        value closes, and the number of its first value. Windows are read from this block on if the
        block that gives way is damaged.
        """
        ring, step, window = self._plan.store.ring, placed.passenger, self.windows.p
        request = placed.ring_request
        number = placed.number if ring.stamped else step.number
        at = BLOCK_BITS - HEAD_BITS
        is_coded = 1 if ring.stamped else ring.format.is_mark(placed.full[-MARK_BITS:])
        count = Mux(is_coded, placed.full[at:][:COUNT_BITS], ring.format.raw_values)
        m.d.comb += [
            window.ring_request.drain.eq(request.drain),
            window.ring_request.drop.eq(request.drop),
        ]
        with m.If(request.drop):
            m.d.comb += [
                command.count.eq(1),
                command.recent.eq(0),
                window.end.eq(number - count),
                window.block_index.eq(ring.previous(placed.block_index)),
            ]
        with m.If(request.drain | request.drop):
            m.d.comb += [
                window.alone.eq(request.drain),
                window.empty.eq(1),
                window.is_announcement.eq(0),
                window.cached.eq(0),
                window.passenger.eq(0),
                self.hit.eq(0),
            ]


def _number(item):
    """Returns the value of an item, or of its only column, with its sign."""
    if not isinstance(item, data.View):
        return item
    (column,) = item.shape().members
    return item[column]
