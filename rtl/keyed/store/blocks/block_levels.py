"""The levels of memory that a key's values go through when they are compressed."""

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


def request_layout(plan):
    """Returns the layout of the request of a value's step, without the value."""
    members = step_layout(plan).members
    names = [name for name in plan.placed.members if name not in ("fresh", *plan.store.ring.bounds)]
    return data.StructLayout({name: members[name] for name in (*names, "closes", "window_info")})


def passenger_layout(plan):
    """Returns the layout of a value's passenger in the ring.

    The members of the request; and ``cached``, the cache's decision about the value.
    """
    cached = {"cached": plan.store.ring.cache.decision}
    return data.StructLayout({**request_layout(plan).members, **cached})


class BlockLevels(wiring.Component):
    """Compresses values into the growing block of each key, and reads the windows that close.

    ::

        i --> Compressor --> cache --> BlockRing --+--> full blocks, reads --> copies --> commands
              the growing              where       |             lines -----> (M2) ---> collected
              block (M2)               blocks lie  +--> windows
                                       ^
                            feedback --+ from the data collector

    The growing block is in block RAM, with the state of the codec; a full block is written to M3 as
    a whole. A window gets a copy of the growing block, so it never waits for the compressor. The
    window's other blocks are read from M3, from the block on that the data collector has last fed
    back for the key; the collector skips values that the window does not have. If M2 has copies of
    full blocks (:class:`~rtl.keyed.store.blocks.block_copies.BlockCopies`), only older blocks are
    read from M3.

    A key that begins is announced by an entry of ``windows`` that is no window, with ``begins``.
    The end of a stream is an ``empty`` window after all windows.

    Values pass the cache of the plan after the compressor. A window that is a hit is
    not read, and is ``empty`` in ``windows``; its states come from ``cached``. Full blocks are
    written all the same. If a key has a place in the cache, the first number of each of its blocks
    is announced in order, too, because the place may belong to another key soon.

    With windows of time a window comes before the value that closes it, and each block has values
    of one slide.

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
            request_layout(plan),
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
        # These end the chains of ready from the ring, and from the commands.
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
                for name in request_layout(self._plan).members
            ),
        ]
        if self._plan.store.ring.stamped:
            m.d.comb += value.stamp.eq(step.item.stamp)
        self._command(m, placed.o, copies.i)
        return m

    def _look_up(self, m, source, target):
        """Sends each value to the cache, and goes on with the cache's decision about it.

        The cache gets the value that its block returns, so with a lossy codec a window has the same
        values from the cache as from its blocks.
        """
        m.submodules.cache = cache = self._cache
        wiring.connect(m, cache.o, wiring.flipped(self.cached))
        value, placed = source.p, target.p
        request = value.passenger
        window = request.window_info
        names = [name for name in placed.shape().members if name != "passenger"]
        m.d.comb += [
            cache.i.valid.eq(source.valid & target.ready),
            target.valid.eq(source.valid & cache.i.ready),
            source.ready.eq(target.ready & cache.i.ready),
            *offer(
                cache.i.p,
                **{name: value[name] for name in ("entry", "fresh", "valid")},
                closes=request.closes,
                size=window.bound,
                window=window.window,
                item=self._stored_item(value),
            ),
            *(placed[name].eq(value[name]) for name in names),
            *(placed.passenger[name].eq(request[name]) for name in request.shape().members),
            placed.passenger.cached.eq(cache.decision),
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

    def _span(self, window, shown):
        """Returns statements that assign the sequence numbers of a window."""
        request, stamped = shown.passenger, self._plan.store.ring.stamped
        number = shown.number if stamped else request.number
        begin, end, following = self._plan.window.span_of(request, number)
        statements = [window.begin.eq(begin), window.end.eq(end), window.next.eq(following)]
        return (
            [*statements, window.window.eq(request.window_info.window)] if stamped else statements
        )

    def _command(self, m, source, commands):
        """Carries out the requests of a value, and accepts it after the last of them."""
        grown, request = source.p, source.p.passenger
        begins_block = grown.valid & grown.fresh & ~request.closes
        pending, accepted, finished = Signal(4), Signal(4), Signal(4)
        hit, notes = Signal(), Signal()
        writes, reads, announces, ends = pending
        requests = Cat(
            grown.valid & grown.closes,
            request.closes & grown.any & ~hit,
            request.closes | begins_block | notes,
            request.window_info.end,
        )
        if self._plan.store.ring.gives_way:
            # A request of the ring is no value: it is announced, and a ``drop`` reads a block.
            is_request = grown.drain | grown.drop
            requests = Mux(is_request, Cat(0, grown.drop, 1, 0), requests)
        command, window = commands.p, self.windows.p
        m.d.comb += [
            pending.eq(requests & ~finished),
            commands.valid.eq(source.valid & (writes | reads)),
            command.write.eq(writes),
            command.recent.eq(1),
            command.line.eq(
                Cat(
                    Mux(writes, self._previous(grown.block_index), grown.first.block_index)[
                        : len(grown.block_index)
                    ],
                    grown.entry,
                )
            ),
            command.count.eq(grown.blocks),
            command.data.eq(grown.full),
            self.windows.valid.eq(source.valid & (announces | ends)),
            # A read goes out after the write of the same value.
            accepted.eq(
                Cat(
                    commands.ready,
                    commands.ready & ~writes,
                    self.windows.ready,
                    self.windows.ready & ~announces,
                )
            ),
            source.ready.eq((pending & ~accepted) == 0),
            window.growing.eq(grown.growing),
            window.count.eq(grown.count),
            window.alone.eq(~announces | ~request.closes | ~grown.any | hit),
            window.entry.eq(grown.entry),
            window.first.eq(grown.first),
            window.block_index.eq(grown.block_index),
            *self._span(window, grown),
            window.empty.eq(~announces | hit | ~(request.closes | begins_block)),
            window.begins.eq(announces & ~request.closes),
            hit.eq(request.cached.hit),
            notes.eq(grown.closes & request.cached.stored),
            window.cached.hit.eq(announces & hit),
            window.cached.claims.eq(announces & request.cached.claims),
            window.cached.noted.eq(announces & notes),
            window.cached.place.eq(request.cached.place),
            self.hit.eq(source.valid & source.ready & hit),
            window.passenger.eq(request.window_info),
            window.passenger.end.eq(~announces),
        ]
        if self._plan.store.ring.gives_way:
            self._announce_requests(m, grown, command)
        with m.If(source.valid):
            m.d.sync += finished.eq(Mux(source.ready, 0, finished | (pending & accepted)))

    def _previous(self, block_index):
        """Returns the index of the block before a block."""
        ring = self._plan.store.ring
        return ring.previous(block_index) if ring.gives_way else block_index - 1

    def _announce_requests(self, m, grown, command):
        """Announces the requests of the ring among the windows: ``drain`` and ``drop``.

        If the block that gives way is damaged, windows are read from the block on that the waiting
        value closes: ``end`` is the number of this block's first value.
        """
        ring, request, window = self._plan.store.ring, grown.passenger, self.windows.p
        number = grown.number if ring.stamped else request.number
        at = BLOCK_BITS - HEAD_BITS
        is_coded = 1 if ring.stamped else ring.format.is_mark(grown.full[-MARK_BITS:])
        count = Mux(is_coded, grown.full[at:][:COUNT_BITS], ring.format.raw_values)
        m.d.comb += [window.drain.eq(grown.drain), window.drop.eq(grown.drop)]
        with m.If(grown.drop):
            m.d.comb += [
                command.count.eq(1),
                command.recent.eq(0),
                window.end.eq(number - count),
                window.block_index.eq(ring.previous(grown.block_index)),
            ]
        with m.If(grown.drain | grown.drop):
            m.d.comb += [
                window.alone.eq(grown.drain),
                window.empty.eq(1),
                window.begins.eq(0),
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
