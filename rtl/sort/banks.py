"""The banks of one input of a merger."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.order import entry_layout
from rtl.stream.beat import beat, split, wire
from rtl.stream.order import equal

#: Ends of lists that can be stored, and so the number of one-beat lists that may be inside.
ENDS = 4


def head_layout(order):
    """Layout of the state that a bank shows to its selector.

    ``entry``: the bank's first entry. ``end``: ``entry`` is the bank's last entry of the current
    list. ``done``: the bank has no more entries of this list, and ``entry`` is to be ignored.
    ``known``: the bank has an entry or is done. ``odd``: the bank has been popped an odd number of
    times.
    """
    marks = dict.fromkeys(("end", "done", "known", "odd"), 1)
    return data.StructLayout({"entry": entry_layout(order), **marks})


class MergeBanks(wiring.Component):
    """Deals lists into banks: entry r, counted over all lists, lies in bank r mod ``lanes``.

    Each bank is a queue with a pop signal of its own. Lists follow each other without a gap: with
    4 banks a list of 6 entries lies in banks 0 1 2 3 0 1, and the next list begins in bank 2.
    Registers beside the banks store the ends of the lists. A bank is *done* when its next entry
    belongs to the next list; it hides the entry until ``restart``, which comes in the cycle that
    pops the list's last entry.

    A tuple whose lane is not valid becomes a pad.

    Latency 1 cycle from ``i`` to the heads, initiation interval 1 cycle. ``i.ready`` comes from a
    register; it is low while a bank has room for at most one entry, or ``ENDS - 1`` ends are
    stored.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        Number of banks.
    input_lanes : int
        Tuples of a beat: ``lanes`` or half of them.
    depth : int
        Entries of a bank, a power of two.

    Members
    -------
    i : In(stream.Signature(beat(order.row, input_lanes)))
        One stream per list.
    heads : Out(head_layout(order)).array(lanes)
    pop : In(lanes)
        Removes a bank's head; allowed only if the head is known and not done.
    restart : In(1)
        The heads of the next list may show from the next cycle on.

    Source: seed 003, section 3.3; counting entries over all lists is ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, order, lanes, *, input_lanes, depth):
        self._order = order
        self._lanes = lanes
        self._depth = depth
        self._parts = lanes // input_lanes
        super().__init__(
            {
                "i": In(stream.Signature(beat(order.row, input_lanes))),
                "heads": Out(head_layout(order)).array(lanes),
                "pop": In(lanes),
                "restart": In(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        counter = log2(self._depth) + 1  # counts entries of a bank modulo twice the depth
        arriving = split(m, self.i.p, "arriving")
        tuples = split(m, arriving["tuples"], "tuple")
        part = Signal(range(self._parts))
        # A beat is written to all banks of one *part* of the banks: with 4 banks and 2 tuples in a
        # beat, to banks 0 and 1 (part 0) or 2 and 3. ``written`` counts the entries of each bank.
        written = [
            Signal(counter, name=f"written{part_index}") for part_index in range(self._parts)
        ]
        write = Signal()
        room = Signal(self._parts)
        stored, ends = self._ends(m, write & arriving["last"], part, written)
        has_end = stored[0]
        m.d.comb += write.eq(self.i.valid & self.i.ready)
        # ``ready`` is decided one cycle early, so it leaves room for one more write.
        m.d.sync += self.i.ready.eq(room.all() & ~stored[ENDS - 2])
        with m.If(write):
            m.d.sync += part.eq(Mux(part == self._parts - 1, 0, part + 1))

        for bank in range(self._lanes):
            part_index, lane = divmod(bank, len(tuples))
            mark = written[part_index]
            enable = write & (part == part_index)
            entry = {"body": tuples[lane], "pad": ~arriving["valid"][lane]}
            read_count = self._bank(m, bank, mark, enable, entry)
            head = self.heads[bank]
            next_read = (read_count + 1)[:counter]
            filled = Signal(name=f"filled{bank}")
            # A register, because the path that follows is long: ``pop`` arrives late in the cycle.
            m.d.sync += filled.eq(enable | (filled & ~(self.pop[bank] & equal(next_read, mark))))
            m.d.comb += [
                head.done.eq(equal(read_count, ends[part_index], has_end)),
                head.end.eq(has_end & (next_read == ends[part_index])),
                head.known.eq(head.done | filled),
                head.odd.eq(read_count[0]),
            ]
            if lane == len(tuples) - 1:  # the last of the banks that are written together
                m.d.comb += room[part_index].eq((mark - read_count)[:counter] < self._depth - 1)
                with m.If(enable):
                    m.d.sync += mark.eq(mark + 1)
        return m

    def _ends(self, m, push, part, written):
        """Stores the ends of lists; returns a bit per stored end (bit 0 first) and the first end.

        An end is the number of the entry that follows the list's last one, for the banks of each
        part. Ends move up when the first one leaves. ``restart`` arrives late in the cycle, so it
        drives the last multiplexers.
        """
        layout = data.ArrayLayout(len(written[0]), self._parts)
        slots = [Signal(layout, name=f"end{k}", reset_less=True) for k in range(ENDS)]
        stored = Signal(ENDS)
        new_end = Signal(layout)
        m.d.comb += [new_end[k].eq(mark + (part == k)) for k, mark in enumerate(written)]
        pushed = stored | (Cat(1, stored[:-1]) & push.replicate(ENDS))
        m.d.sync += stored.eq(Mux(self.restart, pushed[1:], pushed))
        for k, slot in enumerate(slots):
            with m.If(self.restart):
                moved = Mux(stored[k + 1], slots[k + 1], new_end) if k + 1 < ENDS else new_end
                m.d.sync += slot.eq(moved)
            with m.Elif(~stored[k]):
                m.d.sync += slot.eq(new_end)
        return stored, slots[0]

    def _bank(self, m, bank, row, enable, entry):
        """Adds the queue of one bank; returns the number of entries popped so far."""
        bits = log2(self._depth)
        store = m.submodules[f"bank{bank}"] = memory.Memory(
            shape=entry_layout(self._order),
            depth=self._depth,
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer = store.write_port()
        reader = store.read_port(domain="comb")
        read_count = Signal(bits + 1, name=f"read{bank}")
        m.d.comb += [
            writer.addr.eq(row[:bits]),
            *wire(writer.data, entry),
            writer.en.eq(enable),
            reader.addr.eq(read_count[:bits]),
            self.heads[bank].entry.eq(reader.data),
        ]
        m.d.sync += read_count.eq(read_count + self.pop[bank])
        return read_count
