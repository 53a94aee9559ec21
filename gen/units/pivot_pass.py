"""Joins the two parts of a pass over windows: the neighbours of a pivot, and the selection."""

from fractions import Fraction

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.pivot_selection import PivotSelection, search_layout
from rtl.network.reduction import Reduction
from rtl.stream.line import line


class PivotPass(wiring.Component):
    """Finds a percentile of each window in one pass over its lines, or narrows the search.

    ::

        i --> Reduction of Neighbours --> PivotSelection --> o

    The search of a window is the same in all of its lines. Order is kept. Latency ``log2(lanes) +
    1`` cycles plus the latency of :class:`~rtl.aggregate.pivot_selection.PivotSelection`.
    Initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes : int
        A power of two.
    tuples : int
        Tuples of the largest window.
    neighbours : int
        K, a power of two.
    fraction : Fraction
        p of the percentile.
    floating : bool

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, passenger=search_layout(...))))
    o : Out(stream.Signature(...))
        The output of the selection.
    """

    initiation_interval = 1

    def __init__(self, shape, lanes, *, tuples, neighbours=1, fraction, floating=False):
        operator = Neighbours(
            "value", shape, tuples=tuples, neighbours=neighbours, floating=floating
        )
        width = operator.shape.width
        search = search_layout(width)
        row = data.StructLayout({"value": shape, "pivot": width})
        self._reduction = Reduction(operator, row, lanes, tuples=tuples, passenger=search)
        self._selection = PivotSelection(operator, Fraction(fraction))
        arriving = line(shape, lanes, passenger=search)
        super().__init__(
            {"i": In(stream.Signature(arriving)), "o": Out(self._selection.o.signature)}
        )

    @property
    def latency(self) -> int:
        return self._reduction.latency + self._selection.latency

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.reduction = reduction = self._reduction
        m.submodules.selection = selection = self._selection
        wiring.connect(m, selection.o, wiring.flipped(self.o))
        source, target = self.i.p, reduction.i.p
        m.d.comb += [
            *(target[name].eq(source[name]) for name in ("valid", "last", "passenger")),
            reduction.i.valid.eq(self.i.valid),
            self.i.ready.eq(reduction.i.ready),
            selection.i.valid.eq(reduction.o.valid),
            reduction.o.ready.eq(selection.i.ready),
            selection.i.p.state.eq(reduction.o.p.state),
            selection.i.p.search.eq(reduction.o.p.passenger),
        ]
        for k, row in enumerate(target.tuples):
            m.d.comb += [
                Value.cast(row.value).eq(Value.cast(source.tuples[k])),
                row.pivot.eq(source.passenger.pivot),
            ]
        return m
