"""The control of the ring of windows: closes windows, and adds tuples to the open windows."""

from amaranth.hdl import Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Tuple
from rtl.stream.beat import wire
from rtl.window.punctuation import timed_item
from rtl.window.turn import RingTurn


def ring_command(state, width):
    """Returns the layout of a command to the ring: close the oldest window, then add a tuple.

    Members: ``close``, a window that begins at ``begin`` replaces the oldest window; ``row``, the
    state of the oldest window leaves as a row, with ``end``, in the time of the tuples; ``last``,
    the stream ends with this command, with or without a row; ``add``, a tuple with ``state`` goes
    to all windows that cover it, which begin at or before ``time`` and after ``floor``. If ``low``
    is set, ``floor`` is negative and does not apply.
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
    """Sends commands to a ring of ``modules`` windows, whose oldest window is closed and replaced.

    ::

        i --> punctuation >= end, end + slide ?     close; more than one     --> o
              time >= begin, begin + slide ?        overrun
              |  ^ end, begin and their next are registers, which step by slide
              +--> RingTurn: the ring is made anew for each stream

    Window j covers j * slide <= u < j * slide + range. The ring holds windows b to b + modules - 1;
    ``end`` is the end of window b and ``begin`` the begin of window b + modules.

    An item first closes the windows that end at or before its punctuation, one window per cycle;
    its tuple is added in the cycle of the last closed window. So an item that closes one window
    does not stall ``i``, and each further window stalls ``i`` for a cycle. A tuple at or after
    ``begin`` belongs to a window that is not in the ring yet, and is an overrun: no window gets the
    tuple, because otherwise windows in the ring would count a tuple that the later window lacks.

    The end of a stream closes all windows that end at or before its punctuation. The last
    ``modules`` rows of a stream may leave during the turn of the ring, which replaces all windows
    by the first windows of the next stream (:class:`~rtl.window.turn.RingTurn`). So the end takes
    ``modules + 1`` cycles, or more if the end closes more windows. ``last`` is in the last row, or
    in a command without a row if the end closes no window.

    The first item of a stream with other settings waits ``modules + 2`` cycles for a turn of the
    ring. If the settings do not fit the ring, the stream is swallowed: all of its items are
    accepted, at full rate, and cause no command, not even ``last``.

    With range 8, slide 4 and 2 modules the ring holds [0, 8) and [4, 12): ``end`` is 8, ``begin``
    8. A tuple at 7 goes to both windows. A tuple at 8 is an overrun, unless p is at least 8: then
    [0, 8) sends its row, [8, 16) replaces [0, 8), and the tuple goes to [4, 12) and [8, 16), all in
    one cycle.

    A begin of ``2**width`` or an end of ``2**(width + 1)`` lies beyond all times and punctuations.
    Such a bound keeps its top bit, and only the lower bits wrap around: so the bound stays beyond
    all times, however often it steps.

    In a cycle without an item no bound and no phase changes, and there is no command. ``o`` has no
    ``ready``, so a receiver that cannot accept a command lowers ``i.valid``.

    Latency 1 cycle, initiation interval 1 cycle.

    Parameters
    ----------
    operator : Operator
        The operator that lifts tuples.
    tuples : int
        Largest number of tuples in a window.
    modules : int
        Number of windows in the ring.
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.

    Members
    -------
    i : In(stream.Signature(timed_item(row, width)))
    o : Out(stream.Signature(ring_command(operator.state(tuples), width), always_ready=True))
    overrun : Out(1)
        High for one cycle for each dropped tuple, tuples of swallowed streams included.
    bad_setting : Out(1)
        High for one cycle at the start of a swallowed stream.
    swallows : Out(1)
        The item at ``i`` is of a swallowed stream, and not the last item.
    swallowed_end : Out(1)
        The last item of a swallowed stream transfers in this cycle.

    Source: seed 002, section V, Algorithms 1 and 2; shared bounds and the turn are ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, *, operator, tuples, modules, row, width):
        self._operator = operator
        self._modules = modules
        self._width = width
        command = ring_command(operator.state(tuples), width)
        super().__init__(
            {
                "i": In(stream.Signature(timed_item(row, width))),
                "o": Out(stream.Signature(command, always_ready=True)),
                "overrun": Out(1),
                "bad_setting": Out(1),
                "swallows": Out(1),
                "swallowed_end": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.turn = turn = RingTurn(self._modules, self._width)
        item = self.i.p
        # RingTurn has the phases; these signals say what the item requests from the ring.
        is_served = Signal()  # the settings of the stream fit, and the ring is ready for the stream
        closes_oldest = Signal()  # the punctuation closes the oldest window
        closes_second = Signal()  # the punctuation also closes the second oldest window
        after_ring = Signal()  # the first window after the ring has begun at the time of the item
        is_overrun = Signal()  # the tuple is in a window after the ring, also after the close
        close = Signal()  # the oldest window is replaced, for the item or for the turn
        adds_tuple = Signal()  # the tuple of the item is added
        last = Signal()  # the stream ends with this command
        end, second_end, begin, second_begin = self._bounds(m, turn, self.i.valid & close)
        m.d.comb += [
            is_served.eq(self.i.valid & turn.ready & turn.fits),
            self.swallows.eq(self.i.valid & turn.ready & ~turn.fits & ~item.last),
            self.swallowed_end.eq(turn.end_transfers & ~turn.fits),
            closes_oldest.eq(item.punctuation >= end),
            # The sign of a difference, at the end of one carry chain: `i.ready` follows from it.
            closes_second.eq(~(item.punctuation - second_end)[-1]),
            after_ring.eq(item.time >= begin),
            is_overrun.eq(Mux(closes_oldest, item.time >= second_begin, after_ring)),
            close.eq((is_served & closes_oldest) | turn.load),
            adds_tuple.eq(is_served & item.valid & ~closes_second & ~is_overrun),
            last.eq(
                is_served & item.last & ~closes_second & (turn.rewind | (turn.load & closes_oldest))
            ),
            self.i.ready.eq(turn.ready & (~turn.fits | Mux(item.last, turn.final, ~closes_second))),
            turn.valid.eq(self.i.valid),
            turn.changed.eq(item.changed),
            turn.turn_due.eq(is_served & item.last & ~after_ring),
            turn.end_transfers.eq(self.i.valid & self.i.ready & item.last),
            turn.begin.eq(begin),
            *(getattr(turn, name).eq(item.context[name]) for name in ("range", "slide", "slack")),
        ]
        since = item.time - item.context.range
        fields = {
            "close": close,
            "row": is_served & closes_oldest,
            "last": last,
            "begin": begin,
            "end": end + item.context.start,
            "add": adds_tuple,
            "time": item.time,
            "floor": since,
            "low": since[-1],
            "state": self._operator.lift(Tuple(row=item.row), 0),
        }
        has_command = self.i.valid & (close | adds_tuple | last)
        m.d.sync += [self.o.valid.eq(has_command), *wire(self.o.p, fields)]
        self._count(m, turn, is_overrun)
        return m

    def _bounds(self, m, turn, close):
        """Builds the registers of the bounds; ``close`` moves them by a slide.

        Returns the ends of the two oldest windows, and the begins of the next two windows after the
        ring.
        """
        context = self.i.p.context
        end = Signal(self._width + 2)
        second_end = Signal(self._width + 2)
        begin = Signal(self._width + 1)
        second_begin = Signal(self._width + 1)
        next_end = Mux(turn.final, context.range, second_end)
        next_begin = Mux(turn.rewind, 0, second_begin)
        with m.If(close):
            m.d.sync += [end.eq(next_end), second_end.eq(_next_bound(next_end, context.slide))]
        with m.If(close | turn.rewind):
            m.d.sync += [
                begin.eq(next_begin),
                second_begin.eq(_next_bound(next_begin, context.slide)),
            ]
        return end, second_end, begin, second_begin

    def _count(self, m, turn, is_overrun):
        """Drives the counter and the flag of dropped tuples, one cycle later."""
        at_stream_start = Signal(init=1)
        item = self.i.p
        transfer = self.i.valid & self.i.ready
        with m.If(transfer):
            m.d.sync += at_stream_start.eq(item.last)
        m.d.sync += [
            self.overrun.eq(transfer & item.valid & (is_overrun | ~turn.fits)),
            self.bad_setting.eq(transfer & at_stream_start & ~turn.fits),
        ]


def _next_bound(bound, slide):
    """Returns the bound a slide later; the top bit stays set once it is set."""
    low = slide + bound[:-1]
    return Cat(low[: len(bound) - 1], low[len(bound) - 1] | bound[-1])
