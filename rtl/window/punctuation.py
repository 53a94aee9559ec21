"""Punctuations: how far a stream over time has come, and which of its tuples are too late."""

from amaranth.hdl import Module, Mux, Shape, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.register import StreamRegister

_LENGTHS = ("range", "slide", "slack")


def arrival(row, time):
    """Layout of what arrives: a tuple, a punctuation, the end of the stream, or nothing.

    Members: ``row``; ``time``, of the tuple or of the punctuation, of shape ``time``; ``valid``,
    it is a tuple; ``punctuation``, it is one, and no tuple; ``last``, it ends the stream; and
    ``context``, the settings, the same in all items of a stream: ``range``, ``slide`` and ``slack``
    (unsigned, as wide as the time) and ``start`` (of the time's shape).
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


def timed(row, width):
    """Layout of an item with its punctuation, both counted from the stream's start.

    Members: ``row``; ``time`` (``width`` bits); ``punctuation``, in force before the tuple
    (a bit more); ``valid``, there is a tuple, and it is timely; ``last``, it ends the stream, and
    is no tuple; the settings ``range``, ``slide``, ``slack`` and ``start`` as ``context``; and
    ``changed``, those that are lengths are not the same as in the stream before (of the first
    stream: they are not all 0).
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
    """Gives each tuple the punctuation that is in force before it, and drops the late ones.

    ::

        i --> u = t - start --> u against p, p + slide + slack, p + 2 slide + slack --> o
              t < start?        greatest u                        late? next p? hold?

    Time is counted from the stream's start: u = t - start, exact, so u has the bits of t, whatever
    the signs of t and start. The punctuation p of an item at ``o`` is in force *before* its tuple:
    a tuple with u < p, or from before the start, is late, and loses its valid bit. In a stream p
    begins at 0 and never falls, but for its end, below.

    With ``made`` the punctuations are made here, and any in the stream are passed over. After each
    item p is the greatest multiple of ``slide`` that is at least ``slack`` behind the greatest u so
    far. With slide 4 and slack 3 p is 4 from u = 7 on, and 8 from 11 on; range 10::

        u of a tuple    0    6    7    3     4               19   11     end
        p at o          0    0    4    4     4    8    12    16   16     29
                                       late      (no tuple)       late   19 + 10

    - The tuple that moves p has the new p already. It is never late (19 >= 16), nor in a window
      that p closes, so the rows are the same as if p came behind it; but the windows behind are
      closed first, so that a tuple that jumps ahead finds one open for it.
    - p moves by one slide at a time, without a division, and each such step is an item at ``o``;
      the last of them goes with the tuple. So a tuple that moves p by n slides holds ``i`` for
      n - 1 cycles. That loses nothing: each step may close a window, which takes the modules behind
      a cycle for its row anyway. Where it is known that the stream is swallowed behind no more
      steps are made.
    - With ``slide`` 0, which those behind refuse, p stays where it is: it could never get on.

    Else the punctuations come in the stream: p is the greatest one so far. Repeated and decreasing
    ones, and those before the start, change nothing.

    The end of the stream is an item with ``last`` and without a tuple; if it comes in one with a
    tuple or a punctuation it follows as one item more. Its ``time`` is the greatest u of a timely
    tuple, and its punctuation ``range`` after that, so that every window which has begun is closed;
    in a stream without a timely tuple they are 0 and p. Only after a punctuation in the stream that
    is further ahead than that does p fall, and then the end closes nothing more. Nothing is lost on
    stalls at ``o``.

    Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    row : ShapeLike
        What goes along with a tuple.
    time : ShapeLike
        Shape of t, signed or not.
    made : bool
        Make the punctuations here.

    Members
    -------
    i : In(stream.Signature(arrival(row, time)))
    o : Out(stream.Signature(timed(row, width of time)))
    swallowed : In(1)
        The stream of the item at ``o``, which is not its last, is swallowed.
    late : Out(1)
        High for a cycle for each late tuple.

    Source: DESIGN section 2; seed 002, section V, leaves the punctuations to its data source.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, row, time, *, made):
        self._row, self._time, self._made = row, Shape.cast(time), made
        super().__init__(
            {
                "i": In(stream.Signature(arrival(row, time))),
                "o": Out(stream.Signature(timed(row, self._time.width))),
                "swallowed": In(1),
                "late": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        prepared, begins, context, changed = self._prepare(m)
        item = prepared.p
        punctuation = Signal(self._time.width)
        # One phase that lasts is among these, ``told``; the others are what the item is.
        free = Signal()  # there is room at o
        goes = Signal()  # the item, or a step before it, goes there
        holds = Signal()  # more steps are to be made first
        behind = Signal()  # the item is before the punctuation
        timely = Signal()  # it is a tuple that counts
        told = Signal()  # what came with the end of the stream has gone, and the end itself is left
        ends = Signal()  # it is the end
        greatest, some = self._greatest(m, begins, prepared.valid & timely, item.time)
        if self._made:
            step = self._make(m, begins, free, prepared, context.slide, holds)
            now = punctuation
        else:
            now, step = Mux(item.punctuation & ~behind, item.time, punctuation), 0
        closing = ends & some
        after = Signal(self._time.width + 1)
        m.d.comb += [
            free.eq(~self.o.valid | self.o.ready),
            goes.eq(prepared.valid & free),
            behind.eq(item.before | (item.time < punctuation)),
            ends.eq(item.last & (told | ~(item.valid | item.punctuation))),
            timely.eq(item.valid & ~behind & ~holds & ~ends),
            prepared.ready.eq(free & ~holds & (~item.last | ends)),
            # One adder for a step and for the end: there is never both.
            after.eq(Mux(closing, greatest, now) + Mux(closing, context.range, step)),
        ]
        m.d.sync += self.late.eq(goes & item.valid & behind & ~ends)
        with m.If(free):
            m.d.sync += [
                self.o.valid.eq(prepared.valid),
                self.o.p.row.eq(item.row),
                self.o.p.time.eq(Mux(ends, greatest, item.time)),
                self.o.p.punctuation.eq(after),
                self.o.p.valid.eq(timely),
                self.o.p.last.eq(ends),
                self.o.p.changed.eq(changed.any()),
                self.o.p.context.eq(context),
            ]
        with m.If(begins):  # what is left of the stream before leaves in the same cycle
            m.d.sync += [punctuation.eq(0), told.eq(0)]
        with m.Elif(goes):
            m.d.sync += [punctuation.eq(after), told.eq(item.last & ~holds)]
        return m

    def _prepare(self, m):
        """First stage: time since the start; what is the same for a stream is kept beside it."""
        arriving = self.i.p
        layout = {"row": self._row, "time": self._time.width, "before": 1, "forward": 1}
        layout |= dict.fromkeys(("valid", "punctuation", "last"), 1)
        m.submodules.register = register = StreamRegister(data.StructLayout(layout))
        context = Signal(_settings(self._time.width))
        between = Signal(init=1)
        begins = Signal()  # of the stream before nothing is left; the first item may come
        changed = Signal(len(_LENGTHS))  # setting by setting: joined a stage later
        since = arriving.time - arriving.context.start
        before = since[-1]
        item = register.i.p
        m.d.comb += [
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            begins.eq(between & self.i.ready),
            item.row.eq(arriving.row),
            item.time.eq(since),
            item.before.eq(before),
            item.forward.eq(arriving.valid & ~before & arriving.context.slide.any()),
            item.valid.eq(arriving.valid),
            item.punctuation.eq(0 if self._made else arriving.punctuation),
            item.last.eq(arriving.last),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += between.eq(arriving.last)
        with m.If(begins & self.i.valid):
            m.d.sync += context.start.eq(arriving.context.start)
            for k, name in enumerate(_LENGTHS):
                m.d.sync += [
                    context[name].eq(arriving.context[name]),
                    changed[k].eq(arriving.context[name] != context[name]),
                ]
        return register.o, begins, context, changed

    def _make(self, m, begins, free, prepared, slide, holds):
        """The next two steps of the punctuation, by the u that makes each; gives what to add."""
        arriving, item = self.i.p.context, prepared.p
        step, after, following = (
            Signal(self._time.width + 2, name=n) for n in ("step", "step_after", "following")
        )
        forward = Signal()
        steps = Signal()
        skips = Signal()  # the stream is swallowed, up to its last item,
        skipping = Signal()  # and so is what is prepared: that last item is not at o yet
        with m.If(self.o.valid & self.o.ready & self.o.p.last):
            m.d.sync += skips.eq(0)
        with m.Elif(self.swallowed):
            m.d.sync += skips.eq(1)
        m.d.comb += [
            skipping.eq(skips & ~(self.o.valid & self.o.p.last)),
            forward.eq(prepared.valid & item.forward & ~skipping),
            steps.eq(forward & (item.time >= step)),
            holds.eq(forward & (item.time >= after)),
            # What makes way for the next stream in the same cycle does not step: all steps up to
            # its time have been made, or none is made any more.
            following.eq(Mux(steps, after, arriving.slide + arriving.slack)),
        ]
        with m.If(begins | (free & steps)):
            m.d.sync += [
                step.eq(following),
                after.eq(following + Mux(steps, slide, arriving.slide)),
            ]
        return Mux(steps, slide, 0)

    def _greatest(self, m, begins, timely, time):
        """The greatest u of a timely tuple, and whether there is any."""
        greatest = Signal(self._time.width)
        some = Signal()
        with m.If(begins):
            m.d.sync += [greatest.eq(0), some.eq(0)]
        with m.Elif(timely):
            m.d.sync += some.eq(1)
            with m.If(time > greatest):
                m.d.sync += greatest.eq(time)
        return greatest, some
