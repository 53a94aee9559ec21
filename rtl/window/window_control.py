"""What the ring of windows is told to do: which window to close, which tuple to add."""

from amaranth.hdl import Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Tuple
from rtl.stream.beat import wire
from rtl.window.punctuation import timed
from rtl.window.turn import RingTurn


def order(state, width):
    """Layout of what the ring is told: to close its oldest window, then to add a tuple.

    Members: ``close``, the oldest window gives way to one that begins at ``begin``; ``row``, its
    state is given as a row, with ``end``, in the time of the tuples; ``last``, the stream ends with
    that row, or without; ``add``, a tuple of ``state`` goes to all windows that cover it: those
    that begin at or before ``time``, and after ``floor`` unless ``low`` is set.
    """
    return data.StructLayout(
        {
            "close": 1,
            "row": 1,
            "last": 1,
            "begin": width + 1,
            "end": signed(width + 2),
            "add": 1,
            "time": width,
            "floor": width,
            "low": 1,
            "state": state,
        }
    )


class WindowControl(wiring.Component):
    """Orders for a ring of ``modules`` windows, of which the oldest is closed and made anew.

    ::

        i --> punctuation >= end, end + slide ?     close; more than one     --> o
              time >= begin, begin + slide ?        overrun
              |  ^ end, begin and their next are registers, which step by slide
              +--> RingTurn: the ring is made anew for each stream

    Window j covers j * slide <= u < j * slide + range. The ring holds windows b to b + modules - 1;
    ``end`` is the end of window b and ``begin`` the begin of window b + modules.

    An item first closes the windows that end at or before its punctuation, one in each cycle; its
    tuple is added together with the last of them. So to close one window does not hold ``i``, each
    further one holds it a cycle. A tuple at or after ``begin`` belongs to a window that is not yet
    in the ring, and is an overrun: it is dropped whole, for else that window would lack it.

    The end of a stream closes all windows that its punctuation says. Its last ``modules`` rows may
    come while the ring turns round once, which makes its windows those of the next stream
    (:class:`~rtl.window.turn.RingTurn`). So it takes ``modules + 1`` cycles, or more if there are
    more rows. ``last`` goes with the last row, or without one if the end closes no window.

    The first item of a stream with other settings waits ``modules + 2`` cycles, while the ring is
    set up by such a turn. If the settings do not fit the ring the stream is swallowed whole, at
    full rate, and gives nothing, not even ``last``.

    With range 8, slide 4 and 2 modules the ring holds [0, 8) and [4, 12): ``end`` is 8, ``begin``
    8. A tuple at 7 goes to both; one at 8 is an overrun, unless p is at least 8: then [0, 8) gives
    its row and becomes [8, 16), and the tuple goes to [4, 12) and [8, 16), all in one cycle.

    A begin of ``2**width`` or an end of ``2**(width + 1)`` lies beyond all times and punctuations.
    A bound that has got there keeps its top bit, and only the bits below go round: so it lies
    beyond them for good, however often it steps.

    Nothing moves in a cycle without an item, so whoever cannot take an order takes ``i.valid``
    away; ``o`` never stalls.

    Latency 1 cycle, initiation interval 1 cycle.

    Parameters
    ----------
    operator : Operator
        Lifts the rows.
    tuples : int
        Most tuples of a window.
    modules : int
        Windows in the ring.
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.

    Members
    -------
    i : In(stream.Signature(timed(row, width)))
    o : Out(stream.Signature(order(operator.state(tuples), width), always_ready=True))
    overrun : Out(1)
        High for a cycle for each tuple that is dropped.
    bad_setting : Out(1)
        High for a cycle when a stream begins that is to be swallowed.
    swallows : Out(1)
        The item at ``i`` is of such a stream, and not its last.
    ended : Out(1)
        Such a stream comes to its end in this cycle.

    Source: seed 002, section V, Algorithms 1 and 2; shared bounds and the turn are ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, *, operator, tuples, modules, row, width):
        self._operator, self._modules, self._width = operator, modules, width
        told = order(operator.state(tuples), width)
        super().__init__(
            {
                "i": In(stream.Signature(timed(row, width))),
                "o": Out(stream.Signature(told, always_ready=True)),
                "overrun": Out(1),
                "bad_setting": Out(1),
                "swallows": Out(1),
                "ended": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.turn = turn = RingTurn(self._modules, self._width)
        item = self.i.p
        # The phases are RingTurn's; these are what the item asks of the ring in this cycle.
        served = Signal()  # its stream is answered, and the ring is ready for it
        closes = Signal()  # its punctuation closes the oldest window,
        more = Signal()  # and the next one, too
        begun = Signal()  # the first window that the ring lacks has begun at its time,
        beyond = Signal()  # and is lacking still when the oldest has been closed
        close = Signal()  # the oldest window gives way, for the item or for the turn
        adds = Signal()  # its tuple goes to the windows
        last = Signal()  # its stream ends with this order
        end, end_after, begin, begin_after = self._bounds(m, turn, self.i.valid & close)
        m.d.comb += [
            served.eq(self.i.valid & turn.ready & turn.fits),
            self.swallows.eq(self.i.valid & turn.ready & ~turn.fits & ~item.last),
            self.ended.eq(turn.leaves & ~turn.fits),
            closes.eq(item.punctuation >= end),
            more.eq(item.punctuation >= end_after),
            begun.eq(item.time >= begin),
            beyond.eq(Mux(closes, item.time >= begin_after, begun)),
            close.eq((served & closes) | turn.load),
            adds.eq(served & item.valid & ~more & ~beyond),
            last.eq(served & item.last & ~more & (turn.rewind | (turn.load & closes))),
            self.i.ready.eq(turn.ready & (~turn.fits | Mux(item.last, turn.final, ~more))),
            turn.valid.eq(self.i.valid),
            turn.changed.eq(item.changed),
            turn.ends.eq(served & item.last & ~begun),
            turn.leaves.eq(self.i.valid & self.i.ready & item.last),
            turn.begin.eq(begin),
            *(getattr(turn, name).eq(item.context[name]) for name in ("range", "slide", "slack")),
        ]
        since = item.time - item.context.range
        told = {
            "close": close,
            "row": served & closes,
            "last": last,
            "begin": begin,
            "end": end + item.context.start,
            "add": adds,
            "time": item.time,
            "floor": since,
            "low": since[-1],
            "state": self._operator.lift(Tuple(row=item.row), 0),
        }
        gives = self.i.valid & (close | adds | last)
        m.d.sync += [self.o.valid.eq(gives), *wire(self.o.p, told)]
        self._count(m, turn, beyond)
        return m

    def _bounds(self, m, turn, close):
        """Ends of the two oldest windows, begins of the first two that the ring lacks."""
        context = self.i.p.context
        end, end_after = (Signal(self._width + 2, name=n) for n in ("end", "end_after"))
        begin, begin_after = (Signal(self._width + 1, name=n) for n in ("begin", "begin_after"))
        next_end = Mux(turn.final, context.range, end_after)
        next_begin = Mux(turn.rewind, 0, begin_after)
        with m.If(close):
            m.d.sync += [end.eq(next_end), end_after.eq(_onward(next_end, context.slide))]
        with m.If(close | turn.rewind):
            m.d.sync += [begin.eq(next_begin), begin_after.eq(_onward(next_begin, context.slide))]
        return end, end_after, begin, begin_after

    def _count(self, m, turn, beyond):
        """Notes of what is dropped, a cycle later."""
        begins = Signal(init=1)
        item = self.i.p
        taken = self.i.valid & self.i.ready
        with m.If(taken):
            m.d.sync += begins.eq(item.last)
        m.d.sync += [
            self.overrun.eq(taken & item.valid & (beyond | ~turn.fits)),
            self.bad_setting.eq(taken & begins & ~turn.fits),
        ]


def _onward(bound, slide):
    """The bound a slide further on; the top bit, once set, stays so."""
    low = slide + bound[:-1]
    return Cat(low[: len(bound) - 1], low[len(bound) - 1] | bound[-1])
