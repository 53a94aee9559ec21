"""Models aggregates of lists of tuples in plain Python, and builds a scan with lowering.

A tuple is ``{"x": value, "new": bit}``: ``new`` is 1 if x differs from the previous value.
"""

from amaranth.hdl import Module, Shape, signed, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.lower import Lower
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Tuple
from rtl.aggregate.sum import Sum
from rtl.network.rolling import RollingScan
from rtl.stream.beat import wire


def truncated(dividend, divisor):
    quotient = abs(dividend) // divisor
    return -quotient if dividend < 0 else quotient


def values(tuples):
    return [t["x"] for t in tuples]


def average(tuples):
    return truncated(sum(values(tuples)), len(tuples))


MODELS = {
    Count: len,
    CountDistinct: lambda tuples: sum(t["new"] for t in tuples),
    Sum: lambda tuples: sum(values(tuples)),
    Min: lambda tuples: min(values(tuples)),
    Max: lambda tuples: max(values(tuples)),
    Avg: average,
}
SHAPES = (signed(5), unsigned(3))


def make(cls, shape, count_width):
    if cls is Count:
        return Count(count_width)
    if cls is CountDistinct:
        return CountDistinct("x", count_width)
    if cls in (Min, Max):
        return cls("x", shape)
    return cls("x", shape, count_width)


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
