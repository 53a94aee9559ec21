"""Counts events in a memory: one adder visits the counters in turn."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import events
from rtl.memory.block import BlockMemory

#: Bits of a counter.
TOTAL_BITS = 64
#: Cycles of a visit without a copy.
VISIT = 4
#: Cycles of a visit that also stores a copy.
COPYING_VISIT = 6
#: Cycles by which a snapshot delays a visit.
DELAY = 1
#: Most cycles from one visit in turn to the next visit in turn: a visit with a copy, and at most
#: one read before the next visit in turn; a snapshot may delay both.
LONGEST_TURN = (DELAY + COPYING_VISIT) + (DELAY + VISIT)


def recent_bits(counter, count):
    """Returns the bits of ``recent``: enough for a counter's events from one turn to the next.

    ``count`` is the number of counters that take turns.
    """
    return (counter.max_increment * LONGEST_TURN * count).bit_length()


class CounterMemory(wiring.Component):
    """Counts events in 64 bits each, with a few registers for each counter.

    The total of a counter is the sum of a word in a block memory and the narrow register
    ``recent``, which counts each event in the event's own cycle. One adder visits the counters in
    turn: a visit adds ``recent`` to the word, and ``recent`` restarts from 0. No event is lost,
    because each of the N counters has its turn within ``LONGEST_TURN`` · N cycles, and ``recent``
    has enough bits for an increment of ``max_increment`` in each of these cycles. For instance 41
    counters have their turns within 492 cycles, so ``recent`` of single events has 9 bits.

    *Read.* A read is a visit out of turn. At least one visit in turn follows each read. The value
    of the read is the exact total in the first cycle of the visit.

    *Snapshot.* A snapshot saves ``recent`` of all counters in its own cycle. In its next turn each
    counter first stores a copy, the word plus the saved register, and then adds ``recent`` to the
    word. For instance with the word 100, ``recent`` 7 at the snapshot and ``recent`` 9 at the
    counter's turn, the copy is 107, and the word becomes 109.

    *Clear.* A clear sets ``recent`` of all counters to 0, and in its next turn each counter takes 0
    in place of the word. A reset is a clear, too, so the memory needs no initial contents. A copy
    that is stored after a clear lacks the word, so a snapshot is valid only until the next clear.

    A read waits until all counters have had their turn since the last snapshot, clear and reset.

    Latency of a read 4 cycles, plus the cycles for which the read waits: at most 12 for earlier
    visits, and at most 7 · N more after the last snapshot or clear. Initiation interval 8 cycles.

    Parameters
    ----------
    counters : sequence of Counter
        At least one.

    Members
    -------
    increments : In(events(counters))
        Increment of each counter in this cycle.
    clear : In(1)
        All totals become 0, and the increments of this cycle do not count.
    snapshot : In(1)
        Copies the totals without the increments of this cycle. It must be low in the cycle after.
    shows_snapshot : In(1)
        Reads return the copies of the last snapshot.
    read : In(1)
        High until ``done``, and low in the cycle after.
    index : In(range(N))
        Number of the counter to read, stable while ``read`` is high.
    done : Out(1)
        High for one cycle for each read.
    value : Out(64)
        Value of the read, in the cycle of ``done``.

    Source: ours.
    """

    latency = VISIT
    initiation_interval = 2 * VISIT

    def __init__(self, counters):
        self._counters = tuple(counters)
        if not self._counters:
            raise ValueError("counters must be at least one")
        super().__init__(
            {
                "increments": In(events(self._counters)),
                "clear": In(1),
                "snapshot": In(1),
                "shows_snapshot": In(1),
                "read": In(1),
                "index": In(range(len(self._counters))),
                "done": Out(1),
                "value": Out(TOTAL_BITS),
            }
        )

    def elaborate(self, platform):
        m = Module()
        index = Signal(max(1, (len(self._counters) - 1).bit_length()))
        # The upper half of the memory has the copies.
        m.submodules.memory = memory = BlockMemory(TOTAL_BITS, 2 << len(index))
        begins = Signal()
        is_read = Signal()
        reads_copy = Signal()
        from_zero = Signal()  # in this visit 0 takes the place of the word
        copies = Signal()  # the visit stores a copy next
        stores_total = Signal()  # the visit stores a total at the end
        clear_pending, copy_pending, next_index = self._turns(m, begins & ~is_read)
        recent, saved = self._recent(m, begins & ~reads_copy, index)
        total = Signal(TOTAL_BITS)
        addend = Signal.like(recent)
        saved_addend = Signal.like(saved)
        m.d.comb += [
            reads_copy.eq(is_read & self.shows_snapshot),
            memory.read_address.eq(Cat(index, reads_copy)),
            memory.read_enable.eq(begins),
            memory.write_address.eq(Cat(index, copies)),
            memory.write_data.eq(self.value),
        ]
        with m.FSM():
            with m.State("TAKE"):
                m.d.sync += [
                    from_zero.eq(clear_pending),
                    copies.eq(copy_pending),
                    stores_total.eq(~reads_copy),
                    addend.eq(Mux(reads_copy, 0, recent)),
                    saved_addend.eq(saved),
                ]
                with m.If(is_read & (clear_pending | copy_pending)):
                    m.d.sync += [is_read.eq(0), index.eq(next_index)]
                with m.Elif(~self.snapshot):
                    m.d.comb += begins.eq(1)
                    m.next = "LOAD"
            with m.State("LOAD"):
                m.d.sync += total.eq(Mux(from_zero, 0, memory.read_data))
                m.next = "ADD"
            with m.State("ADD"):
                m.d.sync += self.value.eq(total + Mux(copies, saved_addend, addend))
                m.next = "STORE"
            with m.State("STORE"):
                m.d.comb += memory.write_enable.eq(stores_total)
                m.d.sync += copies.eq(0)
                with m.If(copies):
                    m.next = "ADD"
                with m.Else():
                    m.d.comb += self.done.eq(is_read)
                    next_is_read = self.read & ~is_read & ~(clear_pending | copy_pending)
                    m.d.sync += [
                        is_read.eq(next_is_read),
                        index.eq(Mux(next_is_read, self.index, next_index)),
                    ]
                    m.next = "TAKE"
        return m

    def _turns(self, m, turn):
        """Counts the turns that remain after a clear, and the turns that remain after a snapshot.

        ``turn``: a visit in turn begins. Returns two bits, turns remain after a clear and turns
        remain after a snapshot, and the index of the counter that has the next turn.
        """
        count = len(self._counters)
        next_index = Signal(range(count))
        clears_left = Signal(range(count + 1), init=count)
        copies_left = Signal(range(count + 1))
        with m.If(turn):
            m.d.sync += [
                next_index.eq(Mux(next_index == count - 1, 0, next_index + 1)),
                clears_left.eq(clears_left - clears_left.any()),
                copies_left.eq(copies_left - copies_left.any()),
            ]
        with m.If(self.clear):
            m.d.sync += clears_left.eq(count)
        with m.If(self.snapshot):
            m.d.sync += copies_left.eq(count)
        return clears_left.any(), copies_left.any(), next_index

    def _recent(self, m, restart, index):
        """Counts the increments of each counter since the counter's latest visit.

        With ``restart`` a visit reads ``recent`` of the counter at ``index``, so that ``recent``
        restarts from 0. Returns ``recent`` and the saved register of the counter at ``index``.
        """
        recents = []
        saved_recents = []
        for k, counter in enumerate(self._counters):
            bits = recent_bits(counter, len(self._counters))
            recent = Signal(bits, name=f"{counter.name}_recent")
            saved = Signal(bits, name=f"{counter.name}_saved")
            remaining = Mux(restart & (index == k), 0, recent)
            increment = self.increments[counter.name]
            m.d.sync += recent.eq(Mux(self.clear, 0, remaining + increment))
            with m.If(self.snapshot):
                m.d.sync += saved.eq(recent)
            recents.append(recent)
            saved_recents.append(saved)
        width = max(map(len, recents))
        chosen = Signal(width)
        chosen_saved = Signal(width)
        m.d.comb += [chosen.eq(Array(recents)[index]), chosen_saved.eq(Array(saved_recents)[index])]
        return chosen, chosen_saved
