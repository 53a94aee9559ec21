"""Combines the values of a line into one state of the aggregates."""

from amaranth.hdl import Cat, Const, Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.count import Count
from rtl.aggregate.operator import Product, pivot_member
from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.network.reduction import Reduction
from rtl.stream.beat import build, split, wire
from rtl.stream.line import line


class LineStates(wiring.Component):
    """Computes one state of the aggregates for each line, over the values of the line.

    Lines come from the window cache, or from a decoder that sends all values of a block at once; a
    serial decoder computes such a state itself. For instance ``sum`` of the line ``5 . 7 1`` is 13,
    of 3 ``values``. The values of a line need not be in the order of the window: the cache sends
    the values 3 to 6 as the lanes ``4 5 6 3``. So no operator of the fold may depend on the order.
    Only sums of floating point do, and options with such sums never make this component.

    The state of a line without values is undefined, and the line leaves without a ``valid`` lane.
    With pivots in the fold the state has the neighbours of the pivots of the line.

    Order is kept. Latency ``log2(lanes) + 1`` cycles, initiation interval 1 cycle. A stall at ``o``
    stalls ``i`` once every level is full.

    Parameters
    ----------
    fold : Fold
    shape : ShapeLike
        Shape of a value, at least as wide as the fold's column, which is in the lowest bits.
    lanes : int
        Values of a line, a power of two.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, passenger=passenger)))
    o : Out(stream.Signature(line(fold.states, 1, passenger=passenger)))
    pivots : In(fold.pivot_layout), or none
        The pivots of the line at ``i``; only with pivots in the fold.

    Source: seed 000, section 3.4.4 (output of the cache to the kernels).
    """

    initiation_interval = 1

    def __init__(self, fold, shape, lanes, passenger=0):
        self._lanes = lanes
        line_info = data.StructLayout({"any": 1, "last": 1, "passenger": passenger})
        operators = enumerate(fold.operators)
        parts = {f"r{k}": operator for k, operator in operators if operator is not None}
        self._pivots = fold.pivots
        pivots = {pivot_member(k): fold.pivot_layout.elem_shape for k in range(fold.pivots)}
        self._reduction = Reduction(
            Product(**parts, values=Count(COUNT_BITS)),
            data.StructLayout({**fold.row.members, **pivots}),
            lanes,
            tuples=fold.block_tuples,
            passenger=line_info,
        )
        super().__init__(
            {
                "i": In(stream.Signature(line(shape, lanes, passenger=passenger))),
                "o": Out(stream.Signature(line(fold.states, 1, passenger=passenger))),
                **({"pivots": In(fold.pivot_layout)} if fold.pivots else {}),
            }
        )
        self._row_bits = fold.row.size

    @staticmethod
    def latency_of(lanes):
        return Reduction.latency_of(lanes)

    @property
    def latency(self):
        return self.latency_of(self._lanes)

    def elaborate(self, platform):
        m = Module()
        m.submodules.reduction = reduction = self._reduction
        source = self.i.p
        target = reduction.i.p
        reduced = reduction.o.p
        o = self.o.p
        state = self.o.p.tuples[0]
        line_info = reduced.passenger
        pivots = Value.cast(self.pivots) if self._pivots else Const(0, 0)
        rows = build(m, target.tuples, "row")
        values = split(m, source.tuples, "value")
        m.d.comb += [
            reduction.i.valid.eq(self.i.valid),
            self.i.ready.eq(reduction.i.ready),
            *(
                Value.cast(row).eq(Cat(Value.cast(value)[: self._row_bits], pivots))
                for row, value in zip(rows, values, strict=True)
            ),
            target.valid.eq(source.valid),
            target.last.eq(1),
            target.passenger.any.eq(source.valid.any()),
            target.passenger.last.eq(source.last),
            self.o.valid.eq(reduction.o.valid),
            reduction.o.ready.eq(self.o.ready),
            o.valid.eq(line_info.any),
            o.last.eq(line_info.last),
            *wire(
                {name: state[name] for name in state.shape().members if name != "values"},
                {name: reduced.state[name] for name in reduced.state.shape().members},
            ),
            state["values"].eq(reduced.state["values"].value),
        ]
        if "passenger" in source.shape().members:
            m.d.comb += [
                Value.cast(target.passenger.passenger).eq(Value.cast(source.passenger)),
                Value.cast(o.passenger).eq(Value.cast(line_info.passenger)),
            ]
        return m
