"""From the pins of a MAC to pieces: is it a frame at all?"""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.contract.counters import Counter, events
from rtl.ethernet.piece import BYTES, below, count_first, flow, piece
from rtl.stream.axi_stream import axi_stream_members

#: Bytes of an Ethernet header, and of the tag of a VLAN that may be in it.
HEADER, TAG = 14, 4


class FrameCheck(wiring.Component):
    """Takes whatever a MAC gives, without ever a wait, and drops what is no frame.

    A frame comes from its destination on, without preamble and FCS, the first byte lowest;
    ``tuser`` with ``tlast`` says that the FCS was wrong. ``tkeep`` counts with ``tlast`` only, and
    has its ones lowest. Pieces of a bad frame go on, with ``good`` 0 at its end.

    A frame in which a reset falls is gone, and not counted. Where frames end is followed through a
    reset, so that the rest of one is never taken for a frame: it may have another frame in it. But
    a cycle without a beat, in a reset of two cycles and more or right behind it, says that the MAC
    was reset, too: it gives no rest, and what comes is a frame.

    Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    shortest, longest : int
        Bytes that a frame may have, without FCS, with a tag. The shortest that Ethernet lets pass
        is 60; some virtual links give shorter ones.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        ``tready`` is always high.
    o : Out(flow(piece(good=1)))
        A stream; ``good`` holds with ``last``.
    events : Out(events(FrameCheck.counters))
        The first of them that holds.
    """

    latency = 2
    initiation_interval = 1

    counters = (
        Counter(name="bad_fcs", doc="frames whose check sequence the MAC found wrong"),
        Counter(name="giant", doc="frames longer than any may be"),
        Counter(name="runt", doc="frames shorter than any may be"),
    )

    def __init__(self, *, shortest=60, longest=1518):
        if not isinstance(shortest, int) or shortest < HEADER:
            raise ValueError(f"shortest must be an integer of at least {HEADER}, not {shortest!r}")
        if not isinstance(longest, int) or not shortest <= longest < 1 << 16:
            raise ValueError(f"longest must be {shortest} to 65535, not {longest!r}")
        self._shortest, self._longest = shortest, longest
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(BYTES, In, user=1))),
                "o": Out(flow(piece(good=1))),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        most = self._longest // BYTES + 1  # more than these need not be told apart
        before = Signal(bits_for(most))  # pieces before this one
        between = Signal(init=1, reset_less=True)
        awake, begun = Signal(), Signal()  # since the reset: a cycle ago, a frame
        taken = Signal(piece(bad_fcs=1), reset_less=True)
        whole, valid = Signal(range(BYTES * (most + 1) + 1)), Signal()
        size = Signal(taken.size.shape())
        bus = self.bus
        m.d.comb += [
            bus.tready.eq(1),
            size.eq(Mux(bus.tlast, sum(bus.tkeep[k] for k in range(BYTES)), BYTES)),
        ]
        m.d.sync += [valid.eq(bus.tvalid & (between | begun)), awake.eq(1)]
        with m.If(~bus.tvalid & ~awake):
            m.d.sync += between.eq(1)
        with m.If(bus.tvalid):
            m.d.sync += [
                taken.data.eq(bus.tdata),
                taken.size.eq(size),
                taken.first.eq(between),
                taken.last.eq(bus.tlast),
                taken.bad_fcs.eq(bus.tuser),
                whole.eq(before * BYTES + size),
                between.eq(bus.tlast),
                begun.eq(between | begun),
                before.eq(Mux(bus.tlast, 0, Mux(before == most, most, before + 1))),
            ]
        counted = Signal(self.events.shape())
        good = count_first(
            m,
            counted,
            valid & taken.last,
            [
                ("bad_fcs", taken.bad_fcs),
                ("giant", whole > self._longest),
                ("runt", whole < self._shortest),
            ],
        )
        out, out_valid = Signal(self.o.p.shape(), reset_less=True), Signal()
        m.d.sync += [
            out_valid.eq(valid),
            out.data.eq(below(taken.data, taken.size)),
            *(out[name].eq(taken[name]) for name in ("size", "first", "last")),
            out.good.eq(good),
        ]
        m.d.sync += self.events.eq(counted)
        m.d.comb += [self.o.valid.eq(out_valid), self.o.p.eq(out)]
        return m
