"""Gives blocks their places in the ring of their key, and saves where windows are read from."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.packer import packed_layout
from rtl.keyed.store.blocks.ring_room import RingRoom
from rtl.memory.bank import Bank
from rtl.memory.fed_bank import FedBank
from rtl.stream.order import equal


class BlockRing(wiring.Component):
    """Gives each block an index in its key's ring, and saves from which block windows are read.

    Blocks pass through unchanged. The component stores only indices of blocks, in two memories with
    an entry for each key::

        i --+--> Bank: growing block ------------+--> RingRoom --> o
            +--> FedBank: block to read from ----+       ^
                    ^                                    |
        feedback ---+-- a cycle later -------------------+

    Blocks have different numbers of values, so only the data collector, which reads the blocks,
    knows in which block a window begins. With each window the collector feeds back the block in
    which the next window of the key begins, and later windows are read from this block on. A window
    that closes before the feedback comes is read from an earlier block, so the collector reads, and
    skips, more blocks than necessary. For instance with blocks of the values 0 to 9, 10 to 29, 30
    to 39, and windows of 20 values every 5::

        window    values     read from      fed back, as the next window begins at
        0         0 to 19    0 to 9         5, in 0 to 9
        1         5 to 24    0 to 9         10, in 10 to 29
        2         10 to 29   10 to 29       15, in 10 to 29

    Windows of time are read from the first block that an open window may need.

    *Lives.* An entry of the table may pass from one key to another, or to the same key again. Each
    time a new ``life`` of the entry begins. Feedback carries the life of its window, and feedback
    of a past life is ignored. Until the first feedback of a life comes, windows are read from the
    first block of the life.

    Invariant: **the block in which a window begins, and all later blocks, lie in the ring.** The
    reason: a value that would close a block when the ring is full waits in RingRoom until feedback
    frees a place. If the ring may be too small for a window (``plan.gives_way``), the oldest block
    gives way instead, and the invariant holds for each window that is not marked as incomplete.

    RingRoom is a stage after the lookups, so the logic that updates the entries does not depend on
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
    o : Out(stream.Signature(plan.value_in_ring(passenger)))
    feedback : In(stream.Signature(plan.feedback, always_ready=True))
        The feedback of one life comes in the order of its windows.

    Source: seed 000, sections 3.1.3 and 3.4.2; lives are ours.
    """

    latency = Bank.latency + RingRoom.latency
    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        self._plan = plan
        value_layout = packed_layout(plan.format, plan.entries, passenger)
        self._written = Bank(plan.write_state, plan.entries, value_layout)
        self._read = FedBank(plan.first_block, plan.entries)
        self._room = RingRoom(plan, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(value_layout)),
                "o": Out(stream.Signature(plan.value_in_ring(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    @staticmethod
    def memory_bits_of(plan):
        """Returns the size of the memories, in bits, without building the component."""
        written = Bank.memory_bits_of(plan.write_state, plan.entries)
        return written + FedBank.memory_bits_of(plan.first_block, plan.entries)

    def elaborate(self, platform):
        m = Module()
        m.submodules.written = written = self._written
        m.submodules.read = read = self._read
        m.submodules.room = room = self._room
        wiring.connect(m, room.o, wiring.flipped(self.o))
        value = written.o.p.passenger
        written_entry = written.o.p.entry
        o = room.i.p
        block_index = Signal.like(written_entry.block_index)
        has_feedback = Signal()
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
            has_feedback.eq((fed_entry.life == written_entry.life) & ~value.fresh),
            written.update.eq(value.valid),
            written.next.block_index.eq(block_index),
            written.next.start.eq(Mux(value.fresh, block_index, written_entry.start)),
            written.next.life.eq(written_entry.life + value.fresh),
            *(o[name].eq(value[name]) for name in value.shape().members),
            o.block_index.eq(block_index),
            o.first.life.eq(Mux(value.valid, written.next.life, written_entry.life)),
            o.first.block_index.eq(
                Mux(
                    has_feedback,
                    fed_entry.block_index,
                    Mux(value.fresh, block_index, written_entry.start),
                )
            ),
            o.first.number.eq(Mux(has_feedback, fed_entry.number, 0)),
            room.i.valid.eq(written.o.valid),
            written.o.ready.eq(room.i.ready),
            read.o.ready.eq(room.i.ready),
        ]
        if self._plan.stamped:
            m.d.comb += [
                o.number.eq(Mux(value.fresh, 0, written_entry.number)),
                written.next.number.eq(o.number + 1),
                o.first.lost.eq(has_feedback & fed_entry.lost),
            ]
        if self._plan.format.chained:
            # The first block of a life has a seed, so only fed states matter.
            m.d.comb += [
                o.first.start.seed.eq(fed_entry.start.seed),
                o.first.start.known.eq(has_feedback & fed_entry.start.known),
            ]
        if self._plan.gives_way:
            m.d.comb += o.first.overflow.eq(has_feedback & fed_entry.overflow)
        return m

    def _feed(self, m, bank, room):
        """Sends feedback to the bank after a cycle, and to RingRoom after two cycles.

        A value passes bank and RingRoom a cycle apart, so the value meets each feedback exactly
        once. The answer to a ``drain`` goes to RingRoom only, because the answer has no block.
        """
        fed = self.feedback
        is_drained = 0
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

        While the output of a FedBank is stalled, its entry does not change. So feedback for the
        entry that comes during the stall is saved as ``newer``.
        """
        fed = read.feedback
        has_newer = Signal()
        newer = Signal(self._plan.first_block, reset_less=True)
        fed_entry = Signal(self._plan.first_block)
        m.d.comb += fed_entry.eq(Mux(has_newer, newer, read.o.p.entry))
        with m.If(offered.valid & offered.ready):
            m.d.sync += has_newer.eq(0)
        with m.Elif(equal(offered.p.index, fed.p.index, fed.valid & offered.valid)):
            m.d.sync += [has_newer.eq(1), newer.eq(fed.p.entry)]
        return fed_entry
