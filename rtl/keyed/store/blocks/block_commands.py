"""Sends the commands to M3 and the windows that each value in its ring causes."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, COUNT_BITS, HEAD_BITS, MARK_BITS
from rtl.keyed.store.blocks.block_copies import block_command
from rtl.keyed.store.blocks.block_numbers import block_window_layout


class BlockCommands(wiring.Component):
    """Sends the transfers that each value causes, and accepts the value with the last of them.

    A value may cause four transfers, two to each output:

    =============  ============  ==================================================================
    transfer       output        is caused by
    =============  ============  ==================================================================
    write          ``commands``  a value that closes a block: the closed block
    read           ``commands``  a value that closes a window with closed blocks, unless the window
                                 comes out of the cache; a ``drop`` of the ring, for one block
    item           ``windows``   a value that closes a window, or begins a key, or closes a block of
                                 a cached key; a request of the ring
    end            ``windows``   the end of a stream, after the item
    =============  ============  ==================================================================

    The read goes out after the write of the same value. If windows of time come together with the
    value that closes them (``plan.store.ring.joined``), the read goes out before the write, since
    the window does not have the value. For instance a value that closes block 6 and a window, where
    the key's windows are read from block 4 on::

        cycle       0                1
        commands    write block 6    read blocks 4 to 6
        windows     the window

    Order is kept. Combinational, latency 0 cycles. Initiation interval 1 cycle for a value with at
    most one command and one item or end, otherwise 2 cycles. A stall at ``commands`` or ``windows``
    stalls ``i`` if the value has a transfer there that is not made yet.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a BlockStore.
    placed : ShapeLike
        Layout of a value, see :meth:`RingPlan.value_in_ring
        <rtl.keyed.store.blocks.ring_plan.RingPlan.value_in_ring>`.

    Members
    -------
    i : In(stream.Signature(placed))
    commands : Out(stream.Signature(block_command(plan.lines)))
    windows : Out(stream.Signature(block_window_layout(plan.store.ring, plan.window_info)))
    hit : Out(1)
        A window came out of the cache; high in the cycle in which its value is accepted.

    Source: seed 000, sections 3.2 to 3.4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, placed):
        self._plan = plan
        self._ring = plan.store.ring
        windows = block_window_layout(plan.store.ring, plan.window_info)
        super().__init__(
            {
                "i": In(stream.Signature(placed)),
                "commands": Out(stream.Signature(block_command(plan.lines))),
                "windows": Out(stream.Signature(windows)),
                "hit": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        placed = self.i.p
        step = self.i.p.passenger
        joined = self._ring.joined
        names = ("closes", "has_value", "key_begins", "is_hit", "notes")
        # The value closes a window; the item has the value, not only the window; the value begins
        # a key; the window comes out of the cache; a block of a cached key is announced.
        self._closes, self._has_value, self._key_begins, self._is_hit, self._notes = (
            Signal(name=name) for name in names
        )
        m.d.comb += [
            # With windows of time, the window and the value may come one after the other.
            self._closes.eq(step.closes & ~placed.late if joined else step.closes),
            self._has_value.eq(~placed.early if joined else 1),
            self._key_begins.eq(placed.valid & placed.fresh & ~self._closes),
            self._is_hit.eq(step.cached.hit & self._closes),
            self._notes.eq(placed.closes & step.cached.stored & self._has_value),
            self.hit.eq(self.i.valid & self.i.ready & self._is_hit),
        ]
        writes, reads, sends_item, sends_end = self._transfer(m)
        m.d.comb += [
            self.commands.valid.eq(self.i.valid & (writes | reads)),
            self.windows.valid.eq(self.i.valid & (sends_item | sends_end)),
            *self._command(),
            *self._window(sends_item),
        ]
        if self._ring.gives_way:
            self._send_requests(m)
        return m

    def _transfer(self, m):
        """Accepts a value when all its transfers are made; returns the transfers still to be made.

        Four flags: the write, the read, the item, and the end.
        """
        placed = self.i.p
        step = self.i.p.passenger
        pending = Signal(4)
        accepted = Signal(4)
        finished = Signal(4)
        writes, reads, sends_item, _ = pending
        transfers = Cat(
            placed.valid & placed.closes & self._has_value,
            self._closes & placed.any & ~self._is_hit,
            self._closes | self._key_begins | self._notes,
            step.window_info.end & self._has_value,
        )
        if self._ring.gives_way:
            # A request of the ring is no value. Both requests are items, and a ``drop`` reads.
            request = placed.ring_request
            transfers = Mux(request.drain | request.drop, Cat(0, request.drop, 1, 0), transfers)
        self._is_write = Signal()  # the command is the write
        joined = self._ring.joined
        m.d.comb += [
            pending.eq(transfers & ~finished),
            self._is_write.eq(writes & ~reads if joined else writes),
            accepted.eq(
                Cat(
                    self.commands.ready & self._is_write,
                    self.commands.ready & (reads if joined else reads & ~writes),
                    self.windows.ready,
                    self.windows.ready & ~sends_item,
                )
            ),
            self.i.ready.eq((pending & ~accepted) == 0),
        ]
        with m.If(self.i.valid):
            m.d.sync += finished.eq(Mux(self.i.ready, 0, finished | (pending & accepted)))
        return pending

    def _command(self):
        """Returns statements that assign the write of a closed block, or the read of a window."""
        placed = self.i.p
        command = self.commands.p
        written = self._previous(placed.block_index)
        first = placed.first.block_index
        index = Mux(self._is_write, written, first)[: len(placed.block_index)]
        return [
            command.write.eq(self._is_write),
            command.recent.eq(1),
            command.line.eq(Cat(index, placed.entry)),
            command.count.eq(placed.blocks),
            command.data.eq(placed.closed_block),
        ]

    def _window(self, sends_item):
        """Returns statements that assign a window or an announcement, or the end of the stream."""
        placed = self.i.p
        step = self.i.p.passenger
        window = self.windows.p
        return [
            *self._growing(),
            *self._span(),
            window.alone.eq(~sends_item | ~self._closes | ~placed.any | self._is_hit),
            window.entry.eq(placed.entry),
            window.first.eq(placed.first),
            window.empty.eq(~sends_item | self._is_hit | ~(self._closes | self._key_begins)),
            window.is_announcement.eq(sends_item & ~self._closes),
            window.cached.hit.eq(sends_item & self._is_hit),
            window.cached.claims.eq(sends_item & step.cached.claims & self._closes),
            window.cached.noted.eq(sends_item & self._notes),
            window.cached.place.eq(step.cached.place),
            window.passenger.eq(step.window_info),
            window.passenger.end.eq(~sends_item),
        ]

    def _growing(self):
        """Returns statements that assign the newest block of a window, and the block's index.

        If a window of time comes with a value, the newest block is the block before the value.
        """
        placed = self.i.p
        window = self.windows.p
        if not self._ring.joined:
            return [
                window.growing.eq(placed.growing),
                window.count.eq(placed.count),
                window.block_index.eq(placed.block_index),
            ]
        index = placed.block_index
        before = placed.closed_block[BLOCK_BITS - HEAD_BITS :][:COUNT_BITS]
        return [
            window.growing.eq(placed.closed_block),
            window.count.eq(Mux(self._closes, before, placed.count)),
            window.block_index.eq(Mux(placed.closes, self._previous(index), index)),
        ]

    def _span(self):
        """Returns statements that assign the sequence numbers of a window."""
        step = self.i.p.passenger
        window = self.windows.p
        begin, end, following = self._plan.window.span_of(step, self._number())
        statements = [window.begin.eq(begin), window.end.eq(end), window.next.eq(following)]
        if self._ring.stamped:
            statements.append(window.window.eq(step.window_info.window))
        return statements

    def _number(self):
        """Returns the sequence number of the value."""
        return self.i.p.number if self._ring.stamped else self.i.p.passenger.number

    def _previous(self, block_index):
        """Returns the index of the block before a block."""
        is_short = self._ring.gives_way or self._ring.joined
        return self._ring.previous(block_index) if is_short else block_index - 1

    def _send_requests(self, m):
        """Sends the requests of the ring, ``drain`` and ``drop``, among the windows.

        With a ``drop``, ``block_index`` is the index of the block that the waiting value closes,
        and ``end`` the number of this block's first value. Windows are read from this block on if
        the block that gives way is damaged.
        """
        ring = self._ring
        placed = self.i.p
        command = self.commands.p
        window = self.windows.p
        request = placed.ring_request
        at = BLOCK_BITS - HEAD_BITS
        is_coded = 1 if ring.stamped else ring.format.is_mark(placed.closed_block[-MARK_BITS:])
        count = Mux(is_coded, placed.closed_block[at:][:COUNT_BITS], ring.format.raw_values)
        m.d.comb += [
            window.ring_request.drain.eq(request.drain),
            window.ring_request.drop.eq(request.drop),
        ]
        with m.If(request.drop):
            m.d.comb += [
                command.count.eq(1),
                command.recent.eq(0),
                window.end.eq(self._number() - count),
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
