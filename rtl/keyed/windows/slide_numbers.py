"""Computes the slide of each tuple, and the windows that the tuple closes, by a division."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.division import quotient_digits

#: Bits of a quotient in each register level.
STEP = 2


def numbered_layout(times, passenger):
    """Returns the layout of a tuple with its slide, for the KeyTimes ``times``.

    Members: ``valid``, a tuple is present; ``first``, the first window that the tuple does not
    close; ``slide``, the number of the tuple's slide as a stamp; ``late``, a tuple from before the
    start was dropped; ``overrun``, a tuple was dropped because no number is left for its slide;
    ``spacing``, the difference of numbers from which on a tuple adds a mark
    (:class:`~rtl.keyed.windows.key_times.KeyTimes`); ``last``, the end of a stream; ``passenger``.
    """
    return data.StructLayout(
        {
            "first": times.number_bits,
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
    """Divides each tuple's time since the start by SLIDE, in a pipeline.

    With the time t of a tuple, u = t - start, r = RANGE and s = SLIDE::

        i --> u --> u // s = q, u % s = m --+--> q - r // s + (m >= r % s) = f --> o
        begin of a stream: r --> r // s, r % s, saved for the tuples of the stream

    The first window that a tuple does not close is f, or 0 if f is negative. Proof: u is at or
    after the end of window j, j s + r, if and only if (q - j) s + m >= (r // s) s + r % s, so if
    q - j > r // s, or q - j = r // s and m >= r % s. For instance::

        r = 10, s = 4       r // s = 2, r % s = 2
        u = 13: q 3, m 1    f = 3 - 2 + 0 = 1      13 is after the end of window 0, 10
        u = 14: q 3, m 2    f = 3 - 2 + 1 = 2      14 is at the end of window 1, 14
        u = 5:  q 1, m 1    f = 0                  1 - 2 + 0 is negative

    The results are exact for all values of t and start. Order is kept. At the begin of a stream
    range and slide are divided before the first tuple, so ``i`` stalls for a cycle; otherwise
    streams with any settings may follow each other without a gap.

    Latency ``3 + ceil(n / 2)`` cycles, where n is the width of a start. Initiation interval 1
    cycle. A stall at ``o`` stalls ``i`` in the same cycle if a tuple is at ``o``.

    Parameters
    ----------
    times : KeyTimes
    passenger : ShapeLike
        Data that go along with a tuple.

    Members
    -------
    i : In(stream.Signature(layout))
        ``time``, ``valid`` (there is a tuple), ``last`` (the end of a stream), ``passenger``; and
        ``settings`` of the stream, which must be allowed.
    o : Out(stream.Signature(numbered_layout(times, passenger)))

    Source: docs/query-language.md, Windows; the division is ours.
    """

    initiation_interval = 1

    def __init__(self, times, passenger=0):
        self._times = times
        self._item = data.StructLayout(
            {
                "measures": 1,  # divides RANGE by SLIDE at the begin of a stream; no tuple
                "valid": 1,
                "before": 1,  # the tuple is from before the start
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
        """Returns the latency, in cycles, without building the component."""
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
        # ``digits`` are the inverted bits of the quotient. A negative remainder lacks one divisor.
        quotient = register(~digits, "quotient")
        offset = register((remainder + Mux(remainder[-1], divisor, 0))[:width], "offset")
        divided = self._item(register(carried, "divided"))
        slides_less_1, range_offset, spacing = self._measure(m, step, divided, quotient, offset)
        borrow = offset < range_offset
        self._number(m, step, divided, quotient, borrow, slides_less_1, spacing)
        self._occupy(m, step)
        return m

    def _intake(self, m, step):
        """Returns dividend, divisor and item, which are the first registers."""
        arriving = self.i.p
        settings = self.i.p.settings
        width = self._times.moment.width
        is_first = Signal(init=1)
        since = Signal(width + 1)  # time since the start; the highest bit is the sign
        dividend = Signal(width, reset_less=True)
        divisor = Signal(width, reset_less=True)
        item = Signal(self._item, reset_less=True)
        m.d.comb += [since.eq(arriving.time - settings.start), self.i.ready.eq(step & ~is_first)]
        with m.If(step):
            m.d.sync += [
                dividend.eq(Mux(is_first, settings.range, since[:width])),
                divisor.eq(settings.slide),
                item.measures.eq(is_first),
                item.valid.eq(arriving.valid),
                item.before.eq(since[-1]),
                item.last.eq(arriving.last),
                Value.cast(item.passenger).eq(Value.cast(arriving.passenger)),
            ]
            with m.If(self.i.valid):
                m.d.sync += is_first.eq(~is_first & arriving.last)
        return dividend, divisor, item

    def _measure(self, m, step, divided, quotient, offset):
        """Saves r // s - 1, r % s and the spacing of marks at the begin of a stream.

        r // s is at least 1, because settings with RANGE below SLIDE are refused.
        """
        times = self._times
        slides_less_1 = Signal((times.overlap - 1).bit_length(), reset_less=True)
        range_offset = Signal(len(offset), reset_less=True)
        spacing = Signal(times.spacing_bits, reset_less=True)
        range_slides = quotient[: len(slides_less_1)]
        with m.If(step & divided.measures):
            m.d.sync += [
                slides_less_1.eq(range_slides - 1),
                range_offset.eq(offset),
                spacing.eq((range_slides >> (times.marks.bit_length() - 1)) + 1),
            ]
        return slides_less_1, range_offset, spacing

    def _number(self, m, step, divided, quotient, borrow, slides_less_1, spacing):
        """Computes the last registers: the slide q, f = q - (r // s - 1) - ``borrow``, and flags.

        ``borrow`` is 1 if m < r % s, so f = q - r // s + (m >= r % s).
        """
        times = self._times
        o = self.o.p
        # The lowest bit subtracts ``borrow`` in the same carry chain.
        first = (Cat(0, quotient, 0) - Cat(borrow, slides_less_1))[1:]
        beyond = quotient[times.number_bits :].any()
        passed = Signal.like(o, name="passed", reset_less=True)
        m.d.comb += o.eq(passed)
        with m.If(step):
            m.d.sync += [
                passed.first.eq(Mux(first[-1], 0, first[: times.number_bits])),
                passed.slide.eq(quotient),
                passed.spacing.eq(spacing),
                passed.valid.eq(divided.valid & ~divided.before & ~beyond),
                passed.late.eq(divided.valid & divided.before),
                passed.overrun.eq(divided.valid & ~divided.before & beyond),
                passed.last.eq(divided.last),
                Value.cast(passed.passenger).eq(Value.cast(divided.passenger)),
            ]

    def _occupy(self, m, step):
        """Tracks the occupied levels. The division of RANGE by SLIDE is not sent to the output."""
        levels = self.latency
        stage_valid = Signal(levels)
        m.d.comb += self.o.valid.eq(stage_valid[-1])
        with m.If(step):
            m.d.sync += stage_valid.eq(Cat(self.i.valid & self.i.ready, stage_valid))
