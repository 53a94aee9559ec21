"""A prefix scan that continues over all beats of a stream."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.scan import PrefixScan, scan_payload
from rtl.stream.beat import build, split, wire


class RollingScan(wiring.Component):
    """Combines, for lane i, all tuples of the stream up to lane i of the beat.

    A :class:`~rtl.network.scan.PrefixScan` scans each beat, and the *carry*, the state of the last
    lane, is combined with the states of the next beat. After a beat with ``last`` the carry is
    empty, so the next stream can begin in the next cycle.

    Latency: that of the prefix scan; the carry is combined without a register of its own.
    Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when every level is full.

    Parameters
    ----------
    operator, lanes, shape, passenger
        As for the prefix scan.
    tuples : int
        Largest number of tuples of which a state is made, such as the tuples of the largest group;
        determines the widths of states.

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
        self._lanes = lanes
        self._shape = shape
        inner = scan_payload(operator, lanes, 1, passenger)
        outer = scan_payload(operator, lanes, tuples, passenger)
        super().__init__({"i": In(stream.Signature(inner)), "o": Out(stream.Signature(outer))})
        self._carry = operator.state(tuples)

    @staticmethod
    def latency_of(lanes, shape="sklansky"):
        """Latency of the prefix scan, in cycles."""
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
        continues = Signal()
        beat = scan.o.p
        states = split(m, beat.states, "state", deep=True)
        rolled = build(m, self.o.p.states, "rolled", deep=True)
        for state, out in zip(states, rolled, strict=True):
            m.d.comb += wire(out, self._operator.restart(carry, state, ~continues, beat.context))
        for member in ("context", "last", "passenger"):
            m.d.comb += self.o.p[member].eq(beat[member])
        m.d.comb += [self.o.valid.eq(scan.o.valid), scan.o.ready.eq(self.o.ready)]

        with m.If(scan.o.valid & self.o.ready):
            m.d.sync += [*wire(register, rolled[-1]), continues.eq(~beat.last)]
        return m
