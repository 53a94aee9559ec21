"""Computes the addresses of the rows that a way merger fetches, and finds the end of each list."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, memory, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.way_sequencer import current_job_layout
from rtl.stream.order import equal


class WayFetch(wiring.Component):
    """Turns requests for a list's next row into addresses; an exhausted list yields pads.

    LUT RAM stores the number of each list's next row, and whether the list is exhausted: one memory
    for the even lists, one for the odd lists. The ``first`` request of a list ignores the stored
    state, so a job needs no cleared memory. Row r of list l has the address
    ((base + l) * list_rows + r) modulo ``depth``, with ``base`` in units of ``list_rows``. For
    instance lists of 4, 4 and 2 rows, with ``list_rows`` 4 and base
    2, have the addresses 8 to 11, 12 to 15, and 16 to 17. The third request to list 2 then finds
    the list ``exhausted``.

    ``address``, ``exhausted`` and ``read`` are combinational from a request; ``read`` is high if
    ``enable`` and ``advance`` are high. An exhausted list is read too, and the data is ignored.

    Parameters
    ----------
    ways, list_rows, depth : int
        As for :class:`~rtl.sort.ways.WayMerger`.

    Members
    -------
    current_job : In(current_job_layout(ways, list_rows, depth))
    begins : In(1)
        A job begins: ``current_job`` changes to the job in the next cycle.
    enable : In(1)
        A request is valid.
    advance : In(1)
        The request is executed in this cycle; while it is low, the request waits.
    first : In(1)
        The request is the first one of its list in this job.
    list : In(range(ways))
        List of the request.
    exhausted : Out(1)
        The list has no row for the request: the entry is a pad.
    address : Out(range(depth))
    read : Out(1)
    fetched : Out(1)
        High in the cycle after the read that completes the job: all rows of all lists are read.

    Source: ours.
    """

    def __init__(self, ways, list_rows, depth):
        self._levels = log2(ways)
        self._shift = log2(list_rows)
        super().__init__(
            {
                "current_job": In(current_job_layout(ways, list_rows, depth)),
                "begins": In(1),
                "enable": In(1),
                "advance": In(1),
                "first": In(1),
                "list": In(range(ways)),
                "exhausted": Out(1),
                "address": Out(range(depth)),
                "read": Out(1),
                "fetched": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        shift = self._shift
        state = Signal(data.StructLayout({"row": shift, "exhausted": 1}))
        next_state = Signal.like(state)
        row = Signal(shift)
        last = Mux(self.list == self.current_job.edge, self.current_job.tail, ~Const(0, shift))
        reads_row = Signal()
        row_count = Signal(self._levels + shift)  # rows read in this job
        m.d.comb += [
            row.eq(Mux(self.first, 0, state.row)),
            self.exhausted.eq(state.exhausted & ~self.first),
            next_state.row.eq(row + 1),
            next_state.exhausted.eq(self.exhausted | (row == last)),
            reads_row.eq(self.read & ~self.exhausted),
            self.address.eq(Cat(row, self.current_job.base + self.list)),
            self.read.eq(self.enable & self.advance),
        ]
        states = [self._rows(m, side, next_state) for side in range(2)]
        m.d.comb += Value.cast(state).eq(Mux(self.list[0], states[1], states[0]))
        m.d.sync += self.fetched.eq(
            equal(row_count, Cat(self.current_job.tail, self.current_job.edge), reads_row)
        )
        with m.If(reads_row):
            m.d.sync += row_count.eq(row_count + 1)
        with m.If(self.begins):
            m.d.sync += row_count.eq(0)
        return m

    def _rows(self, m, side, next_state):
        """Adds the memory of the even lists or of the odd lists; returns the list's state."""
        store = m.submodules[f"rows{side}"] = memory.Memory(
            shape=next_state.shape(),
            depth=1 << self._levels - 1,
            init=[],
            attrs={"ram_style": "distributed"},
        )
        writer = store.write_port()
        reader = store.read_port(domain="comb")
        m.d.comb += [
            writer.addr.eq(self.list[1:]),
            writer.data.eq(next_state),
            writer.en.eq(self.read & (self.list[0] == side)),
            reader.addr.eq(self.list[1:]),
        ]
        return reader.data
