"""Cuts stretches of lines into bursts."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.skid import SkidBuffer


class BurstCutter(wiring.Component):
    """Cuts each stretch of a port's ring into as few bursts as AXI allows.

    A *stretch* is some consecutive lines of a ring, which may wrap at the ring's end. A burst ends
    at the end of its unit (:class:`~rtl.keyed.dram.lines.LineMap`), because a unit may end at a
    multiple of 4 KiB or at the end of the ring. For instance with 128 lines of a ring behind the
    port, and so with units of 64 lines::

        stretch                      bursts
        line 70, and 2 more          70 to 72
        line 120, and 79 more        120 to 127, 0 to 63, 64 to 71
        a write of line 5            5

    In general n lines from place p of a unit of u lines are ceil((p + n) / u) bursts. Units have
    different sizes if a port holds a ring in segments: with 28 lines in segments of 16, 8 and 4 a
    stretch of line 14 and 19 more has the bursts 14 to 15, 16 to 23, 24 to 27, 0 to 5. Order is
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
    capacity = 3  # two bursts, and the rest of a stretch
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
        place_bits = self._lines.place_bits
        ring_bits = self._lines.ring_bits
        m.submodules.skid = skid = SkidBuffer(self._lines.burst())
        wiring.connect(m, skid.o, wiring.flipped(self.o))
        burst = skid.i.p
        rest = Signal(self._lines.stretch(), reset_less=True)
        has_rest = Signal()
        place = rest.line[:place_bits]
        # Place of the stretch's last line, from the unit's beginning; may be beyond the unit's end.
        end = Signal(ring_bits + 1)
        crosses_unit = Signal()
        if len(self._lines.segments.sizes) > 1:
            unit_last, more, rest_more = self._cut_segments(m, rest, end, crosses_unit)
            next_place = Mux(unit_last == self._lines.port_ring_lines - 1, 0, unit_last + 1)
            last = Mux(crosses_unit, unit_last, rest.line[:ring_bits] + rest.more)
            following = [rest.line[:ring_bits].eq(next_place)]
        else:
            m.d.comb += [
                end.eq(place + rest.more),
                crosses_unit.eq(end[place_bits:].any()),
            ]
            last = end[:place_bits] | crosses_unit.replicate(place_bits)
            more = Mux(crosses_unit, ~place, rest.more[:place_bits])
            rest_more = Cat(end[:place_bits], end[place_bits:] - 1)
            following = [
                rest.line[place_bits:ring_bits].eq(rest.line[place_bits:ring_bits] + 1),
                place.eq(0),
            ]
        m.d.comb += [
            self.i.ready.eq(~has_rest | (skid.i.ready & ~crosses_unit)),
            self.busy.eq(has_rest | skid.o.valid),
            skid.i.valid.eq(has_rest),
            burst.write.eq(rest.write),
            burst.unit.eq(rest.line[place_bits:]),
            burst.first.eq(place),
            burst.last.eq(last),
            burst.more.eq(more),
        ]
        with m.If(skid.i.ready):
            # The rest begins at the next unit of the ring.
            m.d.sync += [*following, rest.more.eq(rest_more)]
        with m.If(self.i.ready):
            m.d.sync += [has_rest.eq(self.i.valid), Value.cast(rest).eq(self.i.p)]
        return m

    def _cut_segments(self, m, rest, end, crosses_unit):
        """Cuts a stretch where units have different sizes.

        Returns the last place of the unit, the number of lines of the burst less 1, and the number
        of lines of the rest less 1.
        """
        lines = self._lines
        place = rest.line[: lines.ring_bits]
        mask = Signal(lines.ring_bits)
        unit_last = Signal(lines.ring_bits)
        m.d.comb += [
            mask.eq(lines.segments.unit_mask(place)),
            unit_last.eq(place | mask),
            end.eq((place & mask) + rest.more),
            crosses_unit.eq(end > mask),
        ]
        return unit_last, Mux(crosses_unit, mask & ~place, rest.more), end - mask - 1
