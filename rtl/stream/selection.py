"""WHERE, and the tuples that no query can use."""

from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from query.predicate import And, Comparison, Op
from rtl.stream import order
from rtl.stream.beat import beat, split
from rtl.stream.register import StreamRegister

_OPERATORS = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def passes(predicate, row):
    """High when ``row``, a mapping of column name to value, satisfies ``predicate``."""
    if predicate is None:
        return Const(1)
    if isinstance(predicate, Comparison):
        type_ = predicate.column.type
        value = order.encode(row[predicate.column.name], type_.floating)
        constant = order.encode(
            Const(predicate.raw, row[predicate.column.name].shape()), type_.floating
        )
        return _OPERATORS[predicate.op](value, constant)
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, (passes(term, row) for term in predicate.terms))


class Selection(wiring.Component):
    """Takes the valid bit from every tuple that has a NaN or fails WHERE; keeps the rest in place.

    So the beats at ``o`` have gaps; a compactor behind closes them. Order is kept. A tuple with a
    NaN in a column of the query is dropped whatever WHERE says of it.

    Latency 1 cycle, initiation interval 1 cycle; stalls ``i`` only while ``o`` stalls.

    Parameters
    ----------
    query : Query
        Its ``where`` and ``columns``.
    row : data.StructLayout
        A tuple, with a member for each of the query's columns.
    lanes : int
    context : int
        Width of the beats' context.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes, context)))
    o : Out(stream.Signature(beat(row, lanes, context)))
    dropped : Out(StructLayout of ``nan`` and ``filtered``)
        How many tuples of the beat that was taken in the cycle before were dropped for a NaN, and
        how many by WHERE; 0 when none was taken.

    Source: seed 002, section V (the selection); NaNs are ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, query, row, lanes, *, context=0):
        self._query = query
        self._lanes = lanes
        self._layout = beat(row, lanes, context)
        count = bits_for(lanes)
        layout = self._layout
        super().__init__(
            {
                "i": In(stream.Signature(layout)),
                "o": Out(stream.Signature(layout)),
                "dropped": Out(data.StructLayout({"nan": count, "filtered": count})),
            }
        )

    @staticmethod
    def needed(query):
        """The query can drop a tuple."""
        return query.where is not None or any(c.type.floating for c in query.columns)

    def elaborate(self, platform):
        m = Module()
        m.submodules.register = register = StreamRegister(self._layout)
        floats = [column.name for column in self._query.columns if column.type.floating]
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid)
        nan = Signal(self._lanes)
        fails = Signal(self._lanes)
        for lane, row in enumerate(split(m, self.i.p.tuples, "row")):
            bad = Cat(order.is_nan(row[name]) for name in floats).any()
            m.d.comb += [
                nan[lane].eq(valid[lane] & bad),
                fails[lane].eq(valid[lane] & ~bad & ~passes(self._query.where, row)),
            ]
        m.d.comb += [
            register.i.payload.eq(self.i.payload),
            register.i.p.valid.eq(valid & ~nan & ~fails),
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
        ]
        wiring.connect(m, register.o, wiring.flipped(self.o))
        taken = self.i.valid & self.i.ready
        for name, lanes in (("nan", nan), ("filtered", fails)):
            m.d.sync += self.dropped[name].eq(
                Mux(taken, sum(lanes[k] for k in range(self._lanes)), 0)
            )
        return m
