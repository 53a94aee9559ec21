"""Counts events in a memory: one adder visits the counters in turn."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import events
from rtl.memory.block import BlockMemory

#: Bits of a counter.
TOTAL = 64
#: Cycles of a visit that stores no copy, of a visit that stores one, and cycles by which a snapshot
#: delays a visit.
VISIT, COPYING_VISIT, DELAY = 4, 6, 1
#: Most cycles from a counter's visit in turn to that of the next counter: there is at most one read
#: between them.
LONGEST_TURN = (DELAY + COPYING_VISIT) + (DELAY + VISIT)


def recent_bits(counter, count):
    """Returns the bits of ``recent``: enough for a counter's events from one turn to the next.

    ``count`` is the number of counters that take turns.
    """
    return (counter.max_increment * LONGEST_TURN * count).bit_length()


class CounterMemory(wiring.Component):
    """Counts events in 64 bits each, with a few registers for each counter.

    The total of a counter is a word of a block memory plus the narrow register ``recent``, which
    counts each event at once. The adder visits one counter after the other: a visit adds ``recent``
    to the word, and ``recent`` begins with 0 again. No event is lost: each of the N counters has
    its turn within ``LONGEST_TURN`` · N cycles, and ``recent`` has enough bits for as many events
    of ``max_increment``. For instance 41 counters have their turns within 492 cycles, so ``recent``
    of single events has 9 bits.

    A read is a visit out of turn, and one visit in turn follows it. Its value is the exact total in
    the first cycle of the visit.

    A snapshot saves ``recent`` of all counters in its cycle. In its next turn each counter stores
    the word plus the saved register as its copy, before ``recent`` is added to the word. A clear
    sets ``recent`` of all counters to 0, and in its next turn each counter takes 0 in place of the
    word. So the memory needs no initial contents. A read waits until all counters have had their
    turn since the last snapshot and the last clear.

    Latency of a read 4 cycles, plus the cycles for which it waits: at most 12 for the visits before
    it, and at most 7 · N more after the last snapshot or clear. Initiation interval 8 cycles.

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
        Held until ``done``, and low in the cycle after.
    index : In(range(N))
        Number of the counter to read, held with ``read``.
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
                "value": Out(TOTAL),
            }
        )

    def elaborate(self, platform):
        m = Module()
        index = Signal(max(1, (len(self._counters) - 1).bit_length()))
        # The upper half of the memory has the copies.
        m.submodules.memory = memory = BlockMemory(TOTAL, 2 << len(index))
        begins, is_read, reads_copy = Signal(), Signal(), Signal()
        # Properties of the visit under way: it takes 0 for the word, stores a copy, stores a total.
        from_zero, copies, stores = Signal(), Signal(), Signal()
        clears, snapshots, next_index = self._turns(m, begins & ~is_read)
        recent, saved = self._recent(m, begins & ~reads_copy, index)
        total, addend, saved_addend = Signal(TOTAL), Signal.like(recent), Signal.like(saved)
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
                    from_zero.eq(clears),
                    copies.eq(snapshots),
                    stores.eq(~reads_copy),
                    addend.eq(Mux(reads_copy, 0, recent)),
                    saved_addend.eq(saved),
                ]
                with m.If(is_read & (clears | snapshots)):
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
                m.d.comb += memory.write_enable.eq(stores)
                m.d.sync += copies.eq(0)
                with m.If(copies):
                    m.next = "ADD"
                with m.Else():
                    m.d.comb += self.done.eq(is_read)
                    next_is_read = self.read & ~is_read & ~(clears | snapshots)
                    m.d.sync += [
                        is_read.eq(next_is_read),
                        index.eq(Mux(next_is_read, self.index, next_index)),
                    ]
                    m.next = "TAKE"
        return m

    def _turns(self, m, turn):
        """Counts the turns that are left after a clear and after a snapshot; returns two bits, such
        turns are left, and the counter that is next."""
        count = len(self._counters)
        next_index = Signal(range(count))
        clears_left, copies_left = Signal(range(count + 1), init=count), Signal(range(count + 1))
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

    def _recent(self, m, takes, index):
        """Counts the increments, from 0 again after ``takes``; returns ``recent`` and the saved
        register of the counter at ``index``."""
        recents, saved_recents = [], []
        for k, counter in enumerate(self._counters):
            bits = recent_bits(counter, len(self._counters))
            recent, saved = (
                Signal(bits, name=f"{counter.name}_{suffix}") for suffix in ("recent", "saved")
            )
            rest = Mux(takes & (index == k), 0, recent)
            increment = self.increments[counter.name]
            m.d.sync += recent.eq(Mux(self.clear, 0, rest + increment))
            with m.If(self.snapshot):
                m.d.sync += saved.eq(recent)
            recents.append(recent)
            saved_recents.append(saved)
        width = max(map(len, recents))
        chosen, chosen_saved = Signal(width, name="recent"), Signal(width, name="saved")
        m.d.comb += [chosen.eq(Array(recents)[index]), chosen_saved.eq(Array(saved_recents)[index])]
        return chosen, chosen_saved
