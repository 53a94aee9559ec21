"""What each tuple does to its key's windows of time: which it closes, one step for each."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import events
from rtl.engine.streamzip.steps import step_layout
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister
from rtl.table.hash_table import HashTable
from rtl.window.key_marks import KeyMarks
from rtl.window.slide_numbers import SlideNumbers


class TimeSteps(wiring.Component):
    """Finds the windows that each tuple closes, and the place of the tuple.

    ::

        i --> SlideNumbers --> HashTable --> judged --> a step for each window --> lines --> o
              u / s, first     state of      late?      and one for the item
              window f         the key       full?

    What a tuple closes, is late for, and leaves behind is said in
    :class:`~rtl.window.key_times.KeyTimes`. While a tuple closes windows it stays at the table's
    end, so its key's state is the same for all of them, and is changed when the last step goes.
    The item goes with the last window, as that does not have it in its lines; but if the ring is
    full with it, it goes in a step behind, for then it may overwrite what the window needs. For
    instance with windows of 10 every 4, and tuples of one key at the times 1, 5, 13 and 18::

        tuple            1    5    13            18
        step             a    b    c             -             d
        window                     0: a b        1: b c        2: c
        places so far    a    ab   abc           abc           abcd

    A tuple that is dropped is a step with neither item nor window, counted as it goes. One that is
    from before the start, or in a slide that has no number, asks nothing of the table.

    Order is kept, streams may follow each other without a gap. Latency that of the numbers, the
    table and 2 cycles; the first tuple of a stream takes one more. Initiation interval 1 cycle for
    any keys; a tuple that closes n windows takes n cycles where that is more, and one more where
    the ring is full. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    plan : KeyTimePlan
    epoch, stamp : int
        As for :class:`~rtl.table.hash_table.HashTable`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    o : Out(stream.Signature(step_layout(plan)))
        The end of a stream is a step by itself or the last one of its last tuple: ``told.end``.
    events : Out(events(plan.drops))

    Source: seed 000, sections 3.1 and 3.3, and DESIGN section 2; the numbers are ours.
    """

    initiation_interval = 1

    def __init__(self, plan, **table):
        self._plan, times = plan, plan.times
        self._numbers = SlideNumbers(times, data.StructLayout({"key": plan.key, "item": plan.item}))
        beside = {"item": plan.item, "first": times.numbers, "slide": times.stamp_bits}
        beside |= {"spacing": times.spacing_bits, "late": 1, "overrun": 1}
        self._table = HashTable(
            plan.key, plan.entries, plan.ways, times.state, data.StructLayout(beside), **table
        )
        # What is known at the table, of which the lines of a window follow a register later.
        members = step_layout(plan).members
        counted = {name: members[name] for name in members if name not in ("lines", "first")}
        self._found = data.StructLayout(counted | {"head": range(times.places)})
        super().__init__(
            {
                "i": In(stream.Signature(plan.arriving)),
                "o": Out(stream.Signature(step_layout(plan))),
                "events": Out(events(plan.drops)),
            }
        )

    @staticmethod
    def latency_of(plan):
        """Cycles of such steps, without making them; one less for a stream that goes on."""
        return SlideNumbers.latency_of(plan.times) + HashTable.latency + 2

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.numbers, m.submodules.table = self._numbers, self._table
        m.submodules.judged = judged = StreamRegister(self._found)
        m.submodules.placed = placed = StreamRegister(step_layout(self._plan))
        self._number(m)
        self._judge(m, judged.i)
        self._place(m, judged.o, placed.i)
        wiring.connect(m, placed.o, wiring.flipped(self.o))
        return m

    def _number(self, m):
        """From the input through the division into the table."""
        numbers, table, asked = self._numbers, self._table, self.i.p
        passenger, asks, numbered = numbers.i.p.passenger, table.i.p, numbers.o.p
        m.d.comb += [
            numbers.i.valid.eq(self.i.valid),
            self.i.ready.eq(numbers.i.ready),
            numbers.i.p.time.eq(asked.time),
            numbers.i.p.valid.eq(asked.valid),
            numbers.i.p.last.eq(asked.last),
            numbers.i.p.settings.eq(asked.settings),
            Value.cast(passenger.key).eq(Value.cast(asked.key)),
            Value.cast(passenger.item).eq(Value.cast(asked.item)),
            table.i.valid.eq(numbers.o.valid),
            numbers.o.ready.eq(table.i.ready),
            Value.cast(asks.key).eq(Value.cast(numbered.passenger.key)),
            asks.valid.eq(numbered.valid),
            asks.last.eq(numbered.last),
            Value.cast(asks.passenger.item).eq(Value.cast(numbered.passenger.item)),
            *(
                asks.passenger[name].eq(numbered[name])
                for name in ("first", "slide", "spacing", "late", "overrun")
            ),
        ]

    def _judge(self, m, target):
        """Gives the steps of the tuple that is found, and what becomes of its key."""
        times, table = self._plan.times, self._table
        found, state, tuple_ = table.o.p, table.o.p.state, table.o.p.passenger
        given = Signal()  # a window of this tuple, and ...
        alone = Signal()  # ... all of them: the item is left
        window = Signal(times.numbers, reset_less=True)  # the next one, when any are given
        closing, left = Signal(times.numbers), Signal(times.numbers + 1)
        m.d.comb += [closing.eq(Mux(given, window, state.next)), left.eq(tuple_.first - closing)]
        late, empties, marks, reached, full, lost = self._verdict(m, left)
        kept, closes, final, item = Signal(), Signal(), Signal(), Signal()
        m.d.comb += [
            kept.eq(found.valid & ~late & ~lost),
            closes.eq(kept & state.used & (left != 0) & ~alone),
            final.eq((left == 1) | (closing[: times.stamp_bits] == state.newest)),
            item.eq(~closes | (final & ~full)),
            table.o.ready.eq(target.ready & item),
            target.valid.eq(table.o.valid),
        ]
        with m.If(target.ready & table.o.valid):
            m.d.sync += [
                given.eq(~item),
                alone.eq(~item & final),
                window.eq(closing + 1),
            ]
        self._keep(m, kept, empties, marks, reached)
        self._tell(m, target, closing, closes, item, kept, marks)
        gone = table.o.valid & table.o.ready
        m.d.comb += [
            self.events.late.eq(gone & (tuple_.late | (found.valid & late))),
            self.events.overrun.eq(gone & (tuple_.overrun | (found.valid & ~late & lost))),
        ]

    def _verdict(self, m, left):
        """Whether the tuple is late; empties its windows; finds the ring full, and is lost."""
        times, found = self._plan.times, self._table.o.p
        state, tuple_ = found.state, found.passenger
        within = times.items.bit_length() - 1
        marks = KeyMarks(times, state)
        reached = marks.reached(m, tuple_.first[: times.stamp_bits], "reached")
        late, empties, full, lost = (Signal(name=n) for n in ("late", "empties", "full", "lost"))
        # With so many windows left, or more than the newest, no tuple is in any other window.
        far = left[times.stamp_bits - 1 : times.numbers].any()
        behind = (state.newest - tuple_.first[: times.stamp_bits])[: times.stamp_bits][-1]
        line = state.place[within:]
        begins = state.used & (state.place[:within] == 0)
        m.d.comb += [
            late.eq(state.used & left[-1]),
            empties.eq(~state.used | far | behind),
            full.eq(begins & (state.head[within:] == line)),
            lost.eq(begins & marks.in_line(reached, line) & ~empties),
        ]
        return late, empties, marks, reached, full, lost

    def _keep(self, m, kept, empties, marks, reached):
        """The state of the key behind the tuple."""
        table, state, tuple_ = self._table, self._table.o.p.state, self._table.o.p.passenger
        after = marks.following(m, reached, tuple_, empties)
        m.d.comb += table.next.eq(state)
        with m.If(kept):
            m.d.comb += [
                table.next.used.eq(1),
                table.next.next.eq(tuple_.first),
                table.next.newest.eq(
                    Mux(empties | marks.raises(tuple_), tuple_.slide, state.newest)
                ),
                table.next.place.eq(state.place + 1),
                table.next.head.eq(Mux(empties, state.place, marks.head(reached))),
                table.next.marks.eq(after),
            ]

    def _tell(self, m, target, closing, closes, item, kept, marks):
        """The step that is given."""
        found, step = self._table.o.p, target.p
        state, tuple_ = found.state, found.passenger
        passed = marks.reached(m, closing[: self._plan.times.stamp_bits], "passed")
        m.d.comb += [
            Cat(step.place, step.line).eq(state.place),
            Value.cast(step.item.item).eq(Value.cast(tuple_.item)),
            step.item.stamp.eq(tuple_.slide),
            step.closes.eq(closes),
            step.head.eq(marks.head(passed)),
            step.valid.eq(item & kept),
            step.arrived.eq(item & (found.valid | tuple_.late | tuple_.overrun)),
            step.evicted.eq(found.evicted),
            step.evicted_key.eq(found.evicted_key),
            step.told.key.eq(found.key),
            step.told.entry.eq(found.entry),
            step.told.window.eq(closing),
            step.told.end.eq(item & found.last),
        ]

    def _place(self, m, source, target):
        """Of a window the lines before that of the place: all of the ring's, if there are no fewer.

        That is so when the place begins the line of the head, as there is something between them.
        """
        found, step = source.p, target.p
        within = self._plan.line.items.bit_length() - 1
        lines = (found.line - found.head[within:])[: len(found.line)]
        m.d.comb += [
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
            *wire({n: step[n] for n in step.shape().members if n in self._found.members}, found),
            step.lines.eq(Cat(lines, (lines == 0) & (found.place == 0))),
            step.first.eq(found.head[:within]),
        ]
