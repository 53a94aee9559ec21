"""WHERE, and the tuples that no query can use."""

from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from query.predicate import And, Comparison, Op, comparisons
from rtl.stream import order
from rtl.stream.beat import beat, split
from rtl.stream.register import StreamRegister

_OPERATORS = {Op.EQ: eq, Op.NE: ne, Op.LT: lt, Op.LE: le, Op.GT: gt, Op.GE: ge}


def constant_name(index):
    """Name of the setting that holds the constant of the query's comparison of this index."""
    return f"where{index}"


def verdict(query, row, settings):
    """What the query thinks of a tuple: it has a NaN, and it fails WHERE, if it has none.

    ``row`` is a mapping of column name to value, ``settings`` one of setting to value. A constant
    of WHERE that is not among the settings is the query's own.
    """
    nan = Cat(order.is_nan(row[c.name]) for c in query.columns if c.type.floating).any()
    constants = []
    for k, leaf in enumerate(comparisons(query.where)):
        own = Const(leaf.raw, row[leaf.column.name].shape())
        constants.append(settings.get(constant_name(k), own))
    return nan, ~nan & ~_passes(query.where, row, iter(constants))


def _passes(predicate, row, constants):
    """High when ``row`` satisfies ``predicate``, whose constants come in the order of its text."""
    if predicate is None:
        return Const(1)
    if isinstance(predicate, Comparison):
        floating = predicate.column.type.floating
        value = order.encode(row[predicate.column.name], floating)
        return _OPERATORS[predicate.op](value, order.encode(next(constants), floating))
    join = and_ if isinstance(predicate, And) else or_
    return reduce(join, [_passes(term, row, constants) for term in predicate.terms])


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
    settings : data.StructLayout
        The beats' context. May hold constants of WHERE (:func:`constant_name`) for the stream.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes, settings.size)))
    o : Out(stream.Signature(beat(row, lanes, settings.size)))
    dropped : Out(StructLayout of ``nan`` and ``filtered``)
        How many tuples of the beat that was taken in the cycle before were dropped for a NaN, and
        how many by WHERE; 0 when none was taken.

    Source: seed 002, section V (the selection); NaNs are ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, query, row, lanes, *, settings=None):
        self._query = query
        self._lanes = lanes
        self._settings = data.StructLayout({}) if settings is None else settings
        self._layout = beat(row, lanes, self._settings.size)
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
        context = Signal(self._settings)
        if self._settings.size:
            m.d.comb += context.eq(self.i.p.context)
        settings = {name: context[name] for name in self._settings.members}
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid)
        nan = Signal(self._lanes)
        fails = Signal(self._lanes)
        for lane, row in enumerate(split(m, self.i.p.tuples, "row")):
            bad, unwanted = verdict(self._query, row, settings)
            m.d.comb += [nan[lane].eq(valid[lane] & bad), fails[lane].eq(valid[lane] & unwanted)]
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
