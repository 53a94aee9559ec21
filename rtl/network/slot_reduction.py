"""Combines the rows of two blocks, which come in any order, into a state of each block."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Tuple
from rtl.network.reduction import reduced_payload, with_empty_state, without_empty_flag
from rtl.stream.beat import build, split, wire

#: Number of slots of a decoder: blocks that are decoded and combined at the same time.
SLOTS = 2


def slot_row(row, passenger=0):
    """Returns the layout of an item: ``row``, ``valid``, ``last``, ``slot`` and ``passenger``."""
    return data.StructLayout(
        {"row": row, "valid": 1, "last": 1, "slot": range(SLOTS), "passenger": passenger}
    )


class SlotReduction(wiring.Component):
    """Combines the rows of each block into one state; the rows of two blocks may alternate.

    ::

                        +-- state of slot 0 --+
        i --> combine --+                     +-- in turn --> o
                 ^      +-- state of slot 1 --+
                 +--- state of the row's slot

    Each block has a slot, and blocks begin in slots 0 and 1 in turn. There is one state for each
    slot, and one circuit that combines. Invariant: **the states leave slots 0 and 1 in turn**, so
    in the order of the blocks, even if a block ends before the previous block. For instance ``sum``
    of 1 (slot 0), 5 (slot 1, last row) and 2 (slot 0, last row): the states are 3, then 5.

    A row that is not ``valid`` has no tuple; it may be the last of its block. The state of a block
    without tuples is undefined.

    Latency 1 cycle from the last row of a block, if the state of the previous block has left.
    Initiation interval 1 cycle. A finished state that waits stalls further rows of its slot, and so
    stalls ``i``.

    Parameters
    ----------
    operator : Operator
        Without a context.
    row : data.StructLayout
    tuples : int
        Tuples of the largest block; determines widths.
    passenger : ShapeLike
        Shape of the data that each block carries to its state, taken from its last row.

    Members
    -------
    i : In(stream.Signature(slot_row(row, passenger)))
    o : Out(stream.Signature(reduced_payload(operator, tuples, passenger)))

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, operator, row, *, tuples, passenger=0):
        if operator.context:
            raise ValueError(f"context must be 0, not {operator.context}")
        self._operator = operator
        self._inner_operator = with_empty_state(operator)
        self._total_layout = self._inner_operator.state(tuples)
        self._passenger = passenger
        super().__init__(
            {
                "i": In(stream.Signature(slot_row(row, passenger))),
                "o": Out(stream.Signature(reduced_payload(operator, tuples, passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        totals = [
            Signal(self._total_layout, name=f"total{k}", reset_less=True) for k in range(SLOTS)
        ]
        passengers = [
            Signal(self._passenger, name=f"passenger{k}", reset_less=True) for k in range(SLOTS)
        ]
        started = Signal(SLOTS)
        full = Signal(SLOTS)
        turn = Signal()
        step = Signal(SLOTS)
        arriving = split(m, self.i.p, "arriving")
        slot = arriving["slot"]
        total = Signal(self._total_layout)
        m.d.comb += self.i.ready.eq(step.bit_select(slot, 1))
        after, continues = self._append(m, totals, started, arriving)
        for k in range(SLOTS):
            m.d.comb += step[k].eq(~full[k] | (self.o.ready & (turn == k)))
            accepted = self.i.valid & (slot == k)
            with m.If(step[k]):
                m.d.sync += full[k].eq(accepted & arriving["last"])
            with m.If(step[k] & accepted):
                m.d.sync += started[k].eq(~arriving["last"] & (continues | arriving["valid"]))
                m.d.sync += passengers[k].eq(arriving.get("passenger", 0))
                with m.If(arriving["valid"]):
                    m.d.sync += totals[k].eq(after)
        total_parts = split(m, total, "result", deep=True)
        m.d.comb += [
            total.eq(Mux(turn, *reversed(totals))),
            self.o.valid.eq(full.bit_select(turn, 1)),
            *wire(self.o.p.state, without_empty_flag(self._operator, total_parts)),
            self.o.p.passenger.eq(Mux(turn, *reversed(passengers))),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += turn.eq(~turn)
        return m

    def _append(self, m, totals, started, arriving):
        """Returns the state of the row's slot after the row, and a bit: the slot had tuples."""
        before = Signal(self._total_layout)
        after = Signal(self._total_layout)
        continues = Signal()
        m.d.comb += [
            before.eq(Mux(arriving["slot"], *reversed(totals))),
            continues.eq(started.bit_select(arriving["slot"], 1)),
        ]
        row = Tuple(row=split(m, arriving["row"], "column"))
        state = split(m, before, "state", deep=True)
        joined = self._inner_operator.append(state, row, ~continues, 0)
        m.d.comb += wire(build(m, after, "joined", deep=True), joined)
        return after, continues
