"""Cuts stretches of lines into bursts."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.skid import SkidBuffer


class BurstCutter(wiring.Component):
    """Cuts each stretch of a port's ring into as few bursts as AXI allows.

    A burst ends where its unit ends (:class:`~rtl.keyed.dram.lines.LineMap`), for there may be the
    end of 4 KiB, or of the ring. For instance with 128 lines of a ring behind the port, and so
    units of 64::

        stretch                      bursts
        line 70, and 2 more          70 to 72
        line 120, and 79 more        120 to 127, 0 to 63, 64 to 71
        a write of line 5            5

    So n lines from place p of a unit of u lines are ceil((p + n) / u) bursts. Order is kept.

    Latency 2 cycles to a stretch's first burst. Initiation interval 1 cycle, across stretches too.
    A stall at ``o`` stalls ``i`` when two bursts and the rest of a stretch are inside; no ``ready``
    passes through.

    Parameters
    ----------
    lines : LineMap

    Members
    -------
    i : In(stream.Signature(lines.stretch()))
    o : Out(stream.Signature(lines.burst()))
    busy : Out(1)
        Anything is inside.

    Source: seed 000, section 3.3 (a circular block for each key in M3); cuts are AXI's.
    """

    latency = 2
    capacity = 3
    initiation_interval = 1

    def __init__(self, lines):
        self._lines = lines
        super().__init__(
            {
                "i": In(stream.Signature(lines.stretch())),
                "o": Out(stream.Signature(lines.burst())),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        unit_bits, ring_bits = self._lines.unit_bits, self._lines.ring_bits
        m.submodules.skid = skid = SkidBuffer(self._lines.burst())
        wiring.connect(m, skid.o, wiring.flipped(self.o))
        burst = skid.i.p
        rest, left = Signal(self._lines.stretch(), reset_less=True), Signal()
        place = rest.line[:unit_bits]
        # Place of the last line, counted from the unit's beginning: maybe beyond its end.
        end = Signal(ring_bits + 1)
        beyond = Signal()
        m.d.comb += [
            end.eq(place + rest.more),
            beyond.eq(end[unit_bits:].any()),
            self.i.ready.eq(~left | (skid.i.ready & ~beyond)),
            self.busy.eq(left | skid.o.valid),
            skid.i.valid.eq(left),
            burst.write.eq(rest.write),
            burst.unit.eq(rest.line[unit_bits:]),
            burst.first.eq(place),
            burst.last.eq(end[:unit_bits] | beyond.replicate(unit_bits)),
            burst.more.eq(Mux(beyond, ~place, rest.more[:unit_bits])),
        ]
        with m.If(skid.i.ready):
            # On with the next unit of the ring, from its beginning.
            m.d.sync += [
                rest.line[unit_bits:ring_bits].eq(rest.line[unit_bits:ring_bits] + 1),
                place.eq(0),
                rest.more.eq(Cat(end[:unit_bits], end[unit_bits:] - 1)),
            ]
        with m.If(self.i.ready):
            m.d.sync += [left.eq(self.i.valid), Value.cast(rest).eq(self.i.p)]
        return m
