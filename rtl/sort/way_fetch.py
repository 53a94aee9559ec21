"""The fetches of a way merger: which row of a list is read next, and which is the last of all."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.way_sequencer import held_layout
from rtl.stream.order import equal


class WayFetch(wiring.Component):
    """Turns requests for a list's next row into addresses; a list that has ended gives pads.

    For each list it keeps, in LUT RAM, the row that comes next, and whether the list is over. The
    memory of rows is two, of even and of odd lists.

    Combinational from a request to ``address`` and ``over``; ``read`` is high unless ``go`` is low.
    A list that is over is read too, and what comes of it is not used.

    Parameters
    ----------
    ways, list_rows, depth : int
        As for :class:`~rtl.sort.ways.WayMerger`.

    Members
    -------
    held : In(held_layout(ways, list_rows, depth))
    begins : In(1)
        A job begins: the next cycle's ``held``.
    enable : In(1)
        There is a request.
    go : In(1)
        It is done in this cycle.
    first : In(1)
        It is the list's first.
    list : In(range(ways))
    over : Out(1)
        The list has no row for it.
    address : Out(range(depth))
    read : Out(1)
    fetched : Out(1)
        High for one cycle, the one after the read of the job's last row.

    Source: ours.
    """

    def __init__(self, ways, list_rows, depth):
        self._levels, self._shift = log2(ways), log2(list_rows)
        super().__init__(
            {
                "held": In(held_layout(ways, list_rows, depth)),
                "begins": In(1),
                "enable": In(1),
                "go": In(1),
                "first": In(1),
                "list": In(range(ways)),
                "over": Out(1),
                "address": Out(range(depth)),
                "read": Out(1),
                "fetched": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        shift = self._shift
        known = Signal(data.StructLayout({"row": shift, "over": 1}))
        keep = Signal.like(known)
        row = Signal(shift)
        last = Mux(self.list == self.held.edge, self.held.tail, ~Const(0, shift))
        takes = Signal()
        taken = Signal(self._levels + shift)  # rows that have been read
        m.d.comb += [
            row.eq(Mux(self.first, 0, known.row)),
            self.over.eq(known.over & ~self.first),
            keep.row.eq(row + 1),
            keep.over.eq(self.over | (row == last)),
            takes.eq(self.read & ~self.over),
            self.address.eq(Cat(row, self.held.base + self.list)),
            self.read.eq(self.enable & self.go),
        ]
        found = [self._rows(m, side, keep) for side in range(2)]
        m.d.comb += Value.cast(known).eq(Mux(self.list[0], found[1], found[0]))
        m.d.sync += self.fetched.eq(equal(taken, Cat(self.held.tail, self.held.edge), takes))
        with m.If(takes):
            m.d.sync += taken.eq(taken + 1)
        with m.If(self.begins):
            m.d.sync += taken.eq(0)
        return m

    def _rows(self, m, side, keep):
        """The memory of the even lists, or of the odd ones; returns what it has of the list."""
        store = m.submodules[f"rows{side}"] = memory.Memory(
            shape=keep.shape(),
            depth=1 << self._levels - 1,
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer, reader = store.write_port(), store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(self.list[1:]),
            writer.data.eq(keep),
            writer.en.eq(self.read & (self.list[0] == side)),
            reader.addr.eq(self.list[1:]),
        ]
        return reader.data
