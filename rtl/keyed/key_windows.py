"""From tuples to the lines of windows: table, levels, DRAM and data collector put together."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import COLLISION, Counter, events
from rtl.keyed.dram.line_memory import LineMemory, counters_of
from rtl.keyed.step import step_layout
from rtl.stream.beat import beat
from rtl.stream.order import equal
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Bits of the number of a tuple in its stream.
ARRIVALS = 48

WRONG = Counter(
    name="wrong_windows",
    doc="windows of which the row has valid 0, as a line of them is damaged, or in doubt after an "
    "error of the memory",
)


def evicted_layout(key):
    """Layout of what is told of a key that was thrown out: ``key`` and ``arrival``."""
    return data.StructLayout({"key": key, "arrival": ARRIVALS})


def key_counters(plan):
    """What the windows of keys count."""
    changed = Counter(
        name="m3_read_modify_writes", doc="lines read from M3 to be changed in part, and written"
    )
    values = Counter(
        name="window_values",
        doc="values of windows: each tuple's in every window that it is in",
        max_increment=plan.given.most,
    )
    read = Counter(
        name="m3_window_values",
        doc="values of windows that were read from M3",
        max_increment=plan.given.most,
    )
    lines = counters_of(plan.lines.ports)
    return (COLLISION, *lines, changed, values, read, WRONG, *plan.store.counters)


class KeyWindows(wiring.Component):
    """Keeps the last tuples of every key, and gives each window, line by line, when it closes.

    ::

        i --> steps ---> Levels --+-- commands --> LineMemory -- lines --+--> collector ---> o
              table,     M1, M2   |                M3, m_axi_0 ...       |    WindowLines
              place in            +-- windows --> queue -----------------+
              the ring                tail line, key, number

    With ``memory="dram-only"`` in the plan there are no M1 and M2, but
    :class:`~rtl.keyed.store.lines.levels.DramLevels`; all else is the same.

    A window is the last ws tuples of a key, after every wa of them, or with
    :class:`~rtl.keyed.windows.time_kind.TimeKind` those of a time, when the key's first tuple
    behind its end comes. Its items come in the order of their arrival, windows in that of the
    tuples that close them, and ascending where one closes several. The end of a stream gives a line
    without any item, with ``told.end``, behind all windows; those that are open are forgotten.
    What one stream has left is never seen in the next.

    With ``mlq`` nothing is ever read to be changed in part: M1, M2 and M3 get each item once, M3 in
    whole lines. One tuple per cycle, while windows are no more than the memory gives: a window of l
    lines takes l cycles, the memory's own pauses not counted.

    With ``dram-only`` each item's line is written, and read for each but the first of a line, if
    none of the 32 items before was in it. With r reads for each tuple (7/8, with keys at random and
    8 items in a line), and a memory of latency m and b beats in a line, that is no more tuples per
    cycle than

    - ``1 / (1 + r)``, as commands go out one in a cycle, and each window has one, too;
    - ``reads / (m + b + 1) / r`` and ``writes / (m + b + 1)`` for each port;
    - ``32 / (m + b + 11)``, as so many tuples are in flight.

    A stall at ``o``, or of the memory, stalls ``i`` when the queues between are full; one at
    ``evicted``, when two keys wait there.

    Latency from a tuple to the line of a window that is in M1 and M2 alone, in cycles: that of the
    steps, a register, the levels and a queue, for windows of rows 6 + 1 + 2 + 1 = 10; of time, one
    more. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : KeyedPlan
    windows : int
        That may wait for the memory.
    table, memory : dict
        As for :class:`~rtl.keyed.table.hash_table.HashTable` and
        :class:`~rtl.keyed.dram.line_memory.LineMemory`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    bases : In(data.ArrayLayout(...))
        Of the memory's ports.
    o : Out(stream.Signature(plan.given.line(plan.told)))
        ``passenger`` has ``passenger``, the plan's ``told``; ``m3``, the line comes out of M3; and
        ``error``: in a window's last line, the memory could not give, or did not take, a line of
        this window or of an earlier key of its entry.
    evicted : Out(stream.Signature(beat(evicted_layout(plan.key), 1)))
        A packet for each stream: the keys that were thrown out, each with the number, from 0, of
        the tuple of the stream that did it, in this order. Its last beat may be without any.
    failed : Out(1)
        A write, a read of a line to be changed, or one of M2 outside of the chip was answered with
        an error; high for a cycle.
    events : Out(events((*key_counters(plan), *plan.window.drops)))
    busy : Out(1)
        A burst is under way, or something waits behind the levels.
    m_axi_0, ... : Out(Axi4(...))
    m2_base : In(plan.outside.base_bits), or none
    m_axi_m2 : Out(Axi4(...)), or none
        With M2 outside of the chip.

    Source: seed 000, section 3 without compression.
    """

    initiation_interval = 1

    def __init__(self, plan, *, windows=32, table=None, memory=None):
        self._plan = plan
        self._steps = plan.window.steps(plan, **(table or {}))
        self._skid = SkidBuffer(step_layout(plan))
        self._levels = plan.store.levels(plan)
        self._collector = plan.store.collector(plan)
        self._memory = LineMemory(plan.lines, **(memory or {}))
        self._queue = StreamQueue(self._levels.windows.p.shape(), windows)
        self._evictions = StreamQueue(beat(evicted_layout(plan.key), 1), 2)
        axi = dict(self._levels.signature.members) | dict(self._memory.signature.members)
        outside = () if plan.outside is None else ("m2_base", "m_axi_m2")
        self._memories = [f"m_axi_{k}" for k in range(plan.lines.ports)]
        super().__init__(
            {
                "i": In(self._steps.i.signature.flip()),
                "bases": In(self._memory.bases.shape()),
                "o": Out(self._collector.o.signature),
                "evicted": Out(self._evictions.o.signature),
                "failed": Out(1),
                "events": Out(events((*key_counters(plan), *plan.window.drops))),
                "busy": Out(1),
                **{name: axi[name] for name in (*self._memories, *outside)},
            }
        )

    @staticmethod
    def latency_of(plan):
        """Cycles from a tuple to its window, if nothing of that is read from a memory outside."""
        levels = SkidBuffer.latency + plan.store.levels_latency(plan) + StreamQueue.latency
        return plan.window.steps_latency(plan) + levels + plan.store.collector_latency(plan)

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.steps = steps = self._steps
        m.submodules.levels = levels = self._levels
        m.submodules.memory = memory = self._memory
        m.submodules.queue = queue = self._queue
        m.submodules.collector = collector = self._collector
        wiring.connect(m, wiring.flipped(self.i), steps.i)
        # Ends the chain of ready from the levels and evictions: the table's own is a long one.
        m.submodules.skid = skid = self._skid
        wiring.connect(m, steps.o, skid.i)
        self._report(m, skid.o, levels.i)
        # Ends the chain of ready from the memory's ports; their order is settled before it.
        m.submodules.commands = commands = StreamQueue(memory.commands.p.shape(), 2)
        wiring.connect(m, levels.commands, commands.i)
        wiring.connect(m, commands.o, memory.commands)
        wiring.connect(m, levels.windows, queue.i)
        wiring.connect(m, queue.o, collector.windows)
        # Ends the chain of ready from the data collector: that of the ports comes before it.
        m.submodules.arrived = arrived = SkidBuffer(memory.lines.p.shape())
        wiring.connect(m, memory.lines, arrived.i)
        wiring.connect(m, arrived.o, levels.lines)
        wiring.connect(m, levels.collected, collector.lines)
        self._plan.store.connect(m, levels, collector)
        counted = self._plan.store.events_of(levels)
        m.d.comb += [
            memory.bases.eq(self.bases),
            *(self.events[name].eq(memory.events[name]) for name, _ in memory.events.shape()),
            self.events.m3_read_modify_writes.eq(levels.updated),
            *(self.events[c.name].eq(steps.events[c.name]) for c in self._plan.window.drops),
            *(self.events[name].eq(value) for name, value in counted.items()),
            self.busy.eq(
                memory.busy
                | commands.o.valid
                | arrived.o.valid
                | queue.o.valid
                | levels.busy
                | collector.o.valid
            ),
            self.o.valid.eq(collector.o.valid),
            collector.o.ready.eq(self.o.ready),
            self.o.p.eq(collector.o.p),
        ]
        self._count(m, self.o)
        told = collector.o.p.passenger.passenger
        failures = [(failed.valid, self._ring_of(failed.line)) for failed in memory.failed]
        failures.append((levels.failed.valid, levels.failed.entry))
        with m.If(self._doubtful(m, failures, told.entry) & collector.o.p.last):
            m.d.comb += self.o.p.passenger.error.eq(~told.end)
        for port in self._memories:
            wiring.connect(m, getattr(memory, port), wiring.flipped(getattr(self, port)))
        if self._plan.outside is not None:
            m.d.comb += levels.m2_base.eq(self.m2_base)
            wiring.connect(m, levels.m_axi_m2, wiring.flipped(self.m_axi_m2))
        return m

    def _report(self, m, source, target):
        """Tells of a key that was thrown out, before its successor goes on."""
        m.submodules.evictions = evictions = self._evictions
        wiring.connect(m, evictions.o, wiring.flipped(self.evicted))
        step, arrival, told = source.p, Signal(ARRIVALS), evictions.i.p
        tells = step.evicted | step.told.end
        room = evictions.i.ready | ~tells
        m.d.comb += [
            target.p.eq(step),
            target.valid.eq(source.valid & room),
            source.ready.eq(target.ready & room),
            evictions.i.valid.eq(source.valid & tells & target.ready),
            told.valid.eq(step.evicted),
            told.last.eq(step.told.end),
            told.tuples[0].arrival.eq(arrival),
            Value.cast(told.tuples[0].key).eq(Value.cast(step.evicted_key)),
            self.events.collision.eq(evictions.i.valid & evictions.i.ready & step.evicted),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += arrival.eq(Mux(step.told.end, 0, arrival + step.arrived))

    def _count(self, m, line):
        """Values of windows, and those of them out of M3, two cycles after their line.

        Windows that are wrong, a cycle after their last one.
        """
        counted, moves, read = self._plan.given.counts(line.p), Signal(), Signal()
        wrong = Signal()
        values, from_m3 = (Signal.like(self.events.window_values) for _ in range(2))
        m.d.comb += [
            self.events.window_values.eq(values),
            self.events.m3_window_values.eq(from_m3),
            moves.eq(line.valid & line.ready),
            self.events.wrong_windows.eq(wrong),
        ]
        seen = [Signal.like(part, name=f"seen{k}") for k, part in enumerate(counted)]
        m.d.sync += [
            *(one.eq(Mux(moves, part, 0)) for one, part in zip(seen, counted, strict=True)),
            read.eq(line.p.passenger.m3),
            wrong.eq(moves & line.p.last & line.p.passenger.error),
            values.eq(sum(seen)),
            from_m3.eq(Mux(read, sum(seen), 0)),
        ]

    def _ring_of(self, line):
        return line[self._plan.lines.ring_lines.bit_length() - 1 :]

    def _doubtful(self, m, failures, entry):
        """Whether lines of an entry may be wrong, as its memory did not take or give one.

        ``failures`` are, for each that can tell of one, whether it does and of which ring. Each
        remembers the first ring that failed; when another one fails, all entries are taken for
        wrong. Only a reset ends it: who knows what a memory does then.
        """
        doubts = []
        for k, (fails, ring) in enumerate(failures):
            known, which = Signal(name=f"bad{k}"), Signal(len(ring), name=f"bad_ring{k}")
            more = Signal(name=f"bad_rings{k}")
            with m.If(fails):
                m.d.sync += known.eq(1)
                with m.If(~known):
                    m.d.sync += which.eq(ring)
                with m.Elif(which != ring):
                    m.d.sync += more.eq(1)
            doubts.append(more | equal(which, entry, known))
        m.d.comb += self.failed.eq(Cat(fails for fails, _ in failures).any())
        return Cat(doubts).any()
