"""In which slide a tuple lies, and which windows it closes: a division for each tuple."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.division import quotient_digits

#: Bits of a quotient in each register level.
STEP = 2


def numbered_layout(times, passenger):
    """Layout of a tuple that has been numbered, by the KeyTimes ``times``.

    Members: ``valid``, there is a tuple with ``first``, the first window that it does not close,
    and ``slide``, the number of its slide as a stamp; ``late``, there was one from before the
    start; ``overrun``, one in a slide that has no number; ``spacing`` of marks; ``last``, the end
    of a stream; ``passenger``.
    """
    return data.StructLayout(
        {
            "first": times.numbers,
            "slide": times.stamp_bits,
            "spacing": times.spacing_bits,
            "valid": 1,
            "late": 1,
            "overrun": 1,
            "last": 1,
            "passenger": passenger,
        }
    )


class SlideNumbers(wiring.Component):
    """Divides the time since the start by SLIDE, in a pipeline.

    With u = t - start, r = RANGE and s = SLIDE::

        i --> u --> u // s = q, u % s = m --+--> q - r // s + (m >= r % s) = f --> o
        begin of a stream: r --> r // s, r % s, kept for the tuples behind

    The first window that a tuple does not close is f, or 0 where that is negative: u is behind the
    end of window j, j s + r, just when (q - j) s + m >= (r // s) s + r % s, and that is when
    q - j > r // s, or q - j = r // s and m >= r % s. For instance::

        r = 10, s = 4       r // s = 2, r % s = 2
        u = 13: q 3, m 1    f = 3 - 2 + 0 = 1      13 is behind the end of window 0, 10
        u = 14: q 3, m 2    f = 3 - 2 + 1 = 2      14 is behind that of window 1, 14
        u = 5:  q 1, m 1    f = 0                  1 - 2 + 0 is negative

    All is exact for any t and start of their shapes. Order is kept, and so is what goes along.
    Where a stream begins, its lengths are divided before its first tuple, so ``i`` waits for a
    cycle: streams may follow each other without a gap otherwise, with whatever settings.

    Latency ``3 + ceil(n / 2)`` cycles, with the n bits of a start. Initiation interval 1 cycle. A
    stall at ``o`` stalls ``i`` in the same cycle, when there is something at ``o``.

    Parameters
    ----------
    times : KeyTimes
    passenger : ShapeLike
        What travels along.

    Members
    -------
    i : In(stream.Signature(layout))
        ``time``, ``valid`` (there is a tuple), ``last`` (the end of a stream), ``passenger``; and
        ``settings``, those of the stream, none that is refused.
    o : Out(stream.Signature(numbered_layout(times, passenger)))

    Source: DESIGN section 2; the division is ours.
    """

    initiation_interval = 1

    def __init__(self, times, passenger=0):
        self._times = times
        self._item = data.StructLayout(
            {
                "measures": 1,  # no tuple, but the lengths of the stream that begins
                "valid": 1,
                "before": 1,
                "last": 1,
                "passenger": passenger,
            }
        )
        arriving = {"time": times.time, "valid": 1, "last": 1, "passenger": passenger}
        arriving["settings"] = times.settings
        super().__init__(
            {
                "i": In(stream.Signature(data.StructLayout(arriving))),
                "o": Out(stream.Signature(numbered_layout(times, passenger))),
            }
        )

    @staticmethod
    def latency_of(times):
        """Cycles of such a component, without making one."""
        return 3 + -(-times.moment.width // STEP)

    @property
    def latency(self):
        return self.latency_of(self._times)

    def elaborate(self, platform):
        m = Module()
        step = Signal()
        m.d.comb += step.eq(~self.o.valid | self.o.ready)
        dividend, divisor, item = self._intake(m, step)
        width = self._times.moment.width

        def register(value, name):
            out = Signal(len(value), name=name, reset_less=True)
            with m.If(step):
                m.d.sync += out.eq(value)
            return out

        remainder, digits, divisor, carried = quotient_digits(
            m, register, dividend, divisor, Value.cast(item), width=width, step=STEP
        )
        quotient = register(~digits, "quotient")
        rest = register((remainder + Mux(remainder[-1], divisor, 0))[:width], "rest")
        divided = self._item(register(carried, "divided"))
        fewer, part, spacing = self._measure(m, step, divided, quotient, rest)
        self._number(m, step, divided, quotient, rest < part, fewer, spacing)
        self._occupy(m, step)
        return m

    def _intake(self, m, step):
        """Dividend, divisor and item in the first registers."""
        asked, settings = self.i.p, self.i.p.settings
        width = self._times.moment.width
        begins = Signal(init=1)
        since = Signal(width + 1)  # from the start; its highest bit says before
        dividend, divisor = (Signal(width, name=n, reset_less=True) for n in ("time", "by"))
        item = Signal(self._item, reset_less=True)
        m.d.comb += [since.eq(asked.time - settings.start), self.i.ready.eq(step & ~begins)]
        with m.If(step):
            m.d.sync += [
                dividend.eq(Mux(begins, settings.range, since[:width])),
                divisor.eq(settings.slide),
                item.measures.eq(begins),
                item.valid.eq(asked.valid),
                item.before.eq(since[-1]),
                item.last.eq(asked.last),
                Value.cast(item.passenger).eq(Value.cast(asked.passenger)),
            ]
            with m.If(self.i.valid):
                m.d.sync += begins.eq(~begins & asked.last)
        return dividend, divisor, item

    def _measure(self, m, step, divided, quotient, rest):
        """Keeps what the lengths of a stream are: r // s - 1, r % s, and the spacing of marks."""
        times = self._times
        fewer = Signal((times.overlap - 1).bit_length(), reset_less=True)
        part = Signal(len(rest), reset_less=True)
        spacing = Signal(times.spacing_bits, reset_less=True)
        overlaps = quotient[: len(fewer)]
        with m.If(step & divided.measures):
            m.d.sync += [
                fewer.eq(overlaps - 1),
                part.eq(rest),
                spacing.eq((overlaps >> (times.marks.bit_length() - 1)) + 1),
            ]
        return fewer, part, spacing

    def _number(self, m, step, divided, quotient, short, fewer, spacing):
        """The last registers: f = q - fewer - short, q, and whether they count."""
        times, o = self._times, self.o.p
        # The lowest bit takes ``short`` along in one chain.
        first = (Cat(0, quotient, 0) - Cat(short, fewer))[1:]
        beyond = quotient[times.numbers :].any()
        passed = Signal.like(o, name="passed", reset_less=True)
        m.d.comb += o.eq(passed)
        with m.If(step):
            m.d.sync += [
                passed.first.eq(Mux(first[-1], 0, first[: times.numbers])),
                passed.slide.eq(quotient),
                passed.spacing.eq(spacing),
                passed.valid.eq(divided.valid & ~divided.before & ~beyond),
                passed.late.eq(divided.valid & divided.before),
                passed.overrun.eq(divided.valid & ~divided.before & beyond),
                passed.last.eq(divided.last),
                Value.cast(passed.passenger).eq(Value.cast(divided.passenger)),
            ]

    def _occupy(self, m, step):
        """Which of the levels have something: what measures goes no further than its registers."""
        levels = self.latency
        inside = Signal(levels)
        m.d.comb += self.o.valid.eq(inside[-1])
        with m.If(step):
            m.d.sync += inside.eq(Cat(self.i.valid & self.i.ready, inside))
