"""The scan that goes on from beat to beat."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.scan import PrefixScan, scan_payload
from rtl.stream.beat import build, split, wire


class RollingScan(wiring.Component):
    """Lane i's state becomes the combination of every tuple of the stream up to it.

    A :class:`~rtl.network.scan.PrefixScan`, and behind it the *carry*: the state of the last lane,
    which the next beat's states are combined with. After a beat with ``last`` the carry is empty,
    so the next stream begins anew, in the very next cycle.

    Latency: that of the prefix scan; the carry is combined in front of the next register, not
    behind one of its own. Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when every
    level is full.

    Parameters
    ----------
    operator, lanes, shape, passenger
        As for the prefix scan.
    tuples : int
        The longest run of tuples that a state is to hold; widths follow from it.

    Members
    -------
    i : In(stream.Signature(scan_payload(operator, lanes, 1, passenger)))
    o : Out(stream.Signature(scan_payload(operator, lanes, tuples, passenger)))

    Source: seed 003, section 3.1 step (d).
    """

    initiation_interval = 1

    def __init__(self, operator, lanes, *, tuples, shape="sklansky", passenger=0):
        self._scan = PrefixScan(operator, lanes, shape=shape, passenger=passenger)
        self._operator = operator
        self._lanes, self._shape = lanes, shape
        inner = scan_payload(operator, lanes, 1, passenger)
        outer = scan_payload(operator, lanes, tuples, passenger)
        super().__init__({"i": In(stream.Signature(inner)), "o": Out(stream.Signature(outer))})
        self._carry = operator.state(tuples)

    @staticmethod
    def latency_of(lanes, shape="sklansky"):
        """The prefix scan's."""
        return PrefixScan.latency_of(lanes, shape)

    @property
    def latency(self):
        return self.latency_of(self._lanes, self._shape)

    def elaborate(self, platform):
        m = Module()
        m.submodules.scan = scan = self._scan
        wiring.connect(m, wiring.flipped(self.i), scan.i)

        register = Signal(self._carry, name="carry", reset_less=True)
        carry = split(m, register, "carried", deep=True)
        began = Signal()
        beat = scan.o.p
        states = split(m, beat.states, "state", deep=True)
        rolled = build(m, self.o.p.states, "rolled", deep=True)
        for state, out in zip(states, rolled, strict=True):
            m.d.comb += wire(out, self._operator.restart(carry, state, ~began, beat.context))
        for member in ("context", "last", "passenger"):
            m.d.comb += self.o.p[member].eq(beat[member])
        m.d.comb += [self.o.valid.eq(scan.o.valid), scan.o.ready.eq(self.o.ready)]

        with m.If(scan.o.valid & self.o.ready):
            m.d.sync += [*wire(register, rolled[-1]), began.eq(~beat.last)]
        return m
