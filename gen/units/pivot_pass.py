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
    """Finds a percentile of each window in one pass over its lines, or chooses the next pivot.

    ::

        i --> Reduction of Neighbours --> PivotSelection --> o

    All lines of a window carry the same search. For instance the median of 5 5 7 8 9 with one
    neighbour on either side::

        pivot of the search    less    upto    neighbours    o
        5                      0       2       -, 7          found, pivot 7
        9                      4       5       8, -          not found, high 8, next pivot 6

    Order is kept. A stall at ``o`` stops the selection, then the reduction, which stalls ``i``.
    Latency from a window's last line: ``log2(lanes) + 1`` cycles of the reduction, and 6 cycles of
    the selection. Initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value; unsigned bits for a float.
    lanes : int
        A power of two.
    tuples : int
        Tuples of the largest window.
    neighbours : int
        Number K of values that a pass keeps on either side of the pivot, a power of two.
    fraction : Fraction
        p of the percentile, with 0 < p <= 1.
    floating : bool
        True if a value is a float or a double.

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, passenger=search_layout(...))))
        A line of values, and the search. Pivot and bounds of a search are rank keys of values
        (:func:`rtl.stream.order.rank`).
    o : Out(PivotSelection(...).o.signature)
        ``found`` and ``search``: with ``found`` the answer is ``search.pivot``; otherwise
        ``search`` is that of the next pass.
    """

    initiation_interval = 1

    def __init__(self, shape, lanes, *, tuples, neighbours=1, fraction, floating=False):
        operator = Neighbours(
            "value", shape, tuples=tuples, neighbours=neighbours, floating=floating
        )
        width = operator.shape.width
        search = search_layout(width)
        tuple_layout = data.StructLayout({"value": shape, "pivot": width})
        self._reduction = Reduction(operator, tuple_layout, lanes, tuples=tuples, passenger=search)
        self._selection = PivotSelection(operator, Fraction(fraction))
        line_layout = line(shape, lanes, passenger=search)
        super().__init__(
            {"i": In(stream.Signature(line_layout)), "o": Out(self._selection.o.signature)}
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
        for k, tuple_ in enumerate(target.tuples):
            m.d.comb += [
                Value.cast(tuple_.value).eq(Value.cast(source.tuples[k])),
                tuple_.pivot.eq(source.passenger.pivot),
            ]
        return m
