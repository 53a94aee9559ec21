"""Punctuations: how far the time of a stream has advanced, and which of its tuples are late."""

from amaranth.hdl import Module, Mux, Shape, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.register import StreamRegister

_LENGTHS = ("range", "slide", "slack")


def arrival(row, time):
    """Returns the layout of an arrival: a tuple, a punctuation, the end of a stream, or a gap.

    Members: ``row``; ``time``, of the tuple or of the punctuation, of shape ``time``; ``valid``,
    the arrival is a tuple; ``punctuation``, the arrival is a punctuation without a tuple; ``last``,
    the arrival ends the stream; ``context``, the settings, equal in all arrivals of a stream:
    ``range``, ``slide`` and ``slack`` (unsigned, as wide as the time) and ``start`` (of the shape
    of the time).
    """
    time = Shape.cast(time)
    context = dict.fromkeys(_LENGTHS, time.width) | {"start": time}
    return data.StructLayout(
        {
            "row": row,
            "time": time,
            "valid": 1,
            "punctuation": 1,
            "last": 1,
            "context": data.StructLayout(context),
        }
    )


def timed_item(row, width):
    """Returns the layout of an item with its punctuation, both counted from the stream's start.

    Members: ``row``; ``time`` (``width`` bits); ``punctuation``, in force before the tuple (one bit
    wider); ``valid``, the item has a timely tuple; ``last``, the item ends the stream and has no
    tuple; ``context``, the settings ``range``, ``slide``, ``slack`` and ``start``; ``changed``, one
    of the three lengths differs from the previous stream (for the first stream: is not 0).
    """
    return data.StructLayout(
        {
            "row": row,
            "time": width,
            "punctuation": width + 1,
            "valid": 1,
            "last": 1,
            "changed": 1,
            "context": _settings(width),
        }
    )


def _settings(width):
    return data.StructLayout(dict.fromkeys(_LENGTHS, width) | {"start": signed(width + 1)})


class Punctuator(wiring.Component):
    """Adds to each tuple the punctuation in force before the tuple, and drops late tuples.

    ::

        i --> u = t - start --> u against p, p + slide + slack, p + 2 slide + slack --> o
              t < start?        greatest u                        late? next p? hold?

    Time is counted from the start of the stream: u = t - start is exact, and has as many bits as t
    for all signs of t and start. The punctuation p of an item at ``o`` is in force *before* its
    tuple: a tuple with u < p, or from before the start, is late and loses its valid bit. In a
    stream, p starts at 0 and never falls, except at the end of the stream (below).

    With ``generate`` the component makes the punctuations, and ignores punctuations in the stream.
    After each item, p is the greatest multiple of ``slide`` that is at most the greatest u so far
    minus ``slack``. With slide 4, slack 3, range 10, p is 4 from u = 7 on, and 8 from u = 11 on::

        u of a tuple    0    6    7    3     4               19   11     end
        p at o          0    0    4    4     4    8    12    16   16     29
                                       late      (no tuple)       late   19 + 10

    - The tuple that moves p already carries the new p. This tuple is never late (19 >= 16), and is
      in no window that p closes, so the rows are the same as if p moved after the tuple. The window
      modules close these windows first, so they have a free module for a tuple that jumps ahead.
    - p moves by one slide at a time, without a division, and each step is an item at ``o``; the
      last step is in the item of the tuple. So a tuple that moves p by n slides stalls ``i`` for
      n - 1 cycles. The stall costs no throughput: each step may close a window, and the window
      modules need a cycle for each row in any case. The steps stop when ``swallowed`` reports that
      the next component swallows the stream.
    - With ``slide`` 0, which the next components refuse, p stays at 0.

    Without ``generate`` the stream contains the punctuations: p is the greatest punctuation so far.
    Repeated and decreasing punctuations, and punctuations before the start, have no effect.

    The end of the stream is an item with ``last`` and without a tuple; if the last arrival has a
    tuple or a punctuation, the end follows as an additional item. Its ``time`` is the greatest u of
    a timely tuple, and its punctuation is this time plus ``range``, so that every window that has
    begun is closed; in a stream without a timely tuple the time is 0, and the punctuation stays p.
    If a punctuation in the stream was greater than this time plus ``range``, p falls at the end,
    and the end closes no further window. A stall at ``o`` stalls ``i``.

    Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    row : ShapeLike
        Data that a tuple carries.
    time : ShapeLike
        Shape of t, signed or not.
    generate : bool
        True if this component makes the punctuations.

    Members
    -------
    i : In(stream.Signature(arrival(row, time)))
    o : Out(stream.Signature(timed_item(row, width of time)))
    swallowed : In(1)
        The next component swallows the stream of the item at ``o``. The signal has no effect when
        the last item of the stream is accepted.
    late : Out(1)
        High for one cycle for each late tuple.

    Source: docs/query-language.md, Windows; seed 002, section V, leaves the punctuations to its
    data source.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, row, time, *, generate):
        self._row = row
        self._time = Shape.cast(time)
        self._generate = generate
        super().__init__(
            {
                "i": In(stream.Signature(arrival(row, time))),
                "o": Out(stream.Signature(timed_item(row, self._time.width))),
                "swallowed": In(1),
                "late": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        prepared, stream_start, context, changed = self._prepare(m)
        item = prepared.p
        punctuation = Signal(self._time.width)
        # ``end_pending`` is a register; the other signals describe the prepared item.
        has_room = Signal()  # the output register can accept an item
        transfer = Signal()  # the item, or a punctuation step before the item, enters that register
        more_steps = Signal()  # the punctuation steps at least once more before the item
        is_late = Signal()  # the time of the item is before the punctuation
        timely = Signal()  # the item has a tuple that is not late
        end_pending = Signal()  # the tuple of the last arrival has left; the end follows
        is_end = Signal()  # the item is the end of the stream
        greatest, has_greatest = self._greatest(m, stream_start, prepared.valid & timely, item.time)
        if self._generate:
            step = self._step_punctuation(
                m, stream_start, has_room, prepared, context.slide, more_steps
            )
            current = punctuation
        else:
            current = Mux(item.punctuation & ~is_late, item.time, punctuation)
            step = 0
        closing = is_end & has_greatest
        new_punctuation = Signal(self._time.width + 1)
        m.d.comb += [
            has_room.eq(~self.o.valid | self.o.ready),
            transfer.eq(prepared.valid & has_room),
            is_late.eq(item.before_start | (item.time < punctuation)),
            is_end.eq(item.last & (end_pending | ~(item.valid | item.punctuation))),
            timely.eq(item.valid & ~is_late & ~more_steps & ~is_end),
            prepared.ready.eq(has_room & ~more_steps & (~item.last | is_end)),
            # One adder serves steps and the end, which never coincide.
            new_punctuation.eq(Mux(closing, greatest, current) + Mux(closing, context.range, step)),
        ]
        m.d.sync += self.late.eq(transfer & item.valid & is_late & ~is_end)
        with m.If(has_room):
            m.d.sync += [
                self.o.valid.eq(prepared.valid),
                self.o.p.row.eq(item.row),
                self.o.p.time.eq(Mux(is_end, greatest, item.time)),
                self.o.p.punctuation.eq(new_punctuation),
                self.o.p.valid.eq(timely),
                self.o.p.last.eq(is_end),
                self.o.p.changed.eq(changed.any()),
                self.o.p.context.eq(context),
            ]
        with m.If(stream_start):  # the last item of the previous stream leaves in the same cycle
            m.d.sync += [punctuation.eq(0), end_pending.eq(0)]
        with m.Elif(transfer):
            m.d.sync += [punctuation.eq(new_punctuation), end_pending.eq(item.last & ~more_steps)]
        return m

    def _prepare(self, m):
        """Builds the first stage, which counts the time from the start of the stream.

        Returns the prepared item, and signals that hold for a stream: its first item may enter, its
        settings, and one flag for each length that differs from the previous stream.
        """
        arriving = self.i.p
        layout = {"row": self._row, "time": self._time.width, "before_start": 1, "can_step": 1}
        layout |= dict.fromkeys(("valid", "punctuation", "last"), 1)
        m.submodules.register = register = StreamRegister(data.StructLayout(layout))
        context = Signal(_settings(self._time.width))
        between_streams = Signal(init=1)
        stream_start = Signal()  # the previous stream has left this stage; a first item may enter
        changed = Signal(len(_LENGTHS))  # a flag for each length; the next stage joins them
        time_since_start = arriving.time - arriving.context.start
        before_start = time_since_start[-1]
        item = register.i.p
        m.d.comb += [
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            stream_start.eq(between_streams & self.i.ready),
            item.row.eq(arriving.row),
            item.time.eq(time_since_start),
            item.before_start.eq(before_start),
            item.can_step.eq(arriving.valid & ~before_start & arriving.context.slide.any()),
            item.valid.eq(arriving.valid),
            item.punctuation.eq(0 if self._generate else arriving.punctuation),
            item.last.eq(arriving.last),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += between_streams.eq(arriving.last)
        with m.If(stream_start & self.i.valid):
            m.d.sync += context.start.eq(arriving.context.start)
            for k, name in enumerate(_LENGTHS):
                m.d.sync += [
                    context[name].eq(arriving.context[name]),
                    changed[k].eq(arriving.context[name] != context[name]),
                ]
        return register.o, stream_start, context, changed

    def _step_punctuation(self, m, stream_start, has_room, prepared, slide, more_steps):
        """Computes the times of the next two punctuation steps; returns the length of a due step.

        The punctuation moves by one slide when u reaches ``step_time``. ``more_steps`` is high if u
        also reaches the step time after it.
        """
        arriving = self.i.p.context
        item = prepared.p
        step_time = Signal(self._time.width + 2)
        second_step_time = Signal(self._time.width + 2)
        next_step_time = Signal(self._time.width + 2)
        can_step = Signal()
        step_due = Signal()
        swallowing = Signal()  # the stream is swallowed, up to its last item
        item_swallowed = Signal()  # the prepared item is of that stream: its end is not at o yet
        with m.If(self.o.valid & self.o.ready & self.o.p.last):
            m.d.sync += swallowing.eq(0)
        with m.Elif(self.swallowed):
            m.d.sync += swallowing.eq(1)
        m.d.comb += [
            item_swallowed.eq(swallowing & ~(self.o.valid & self.o.p.last)),
            can_step.eq(prepared.valid & item.can_step & ~item_swallowed),
            step_due.eq(can_step & (item.time >= step_time)),
            more_steps.eq(can_step & (item.time >= second_step_time)),
            # The item that leaves as the next stream enters makes no step: all steps up to its
            # time have been made, or its stream is swallowed.
            next_step_time.eq(Mux(step_due, second_step_time, arriving.slide + arriving.slack)),
        ]
        with m.If(stream_start | (has_room & step_due)):
            m.d.sync += [
                step_time.eq(next_step_time),
                second_step_time.eq(next_step_time + Mux(step_due, slide, arriving.slide)),
            ]
        return Mux(step_due, slide, 0)

    def _greatest(self, m, stream_start, timely, time):
        """Returns the greatest u of a timely tuple so far, and a flag: the stream has one."""
        greatest = Signal(self._time.width)
        has_greatest = Signal()
        with m.If(stream_start):
            m.d.sync += [greatest.eq(0), has_greatest.eq(0)]
        with m.Elif(timely):
            m.d.sync += has_greatest.eq(1)
            with m.If(time > greatest):
                m.d.sync += greatest.eq(time)
        return greatest, has_greatest
