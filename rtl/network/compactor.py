"""Compacts streams: closes the gaps of beats, in order, by filling the lanes round-robin."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Operator, Tuple
from rtl.network.butterfly import ReverseButterfly, routed_beat
from rtl.network.dense import DenseBuffer
from rtl.network.plan import log2
from rtl.network.rolling import RollingScan
from rtl.stream.beat import beat, build, copy_sideband, split, wire


class RoundRobin(Operator):
    """Counts valid tuples modulo the lanes; the state is the lane of the next tuple.

    For instance with 4 lanes the state after 6 valid tuples is 2: tuple 6, counted from 0, goes to
    lane 2, and :meth:`lower` returns 1, the lane of tuple 5.
    """

    def __init__(self, lanes):
        self._bits = log2(lanes)

    def state(self, tuples):
        return data.StructLayout({"value": self._bits})

    def lift(self, tuple_, context):
        return {"value": tuple_.valid}

    def combine(self, left, right, context):
        return {"value": (left["value"] + right["value"])[: self._bits]}

    @property
    def result(self):
        return self._bits

    def lower(self, state, quotients, context):
        """Returns the lane of the last counted tuple: one less than the next tuple's lane."""
        return (state["value"] - 1)[: self._bits]


class Router(wiring.Component):
    """Moves tuples to their target lanes and joins the beats: reverse butterfly, dense buffer.

    Ordering, stalls and the end of the stream are those of
    :class:`~rtl.network.butterfly.ReverseButterfly` and :class:`~rtl.network.dense.DenseBuffer`;
    the latency is the sum of their latencies, the initiation interval 1 cycle.

    Parameters
    ----------
    shape, lanes, radix, context
        As for the reverse butterfly.
    zero_invalid
        As for the dense buffer.

    Members
    -------
    i : In(stream.Signature(routed_beat(shape, lanes, context)))
    o : Out(stream.Signature(beat(shape, lanes, context)))
    """

    initiation_interval = 1

    def __init__(self, shape, lanes, *, radix=4, context=0, zero_invalid=False):
        self._lanes = lanes
        self._radix = radix
        self._butterfly = ReverseButterfly(shape, lanes, radix=radix, context=context)
        self._dense = DenseBuffer(shape, lanes, context=context, zero_invalid=zero_invalid)
        routed = routed_beat(shape, lanes, context)
        plain = beat(shape, lanes, context)
        super().__init__({"i": In(stream.Signature(routed)), "o": Out(stream.Signature(plain))})

    @staticmethod
    def latency_of(lanes, *, radix=4):
        """Latency of butterfly and dense buffer, in cycles."""
        return ReverseButterfly.latency_of(lanes, radix=radix) + DenseBuffer.latency

    @property
    def latency(self):
        return self.latency_of(self._lanes, radix=self._radix)

    def elaborate(self, platform):
        m = Module()
        m.submodules.butterfly = self._butterfly
        m.submodules.dense = self._dense
        wiring.connect(m, wiring.flipped(self.i), self._butterfly.i)
        wiring.connect(m, self._butterfly.o, self._dense.i)
        wiring.connect(m, self._dense.o, wiring.flipped(self.o))
        return m


class RoundRobinCompactor(wiring.Component):
    """Turns beats with any valid lanes into dense beats with the same tuples in the same order.

    ::

        i --> rolling scan of the valid bits --> reverse butterfly --> dense buffer --> o
              lane = number of valid tuples      to that lane          full beats
              before in the stream, mod lanes

    Every output beat is full except the last of a stream, which always comes, and is empty only if
    the stream has no tuple. For instance with 4 lanes::

        i    . 1 . 2    3 . 4 5, last
        o                               1 2 3 4    5 . . ., last

    Streams may follow each other without a gap. ``i.ready`` falls only while ``o`` stalls.

    Latency from the beat that completes an output beat: the levels of the scan, the stages of the
    butterfly, and 1 cycle. With 4 lanes it is 2 + 1 + 1 = 4 cycles. The last beat of a stream takes
    1 cycle more. Initiation interval 1 cycle.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a tuple.
    lanes : int
        A power of two.
    scan : str
        Shape of the scan's network, see :mod:`rtl.network.plan`.
    radix : int
        Radix of the butterfly, 2 or 4.
    context : int
        Width of the beats' context.
    zero_invalid : bool
        Lanes of ``o`` without a tuple are 0, see :class:`~rtl.network.dense.DenseBuffer`.

    Members
    -------
    i : In(stream.Signature(beat(shape, lanes, context)))
    o : Out(stream.Signature(beat(shape, lanes, context)))

    Source: seed 003, sections 2 and 3.1 (the PRRA).
    """

    initiation_interval = 1

    def __init__(self, shape, lanes, *, scan="sklansky", radix=4, context=0, zero_invalid=False):
        self.latency_of(lanes, scan=scan, radix=radix)  # raises ValueError before parts are made
        self._operator = RoundRobin(lanes)
        self._lanes = lanes
        self._scan_shape = scan
        self._radix = radix
        self._scan = RollingScan(
            self._operator, lanes, tuples=lanes, shape=scan, passenger=beat(shape, lanes, context)
        )
        self._router = Router(shape, lanes, radix=radix, context=context, zero_invalid=zero_invalid)
        plain = beat(shape, lanes, context)
        super().__init__({"i": In(stream.Signature(plain)), "o": Out(stream.Signature(plain))})

    @staticmethod
    def latency_of(lanes, *, scan="sklansky", radix=4):
        """Latency of scan and router, in cycles."""
        return RollingScan.latency_of(lanes, scan) + Router.latency_of(lanes, radix=radix)

    @property
    def latency(self):
        return self.latency_of(self._lanes, scan=self._scan_shape, radix=self._radix)

    def elaborate(self, platform):
        m = Module()
        m.submodules.scan = scan = self._scan
        m.submodules.router = router = self._router
        valid = Signal(self._lanes)
        m.d.comb += valid.eq(self.i.p.valid)
        lifted = build(m, scan.i.p.states, "lifted", deep=True)
        states = split(m, scan.o.p.states, "state", deep=True)
        tuples = split(m, scan.o.p.passenger.tuples, "tuple")
        routed = build(m, router.i.p.tuples, "routed")
        for lane in range(self._lanes):
            counted = Tuple(valid=valid[lane])
            to = self._operator.lower(states[lane], (), None)
            m.d.comb += wire(lifted[lane], self._operator.lift(counted, None))
            m.d.comb += wire(routed[lane], {"tuple": tuples[lane], "to": to})
        m.d.comb += [
            scan.i.p.passenger.eq(self.i.p),
            scan.i.p.last.eq(self.i.p.last),
            scan.i.valid.eq(self.i.valid),
            self.i.ready.eq(scan.i.ready),
            router.i.p.valid.eq(scan.o.p.passenger.valid),
            *copy_sideband(router.i.p, scan.o.p.passenger),
            router.i.valid.eq(scan.o.valid),
            scan.o.ready.eq(router.i.ready),
        ]
        wiring.connect(m, router.o, wiring.flipped(self.o))
        return m
