"""Models the registry's operators over lists of tuples, and builds a scan with lowering.

A tuple is ``{"x": value, "new": bit}``: ``new`` is 1 if x differs from the previous value.
"""

from amaranth.hdl import Module, Shape, signed, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.aggregate import Function
from query.types import Int, UInt
from rtl.aggregate.entry import Operand
from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Tuple
from rtl.aggregate.registry import ENTRIES
from rtl.network.rolling import RollingScan
from rtl.stream.beat import wire
from tb import aggregates as plain_models


def _entry_operator(function, shape=None, count_width=5):
    """Returns the operator of the registry over the column x, for 2**count_width - 1 tuples."""
    type_ = None
    if shape is not None:
        shape = Shape.cast(shape)
        type_ = Int(shape.width) if shape.signed else UInt(shape.width)
    tuples = (1 << count_width) - 1
    return ENTRIES[function].operator(Operand(column="x", type=type_, tuples=tuples, hit=0))


def _model_of(function):
    """Returns the plain model of a function over lists of tuples."""
    if function is Function.COUNT_DISTINCT:  # the operator counts the marks
        return lambda tuples: sum(t["new"] for t in tuples)
    model = plain_models.MODELS[function].result
    return lambda tuples: model([t["x"] for t in tuples], plain_models.Arithmetic(), None)


#: The function of each operator of the registry, by the operator's class.
FUNCTIONS = {type(_entry_operator(function, signed(5))): function for function in ENTRIES}
#: Plain models by the operator's class; `test_percentile` has the model of a percentile.
MODELS = {
    cls: _model_of(function)
    for cls, function in FUNCTIONS.items()
    if function is not Function.PERCENTILE
}
SHAPES = (signed(5), unsigned(3))


def make(cls, shape, count_width):
    """Returns the registry's operator of class ``cls`` over the column x."""
    return _entry_operator(FUNCTIONS[cls], shape, count_width)


def bounds(shape):
    shape = Shape.cast(shape)
    half = 1 << shape.width >> shape.signed
    return -half * shape.signed, half - 1


def draw(rng, shape, tuples):
    low, high = bounds(shape)
    return [
        {"x": rng.choice((low, high, rng.randint(low, high))), "new": rng.randrange(2)}
        for _ in range(tuples)
    ]


def lifted(operator, tuple_, context):
    """Returns the lifted state of a view of ``x`` and ``new``."""
    new = tuple_["new"]
    seen = Tuple(row={"x": tuple_["x"]}, fresh={"x": new}, valid=1, hits=(new,))
    return operator.lift(seen, context)


class Aggregation(wiring.Component):
    """Rolling scan and lowering: a lane outputs the result of all tuples up to the lane."""

    def __init__(self, operator, shape, lanes, tuples, scan="sklansky"):
        self._operator, self._lanes = operator, lanes
        self._scan = RollingScan(operator, lanes, tuples=tuples, shape=scan)
        self._lower = Lower(operator, lanes, tuples=tuples)
        tuple_ = data.StructLayout({"x": shape, "new": 1})
        payload = {"tuples": data.ArrayLayout(tuple_, lanes), "context": operator.context}
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(payload | {"last": 1}))),
                "o": Out(self._lower.o.signature),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.scan, m.submodules.lower = scan, lower = self._scan, self._lower
        for lane in range(self._lanes):
            state = lifted(self._operator, self.i.p.tuples[lane], self.i.p.context)
            m.d.comb += wire(scan.i.p.states[lane], state)
        m.d.comb += [
            scan.i.p.context.eq(self.i.p.context),
            scan.i.p.last.eq(self.i.p.last),
            scan.i.valid.eq(self.i.valid),
            self.i.ready.eq(scan.i.ready),
            lower.i.p.lanes.eq(scan.o.p.states),
            lower.i.p.context.eq(scan.o.p.context),
            lower.i.valid.eq(scan.o.valid),
            scan.o.ready.eq(lower.i.ready),
        ]
        wiring.connect(m, lower.o, wiring.flipped(self.o))
        return m


def beats_of(streams, lanes, contexts):
    """Returns full beats; the tuples of a stream must be a multiple of the lanes."""
    return [
        {
            "tuples": tuples[k : k + lanes],
            "context": context,
            "last": int(k + lanes == len(tuples)),
        }
        for tuples, context in zip(streams, contexts, strict=True)
        for k in range(0, len(tuples), lanes)
    ]
