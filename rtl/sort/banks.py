"""The banks of one input of a merger."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.order import entry_layout
from rtl.stream.beat import beat, split, wire
from rtl.stream.order import equal

#: Ends of lists that can wait; as many lists of one beat may be inside at a time.
ENDS = 4


def head_layout(order):
    """What a bank shows of itself.

    ``entry``, its first. ``end``: that is the bank's last of the list. ``done``: the bank has none
    of the list any more, and ``entry`` does not count. ``known``: there is an entry, or the bank is
    done. ``odd``: it has been popped an odd number of times.
    """
    marks = dict.fromkeys(("end", "done", "known", "odd"), 1)
    return data.StructLayout({"entry": entry_layout(order), **marks})


class MergeBanks(wiring.Component):
    """Lists dealt into banks: entry r of all lists together lies in bank r mod ``lanes``.

    Each bank is a queue of its own, popped by itself. Lists follow each other without a gap: a list
    begins in the bank behind the one where the last list ended. With 4 banks a list of 6 entries
    lies in banks 0 1 2 3 0 1, and the next begins in bank 2. Where each list ends is kept beside
    the banks. A bank is *done* when its next entry is of the next list, and shows nothing of that
    until ``restart``, which comes in the cycle that pops the list's last entry.

    A tuple whose lane is not valid becomes a pad.

    Latency 1 cycle from ``i`` to the heads, initiation interval 1 cycle. ``i.ready`` comes from a
    register; it is low while a bank has place for one entry or none, or the ends of all but one of
    ``ENDS`` lists are waiting.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        How many banks.
    input_lanes : int
        Tuples of a beat: ``lanes`` or half of them.
    depth : int
        Entries of a bank, a power of two.

    Members
    -------
    i : In(stream.Signature(beat(order.row, input_lanes)))
        Each list one stream.
    heads : Out(head_layout(order)).array(lanes)
    pop : In(lanes)
        Removes a bank's head; only where it is known and not done.
    restart : In(1)

    Source: seed 003, section 3.3; that ranks go on over lists is ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, order, lanes, *, input_lanes, depth):
        self._order, self._lanes, self._depth = order, lanes, depth
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
        # Entries that were written to each bank of a part.
        written = [Signal(counter, name=f"written{mine}") for mine in range(self._parts)]
        write = Signal()
        room = Signal(self._parts)
        waiting, ends = self._ends(m, write & arriving["last"], part, written)
        some = waiting[0]
        m.d.comb += write.eq(self.i.valid & self.i.ready)
        # Whether there will be room is known a cycle before, with one write more to come.
        m.d.sync += self.i.ready.eq(room.all() & ~waiting[ENDS - 2])
        with m.If(write):
            m.d.sync += part.eq(Mux(part == self._parts - 1, 0, part + 1))

        for bank in range(self._lanes):
            mine, lane = divmod(bank, len(tuples))
            mark = written[mine]
            enable = write & (part == mine)
            entry = {"body": tuples[lane], "pad": ~arriving["valid"][lane]}
            read = self._bank(m, bank, mark, enable, entry)
            head = self.heads[bank]
            after = (read + 1)[:counter]
            filled = Signal(name=f"filled{bank}")
            # Kept, because what follows from it takes long: which banks are popped comes last.
            m.d.sync += filled.eq(enable | (filled & ~(self.pop[bank] & equal(after, mark))))
            m.d.comb += [
                head.done.eq(equal(read, ends[mine], some)),
                head.end.eq(some & (after == ends[mine])),
                head.known.eq(head.done | filled),
                head.odd.eq(read[0]),
            ]
            if lane == len(tuples) - 1:  # of the banks that are written together the slowest
                m.d.comb += room[mine].eq((mark - read)[:counter] < self._depth - 1)
                with m.If(enable):
                    m.d.sync += mark.eq(mark + 1)
        return m

    def _ends(self, m, push, part, written):
        """Which ends of lists are waiting, from bit 0 on; and the first of them.

        An end is, for the banks of each part, the entry behind the list's last. They move up when
        the first leaves, which is known late in a cycle: so that comes last in the logic.
        """
        layout = data.ArrayLayout(len(written[0]), self._parts)
        slots = [Signal(layout, name=f"end{k}", reset_less=True) for k in range(ENDS)]
        waiting = Signal(ENDS)
        new = Signal(layout)
        m.d.comb += [new[k].eq(mark + (part == k)) for k, mark in enumerate(written)]
        grown = waiting | (Cat(1, waiting[:-1]) & push.replicate(ENDS))
        m.d.sync += waiting.eq(Mux(self.restart, grown[1:], grown))
        for k, slot in enumerate(slots):
            with m.If(self.restart):
                after = Mux(waiting[k + 1], slots[k + 1], new) if k + 1 < ENDS else new
                m.d.sync += slot.eq(after)
            with m.Elif(~waiting[k]):
                m.d.sync += slot.eq(new)
        return waiting, slots[0]

    def _bank(self, m, bank, row, enable, entry):
        """One queue; returns how many entries have been popped."""
        bits = log2(self._depth)
        store = m.submodules[f"bank{bank}"] = memory.Memory(
            shape=entry_layout(self._order),
            depth=self._depth,
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer, reader = store.write_port(), store.read_port(domain="comb")
        read = Signal(bits + 1, name=f"read{bank}")
        m.d.comb += [
            writer.addr.eq(row[:bits]),
            *wire(writer.data, entry),
            writer.en.eq(enable),
            reader.addr.eq(read[:bits]),
            self.heads[bank].entry.eq(reader.data),
        ]
        m.d.sync += read.eq(read + self.pop[bank])
        return read
