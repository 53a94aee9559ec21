"""The banks of one input of a merger."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, memory, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.order import entry_layout
from rtl.stream.beat import beat, split


def head_layout(order):
    """What a bank shows of itself.

    ``entry`` (its first), ``end`` (that is its last of the list), ``done`` (its last has been
    popped: the entry does not count) and ``known`` (there is an entry, or it is done).
    """
    return data.StructLayout({"entry": entry_layout(order), "end": 1, "done": 1, "known": 1})


class MergeBanks(wiring.Component):
    """Lists dealt into banks: element r of a list lies in bank r mod ``lanes``.

    Each bank is a queue of its own, popped by itself; all are written row by row. A list's last
    row is filled up with pads, so that the next list begins at bank 0 again. A bank whose last
    entry of a list has been popped is *done*, and shows nothing of the next list until
    ``restart``, which the cycle that pops the list's very last entry raises.

    Latency 1 cycle from ``i`` to the heads, initiation interval 1 cycle. ``i.ready`` is low while
    the slowest bank, the last one, is full.

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
        Each list a stream of dense beats.
    heads : Out(head_layout(order)).array(lanes)
    pop : In(lanes)
        Removes a bank's head; only where it is known and not done.
    restart : In(1)

    Source: seed 003, section 3.3.
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
        bits = log2(self._depth)
        row = Signal(bits + 1)
        part = Signal(range(self._parts))
        last_read = Signal(bits + 1)
        write = Signal()
        m.d.comb += [
            self.i.ready.eq((row - last_read)[: bits + 1] != self._depth),
            write.eq(self.i.valid & self.i.ready),
        ]
        ends = self.i.p.last | (part == self._parts - 1)
        with m.If(write):
            m.d.sync += part.eq(part + 1)
            with m.If(ends):
                m.d.sync += [part.eq(0), row.eq(row + 1)]

        arriving = split(m, self.i.p, "arriving")
        tuples = split(m, arriving["tuples"], "tuple")
        for bank in range(self._lanes):
            mine, lane = divmod(bank, len(tuples))
            body, valid = tuples[lane], arriving["valid"][lane]
            pad = ~valid | (part != mine)
            enable = write & ((part == mine) | (self.i.p.last & (part < mine)))
            # With half rows the first half is written before the list's end is known, so the end
            # is a mark of the row, kept beside the banks.
            word = {"body": body, "pad": pad}
            read = self._bank(m, bank, row, write & ends, self.i.p.last, enable, word)
            if bank == self._lanes - 1:
                m.d.comb += last_read.eq(read)
        return m

    def _bank(self, m, bank, row, ends_row, last, enable, word):
        """One queue; returns its read pointer."""
        bits = log2(self._depth)
        layout = entry_layout(self._order)
        store = m.submodules[f"bank{bank}"] = memory.Memory(
            shape=layout, depth=self._depth, init=[], attrs={"ram_style": "distributed"}
        )
        writer, reader = store.write_port(), store.read_port(domain="comb")
        marks = Signal(self._depth, name=f"marks{bank}")
        read, done = Signal(bits + 1, name=f"read{bank}"), Signal(name=f"done{bank}")
        head = self.heads[bank]
        m.d.comb += [
            writer.addr.eq(row[:bits]),
            writer.data.body.eq(word["body"]),
            writer.data.pad.eq(word["pad"]),
            writer.en.eq(enable),
            reader.addr.eq(read[:bits]),
            head.entry.eq(reader.data),
            head.end.eq(marks.bit_select(read[:bits], 1)),
            head.done.eq(done),
            head.known.eq(done | (read != row)),
        ]
        with m.If(ends_row):
            m.d.sync += marks.bit_select(row[:bits], 1).eq(last)
        with m.If(self.pop[bank]):
            m.d.sync += [read.eq(read + 1), done.eq(head.end)]
        with m.If(self.restart):
            m.d.sync += done.eq(0)
        return read
