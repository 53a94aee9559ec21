"""From tuples to the lines of windows: table, levels, DRAM and data collector put together."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import COLLISION, events
from rtl.engine.streamzip.levels import Levels
from rtl.engine.streamzip.plan import KeyPlan, KeyTimePlan
from rtl.engine.streamzip.steps import KeySteps
from rtl.engine.streamzip.time_steps import TimeSteps
from rtl.memory.line_memory import LineMemory, counters_of
from rtl.memory.window_lines import WindowLines, window_layout
from rtl.stream.beat import beat
from rtl.stream.queue import StreamQueue
from rtl.window.time_lines import TimeLines

#: Bits of the number of a tuple in its stream.
ARRIVALS = 48


#: For each kind of plan: its steps, and its data collector.
PARTS = {KeyPlan: (KeySteps, WindowLines), KeyTimePlan: (TimeSteps, TimeLines)}


def evicted_layout(key):
    """Layout of what is told of a key that was thrown out: ``key`` and ``arrival``."""
    return data.StructLayout({"key": key, "arrival": ARRIVALS})


def key_counters(lines):
    """What the windows of keys count, over a memory of such ``lines``."""
    return (COLLISION, *counters_of(lines.ports))


class KeyWindows(wiring.Component):
    """Keeps the last tuples of every key, and gives each window, line by line, when it closes.

    ::

        i --> steps ---> Levels --+-- commands --> LineMemory -- lines --+--> collector ---> o
              table,     M1, M2   |                M3, m_axi_0 ...       |    WindowLines
              place in            +-- windows --> queue -----------------+
              the ring                tail line, key, number

    A window is the last ws tuples of a key, after every wa of them, or with a
    :class:`~rtl.engine.streamzip.plan.KeyTimePlan` those of a time, when the key's first tuple
    behind its end comes. Its items come in the order of their arrival, windows in that of the
    tuples that close them, and ascending where one closes several. The end of a stream gives a line
    without any item, with ``told.end``, behind all windows; those that are open are forgotten.
    What one stream has left is never seen in the next.

    Nothing is ever read to be changed in part: M1, M2 and M3 get each item once, M3 in whole lines.

    One tuple per cycle, while windows are no more than the memory gives: a window of l lines takes
    l cycles, the memory's own pauses not counted. A stall at ``o``, or of the memory, stalls ``i``
    when the queues between are full; one at ``evicted``, when two keys wait there.

    Latency from a tuple to the line of a window that is in M1 and M2 alone, in cycles: that of the
    steps, the levels and a queue, for windows of rows 6 + 2 + 1 = 9; of time, one more.
    Initiation interval 1 cycle.

    Parameters
    ----------
    plan : KeyPlan or KeyTimePlan
    windows : int
        That may wait for the memory.
    table, memory : dict
        As for :class:`~rtl.table.hash_table.HashTable` and
        :class:`~rtl.memory.line_memory.LineMemory`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    bases : In(data.ArrayLayout(...))
        Of the memory's ports.
    o : Out(stream.Signature(line(plan.item, plan.line.items, passenger=...)))
        ``passenger`` has ``passenger``, the plan's ``told``, and ``error``: in a window's last
        line, the memory could not give, or did not take, a line of this window or of an earlier
        key of its entry.
    evicted : Out(stream.Signature(beat(evicted_layout(plan.key), 1)))
        A packet for each stream: the keys that were thrown out, each with the number, from 0, of
        the tuple of the stream that did it, in this order. Its last beat may be without any.
    failed : Out(1)
        A write was answered with an error; high for a cycle.
    events : Out(events((*key_counters(plan.lines), *plan.drops)))
    busy : Out(1)
        A burst is under way, or something waits behind the levels.
    m_axi_0, ... : Out(Axi4(...))

    Source: seed 000, section 3 without compression.
    """

    initiation_interval = 1

    def __init__(self, plan, *, windows=32, table=None, memory=None):
        self._plan = plan
        steps, collector = PARTS[type(plan)]
        self._steps, self._collector = steps(plan, **(table or {})), collector(*plan.collected)
        self._levels = Levels(plan)
        self._memory = LineMemory(plan.lines, **(memory or {}))
        waiting = window_layout(plan.line, plan.lines_max, plan.told)
        self._queue = StreamQueue(waiting, windows)
        self._evictions = StreamQueue(beat(evicted_layout(plan.key), 1), 2)
        ports, axi = range(plan.lines.ports), self._memory.signature.members
        super().__init__(
            {
                "i": In(self._steps.i.signature.flip()),
                "bases": In(self._memory.bases.shape()),
                "o": Out(self._collector.o.signature),
                "evicted": Out(self._evictions.o.signature),
                "failed": Out(1),
                "events": Out(events((*key_counters(plan.lines), *plan.drops))),
                "busy": Out(1),
                **{f"m_axi_{k}": axi[f"m_axi_{k}"] for k in ports},
            }
        )

    @staticmethod
    def latency_of(plan):
        """Cycles from a tuple to its window, when that is in M1 and M2 alone."""
        steps, collector = PARTS[type(plan)]
        behind = Levels.latency + StreamQueue.latency + collector.latency
        return steps.latency_of(plan) + behind

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
        self._report(m, steps.o, levels.i)
        wiring.connect(m, levels.commands, memory.commands)
        wiring.connect(m, levels.windows, queue.i)
        wiring.connect(m, queue.o, collector.windows)
        wiring.connect(m, memory.lines, collector.lines)
        m.d.comb += [
            memory.bases.eq(self.bases),
            *(self.events[name].eq(memory.events[name]) for name, _ in memory.events.shape()),
            *(self.events[c.name].eq(steps.events[c.name]) for c in self._plan.drops),
            self.busy.eq(memory.busy | queue.o.valid | collector.o.valid),
            self.o.valid.eq(collector.o.valid),
            collector.o.ready.eq(self.o.ready),
            self.o.p.eq(collector.o.p),
        ]
        told = collector.o.p.passenger.passenger
        with m.If(self._doubtful(m, memory.failed, told.entry) & collector.o.p.last):
            m.d.comb += self.o.p.passenger.error.eq(~told.end)
        for k in range(self._plan.lines.ports):
            port = f"m_axi_{k}"
            wiring.connect(m, getattr(memory, port), wiring.flipped(getattr(self, port)))
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

    def _doubtful(self, m, failed, entry):
        """Whether lines of an entry may be wrong, as its memory did not take one.

        Each port remembers the first ring that a write failed in; when one fails in another, all
        entries are taken for wrong. Only a reset ends it: who knows what a memory does then.
        """
        ring_bits = self._plan.lines.ring_lines.bit_length() - 1
        doubts = []
        for k, told in enumerate(failed):
            ring = told.line[ring_bits:]
            known, which = Signal(name=f"bad{k}"), Signal(len(ring), name=f"bad_ring{k}")
            more = Signal(name=f"bad_rings{k}")
            with m.If(told.valid):
                m.d.sync += known.eq(1)
                with m.If(~known):
                    m.d.sync += which.eq(ring)
                with m.Elif(which != ring):
                    m.d.sync += more.eq(1)
            doubts.append(more | (known & (which == entry)))
        m.d.comb += self.failed.eq(Cat(told.valid for told in failed).any())
        return Cat(doubts).any()
