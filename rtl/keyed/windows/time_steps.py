"""Finds the windows of time that each tuple closes, and updates the state of its key."""

from functools import partial

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import events
from rtl.keyed.step import offer, step_layout
from rtl.keyed.table.hash_table import HashTable
from rtl.keyed.windows.closings import Closings
from rtl.keyed.windows.key_marks import KeyMarks
from rtl.keyed.windows.slide_numbers import SlideNumbers
from rtl.stream.beat import wire
from rtl.stream.order import equal
from rtl.stream.skid import SkidBuffer


class TimeSteps(wiring.Component):
    """Finds the windows that each tuple closes, and the sequence number of the tuple.

    ::

        i --> SlideNumbers --> HashTable --> judged --> Closings --> o
              u / s, first     state of      late?      a step for each window,
              window f         the key       full?      and for the item

    :class:`~rtl.keyed.windows.key_times.KeyTimes` defines which windows a tuple closes, when the
    tuple is late, and the state of a key. The state is updated in one cycle, however many windows
    close, and the old state goes along with the tuple. For instance with windows of 10 every 4, and
    tuples of one key at the times 1, 5, 13 and 18::

        tuple            1    5    13            18
        step             a    b    c             -             d
        window                     0: a b        1: b c        2: c
        places so far    a    ab   abc           abc           abcd

    A dropped tuple is a step with neither item nor window, and is counted. A tuple from before the
    start, or in a slide without a number, makes no request to the table.

    Order is kept, streams may follow each other without a gap. Latency: those of the slide numbers,
    the table and the closings, and 1 cycle of the skid buffer; the first tuple of a stream takes
    one cycle more. Initiation interval 1 cycle for any keys; a tuple that closes n > 1 windows
    takes n cycles, and one cycle more where the ring is full. With a store whose tuples are always
    ``full``, n + 1 cycles. A stall at ``o`` stalls ``i`` later, because a skid buffer cuts the path
    of ``ready``.

    Parameters
    ----------
    plan : KeyedPlan
        Its window kind is TimeKind.
    epoch, stamp : int
        As for :class:`~rtl.keyed.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
        ``window_info.end``: the stream ends with this step, which is a step by itself or the last
        step of the stream's last tuple.
    events : Out(events(plan.window.drops))

    Source: seed 000, sections 3.1 and 3.3, and docs/query-language.md, Windows; the numbers are
    ours.
    """

    initiation_interval = 1

    def __init__(self, plan, **table):
        self._plan = plan
        times = plan.window.times
        passed_on = {"item": plan.item, **plan.store.settings}
        self._numbers = SlideNumbers(times, data.StructLayout({"key": plan.key, **passed_on}))
        passenger_members = {**passed_on, "first": times.number_bits, "slide": times.stamp_bits}
        passenger_members |= {"spacing": times.spacing_bits, "late": 1, "overrun": 1}
        self._table = HashTable(
            plan.key,
            plan.entries,
            plan.ways,
            times.state,
            data.StructLayout(passenger_members),
            **table,
        )
        self._closings = Closings(plan)
        super().__init__(
            {
                "i": In(stream.Signature(plan.arriving)),
                "o": Out(stream.Signature(step_layout(plan))),
                "events": Out(events(plan.window.drops)),
            }
        )

    @staticmethod
    def latency_of(plan):
        """Returns the latency, in cycles, without building the component."""
        numbers = SlideNumbers.latency_of(plan.window.times)
        return numbers + HashTable.latency + SkidBuffer.latency + Closings.latency

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers = self._numbers
        m.submodules.table = self._table
        m.submodules.closings = closings = self._closings
        m.submodules.judged = judged = SkidBuffer(closings.i.p.shape())
        self._number(m)
        self._decide(m, judged.i)
        wiring.connect(m, judged.o, closings.i)
        wiring.connect(m, closings.o, wiring.flipped(self.o))
        return m

    def _number(self, m):
        """Connects the input, the slide numbers and the table."""
        numbers = self._numbers
        table = self._table
        arriving = self.i.p
        passenger = numbers.i.p.passenger
        request = table.i.p
        numbered = numbers.o.p
        m.d.comb += [
            numbers.i.valid.eq(self.i.valid),
            self.i.ready.eq(numbers.i.ready),
            numbers.i.p.time.eq(arriving.time),
            numbers.i.p.valid.eq(arriving.valid),
            numbers.i.p.last.eq(arriving.last),
            *wire(numbers.i.p.settings, arriving.settings),
            Value.cast(passenger.key).eq(Value.cast(arriving.key)),
            Value.cast(passenger.item).eq(Value.cast(arriving.item)),
            table.i.valid.eq(numbers.o.valid),
            numbers.o.ready.eq(table.i.ready),
            Value.cast(request.key).eq(Value.cast(numbered.passenger.key)),
            request.valid.eq(numbered.valid),
            request.last.eq(numbered.last),
            Value.cast(request.passenger.item).eq(Value.cast(numbered.passenger.item)),
            *(
                request.passenger[name].eq(numbered[name])
                for name in ("first", "slide", "spacing", "late", "overrun")
            ),
            *(passenger[name].eq(arriving.settings[name]) for name in self._plan.store.settings),
            *(
                request.passenger[name].eq(numbered.passenger[name])
                for name in self._plan.store.settings
            ),
        ]

    def _decide(self, m, target):
        """Decides whether the tuple at the table is accepted, and updates the state of its key."""
        table = self._table
        lookup = table.o.p
        state = table.o.p.state
        tuple_ = table.o.p.passenger
        marks = KeyMarks(self._plan.window.times, state)
        reached = marks.reached(m, tuple_.first[: self._plan.window.times.stamp_bits], "reached")
        late, empties = self._order(m)
        in_line = partial(marks.in_line, reached)
        full, lost = self._plan.store.room(m, state, in_line, empties)
        accepted = Signal()
        transfer = Signal()
        m.d.comb += [
            accepted.eq(lookup.valid & ~late & ~lost),
            transfer.eq(table.o.valid & target.ready),
            target.valid.eq(table.o.valid),
            table.o.ready.eq(target.ready),
            self.events.late.eq(transfer & (tuple_.late | (lookup.valid & late))),
            self.events.overrun.eq(transfer & (tuple_.overrun | (lookup.valid & ~late & lost))),
        ]
        self._update(m, accepted, empties, marks, reached)
        self._visit(m, target.p, accepted)
        store_settings = {name: tuple_[name] for name in self._plan.store.settings}
        m.d.comb += offer(
            target.p,
            place=state.place,
            full=full,
            empties=empties,
            fresh=~state.used,
            **store_settings,
        )

    def _order(self, m):
        """Returns two flags: the tuple is late; the tuple empties the windows of its key.

        A tuple empties the windows if no earlier tuple is in a window that stays open.
        """
        times = self._plan.window.times
        state = self._table.o.p.state
        first = self._first
        late = Signal()
        empties = Signal()
        # Number of windows that close, empty ones too; negative if the tuple is late.
        closing_count = Signal(times.number_bits + 1)
        # The newest tuple so far is in at most ``overlap`` windows, 2^(stamp_bits - 2). So the
        # tuple empties the windows if twice as many close, or all up to the newest.
        far = closing_count[times.stamp_bits - 1 : times.number_bits].any()
        all_reached = (state.newest - first[: times.stamp_bits])[: times.stamp_bits][-1]
        m.d.comb += [
            closing_count.eq(first - state.next),
            late.eq(state.used & closing_count[-1]),
            empties.eq(~state.used | far | all_reached),
        ]
        return late, empties

    @property
    def _first(self):
        return self._table.o.p.passenger.first

    def _update(self, m, accepted, empties, marks, reached):
        """Writes the state of the key after the tuple."""
        table = self._table
        state = self._table.o.p.state
        tuple_ = self._table.o.p.passenger
        newest = Mux(empties | marks.raises(tuple_), tuple_.slide, state.newest)
        next_marks = marks.following(m, reached, tuple_, empties)
        m.d.comb += table.next.eq(state)
        with m.If(accepted):
            m.d.comb += [
                table.next.used.eq(1),
                table.next.next.eq(tuple_.first),
                table.next.newest.eq(newest),
                table.next.place.eq(state.place + 1),
                table.next.head.eq(Mux(empties, state.place, marks.head(reached))),
                table.next.marks.eq(next_marks),
            ]

    def _visit(self, m, visit, accepted):
        """Sends the tuple on with the state of its key before the tuple."""
        lookup = self._table.o.p
        state = lookup.state
        tuple_ = lookup.passenger
        m.d.comb += [
            Value.cast(visit.item.item).eq(Value.cast(tuple_.item)),
            visit.item.stamp.eq(tuple_.slide),
            visit.valid.eq(accepted),
            visit.arrived.eq(lookup.valid | tuple_.late | tuple_.overrun),
            visit.evicted.eq(lookup.evicted),
            visit.evicted_key.eq(lookup.evicted_key),
            visit.closes.eq(accepted & state.used & ~equal(state.next, tuple_.first)),
            visit.single.eq(self._plan.window.times.final(state.next, tuple_.first, state.newest)),
            visit.first.eq(tuple_.first),
            *(visit[name].eq(state[name]) for name in ("newest", "head", "marks")),
            visit.window_info.key.eq(lookup.key),
            visit.window_info.entry.eq(lookup.entry),
            visit.window_info.window.eq(state.next),
            visit.window_info.end.eq(lookup.last),
        ]
