"""From lines of values to one state for each."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.count import Count
from rtl.aggregate.operator import Product
from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.network.reduction import Reduction
from rtl.stream.beat import wire
from rtl.stream.line import line


class LineStates(wiring.Component):
    """Gives of each line the state of the aggregates over its values, as serial decoders do.

    Which of its values came first a line need not know: no aggregate of the query language does.
    For instance ``sum`` of the line ``5 . 7 1`` is 13, of 3 ``values``. Where a line has none the
    state means nothing.

    Order is kept. Latency ``log2(lanes) + 1`` cycles, initiation interval 1 cycle. A stall at ``o``
    stalls ``i`` once every level is full.

    Parameters
    ----------
    fold : Fold
    shape : ShapeLike
        A value, as wide as the fold's column, or wider: then its lowest bits.
    lanes : int
        A power of two.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, passenger=passenger)))
    o : Out(stream.Signature(line(fold.states, 1, passenger=passenger)))

    Source: seed 000, section 3.4.4 (what the cache gives to the kernels).
    """

    initiation_interval = 1

    def __init__(self, fold, shape, lanes, passenger=0):
        self._lanes = lanes
        beside = data.StructLayout({"any": 1, "last": 1, "passenger": passenger})
        parts = {f"r{k}": operator for k, operator in enumerate(fold.operators)}
        self._reduction = Reduction(
            Product(**parts, values=Count(COUNT_BITS)),
            fold.row,
            lanes,
            tuples=fold.block_tuples,
            passenger=beside,
        )
        super().__init__(
            {
                "i": In(stream.Signature(line(shape, lanes, passenger=passenger))),
                "o": Out(stream.Signature(line(fold.states, 1, passenger=passenger))),
            }
        )

    @staticmethod
    def latency_of(lanes):
        return Reduction.latency_of(lanes)

    @property
    def latency(self):
        return self.latency_of(self._lanes)

    def elaborate(self, platform):
        m = Module()
        m.submodules.reduction = reduction = self._reduction
        source, target = self.i.p, reduction.i.p
        given, o, state = reduction.o.p, self.o.p, self.o.p.tuples[0]
        beside = given.passenger
        m.d.comb += [
            reduction.i.valid.eq(self.i.valid),
            self.i.ready.eq(reduction.i.ready),
            *(
                Value.cast(target.tuples[lane]).eq(Value.cast(source.tuples[lane]))
                for lane in range(self._lanes)
            ),
            target.valid.eq(source.valid),
            target.last.eq(1),
            target.passenger.any.eq(source.valid.any()),
            target.passenger.last.eq(source.last),
            self.o.valid.eq(reduction.o.valid),
            reduction.o.ready.eq(self.o.ready),
            o.valid.eq(beside.any),
            o.last.eq(beside.last),
            *wire(
                {name: state[name] for name in state.shape().members if name != "values"},
                {name: given.state[name] for name in given.state.shape().members},
            ),
            state["values"].eq(given.state["values"].value),
        ]
        if "passenger" in source.shape().members:
            m.d.comb += [
                Value.cast(target.passenger.passenger).eq(Value.cast(source.passenger)),
                Value.cast(o.passenger).eq(Value.cast(beside.passenger)),
            ]
        return m
