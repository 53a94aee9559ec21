"""Cuts stretches of lines into bursts."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.skid import SkidBuffer


class BurstCutter(wiring.Component):
    """Cuts each stretch of a port's ring into as few bursts as AXI allows.

    A burst ends at the end of its unit (:class:`~rtl.keyed.dram.lines.LineMap`), because a unit may
    end at a multiple of 4 KiB or at the end of the ring. For instance with 128 lines of a ring
    behind the port, and so with units of 64 lines::

        stretch                      bursts
        line 70, and 2 more          70 to 72
        line 120, and 79 more        120 to 127, 0 to 63, 64 to 71
        a write of line 5            5

    In general n lines from place p of a unit of u lines are ceil((p + n) / u) bursts. Order is
    kept.

    Latency 2 cycles to a stretch's first burst. Initiation interval 1 cycle, across stretches too.
    A stall at ``o`` stalls ``i`` when the cutter holds two bursts and the rest of a stretch; no
    chain of ``ready`` passes through.

    Parameters
    ----------
    lines : LineMap

    Members
    -------
    i : In(stream.Signature(lines.stretch()))
    o : Out(stream.Signature(lines.burst()))
    busy : Out(1)
        High while the cutter holds a stretch or a burst.

    Source: seed 000, section 3.3 (a circular block for each key in M3); the cuts follow AXI.
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
        rest, has_rest = Signal(self._lines.stretch(), reset_less=True), Signal()
        place = rest.line[:unit_bits]
        # Place of the last line, from the beginning of the unit; may be beyond the unit's end.
        end = Signal(ring_bits + 1)
        crosses_unit = Signal()
        m.d.comb += [
            end.eq(place + rest.more),
            crosses_unit.eq(end[unit_bits:].any()),
            self.i.ready.eq(~has_rest | (skid.i.ready & ~crosses_unit)),
            self.busy.eq(has_rest | skid.o.valid),
            skid.i.valid.eq(has_rest),
            burst.write.eq(rest.write),
            burst.unit.eq(rest.line[unit_bits:]),
            burst.first.eq(place),
            burst.last.eq(end[:unit_bits] | crosses_unit.replicate(unit_bits)),
            burst.more.eq(Mux(crosses_unit, ~place, rest.more[:unit_bits])),
        ]
        with m.If(skid.i.ready):
            # The rest begins at the next unit of the ring.
            m.d.sync += [
                rest.line[unit_bits:ring_bits].eq(rest.line[unit_bits:ring_bits] + 1),
                place.eq(0),
                rest.more.eq(Cat(end[:unit_bits], end[unit_bits:] - 1)),
            ]
        with m.If(self.i.ready):
            m.d.sync += [has_rest.eq(self.i.valid), Value.cast(rest).eq(self.i.p)]
        return m
