"""Windows of each key: connects the window kind, the store and the DRAM of a plan."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import COLLISION, Counter, events
from rtl.keyed.dram.line_memory import LineMemory, counters_of
from rtl.keyed.pivot.window_passes import WindowPasses
from rtl.keyed.step import step_layout
from rtl.stream.beat import beat
from rtl.stream.order import equal
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Width of the number of a tuple in its stream, in bits.
ARRIVALS = 48

WRONG = Counter(
    name="wrong_windows",
    doc="windows whose row has valid 0, because a line of the window is damaged, or in doubt after "
    "an error of the memory",
)

OVERFLOWED = Counter(
    name="overflowed_windows",
    doc="windows whose row has valid 0, because newer blocks have replaced blocks of the window in "
    "a ring that is too small",
)

PASSES = Counter(
    name="passes",
    doc="passes of windows through the kernels in search of percentiles, at least one for each "
    "window; passes that end early, or repeat answers that were found before, do not count",
)


def evicted_layout(key):
    """Returns the layout of a report of an evicted key.

    Members: ``key``, the evicted key; ``arrival``, the number of the tuple that evicted it, from 0
    among the tuples that pass WHERE and have no NaN.
    """
    return data.StructLayout({"key": key, "arrival": ARRIVALS})


def row_counters(plan):
    """Returns the counters of invalid rows.

    A row is counted when it leaves the kernels. A count of windows at the input of the kernels
    would count each pass of a window.
    """
    return (WRONG, OVERFLOWED) if "overflow" in plan.window_info.members else (WRONG,)


def window_counters(plan):
    """Returns the counters of KeyWindows."""
    return tuple(counter for counter in key_counters(plan) if counter not in row_counters(plan))


def key_counters(plan):
    """Returns the counters of windows of keys and of their rows, in the order of the registers."""
    changed = Counter(
        name="m3_read_modify_writes", doc="lines read from M3 to be changed in part, and written"
    )
    values = Counter(
        name="window_values",
        doc="values of windows: each tuple's in every window that it is in",
        max_increment=plan.line_format.values_max,
    )
    read = Counter(
        name="m3_window_values",
        doc="values of windows that were read from M3",
        max_increment=plan.line_format.values_max,
    )
    lines = counters_of(plan.lines.ports)
    passes = () if plan.pivots is None else (PASSES,)
    wrong, *overflowed = row_counters(plan)
    of_windows = (COLLISION, *lines, changed, values, read, wrong, *passes)
    return (*of_windows, *plan.store.counters, *overflowed)


class KeyWindows(wiring.Component):
    """Stores the last tuples of every key, and sends each window, line by line, when it closes.

    ::

        i --> steps ---> Levels --+-- commands --> LineMemory -- lines --+--> collector ---> o
              table,     M1, M2   |                M3, m_axi_0 ...       |    WindowLines
              place in            +-- windows --> queue -----------------+
              the ring                tail line, key, number

    The values of each key lie in lines of 64 bytes. The last line of a key grows on the chip: M1
    stores the values of the word that is being filled, M2 the full words of the line. A full line
    is written to M3, a ring of lines for each key in DRAM. A step that closes a window causes a
    read of the window's full lines, and puts the growing line, the *tail*, into ``queue``. The
    collector sends the lines from M3, then the tail.

    This is the default, ``memory="mlq"``. With ``memory="dram-only"`` in the plan
    :class:`~rtl.keyed.store.lines.dram_levels.DramLevels` replaces M1 and M2, and the growing line
    lies in M3, too. With a :class:`~rtl.keyed.store.blocks.block_store.BlockStore` the lines are
    compressed blocks.

    With :class:`~rtl.keyed.windows.row_kind.RowKind` a window is the last ws tuples of a key, after
    every wa tuples of the key. With :class:`~rtl.keyed.windows.time_kind.TimeKind` a window is the
    tuples of an interval of time, and closes with the key's first tuple at or after the interval's
    end. Values of a window come in the order of their arrival, windows in the order of the tuples
    that close them; if one tuple closes several windows, their numbers ascend. The end of a stream
    is a line without values, with ``window_info.end``, after all windows. Open windows are dropped
    at the end of a stream, and no tuple of a stream is in a window of the next stream.

    With ``mlq`` no line is read to be changed: M1, M2 and M3 store each value once, and M3 is
    written in whole lines. A tuple is accepted in every cycle as long as the memory delivers the
    windows: a window of l lines takes l cycles, plus the memory's own pauses.

    With ``dram-only`` each value causes a write of its line. It also causes a read of the line,
    unless the value is the first of its line, or one of the 32 values before was in the same line.
    Let r be the reads per tuple (7/8, with keys at random and 8 values in a line), m the latency of
    the memory, b the beats of a line, and ``reads`` and ``writes`` the unanswered bursts that a
    :class:`~rtl.keyed.dram.line_port.LinePort` allows. The limits in tuples per cycle are

    - ``1 / (1 + r)``, because one command goes out per cycle; windows need commands, too;
    - ``reads / (m + b + 1) / r`` and ``writes / (m + b + 1)`` for each port;
    - ``32 / (m + b + 12)``, because at most 32 tuples are in flight.

    A stall at ``o``, or of the memory, stalls ``i`` when the queues between are full; a stall at
    ``evicted`` stalls ``i`` when two keys wait there.

    Latency from a tuple to the line of a window that lies in M1 and M2 alone: for windows of rows
    6 (``steps``) + 1 (``skid``) + 2 (``levels``) + 1 (``queue``) = 10 cycles. For windows of time
    6 + ceil(w / 2) cycles more, where w is the width of the plan's ``moment`` in bits: the
    division takes 3 + ceil(w / 2) cycles, the steps for the closed windows 2, the collector 1.
    Initiation interval 1 cycle.

    Parameters
    ----------
    plan : KeyedPlan
    windows : int
        Number of windows that may wait for the memory.
    table, memory : dict
        Keyword arguments of :class:`~rtl.keyed.table.hash_table.HashTable` and
        :class:`~rtl.keyed.dram.line_memory.LineMemory`.

    Members
    -------
    i : In(stream.Signature(plan.arriving))
    bases : In(data.ArrayLayout(...))
        Base address of each memory port, in multiples of 4 KiB.
    o : Out(stream.Signature(plan.window_line))
        ``p.passenger`` has three members, with pivots also ``pivots`` and ``again``, and with a
        codec of chains those of :func:`~rtl.keyed.codec.chained.chain_format.chain_counts`.
        ``passenger`` is the plan's ``window_info``. ``m3`` is high if the line comes from M3; with
        chains, if the last block of the line's chain does.
        ``error`` is only high in a window's last line: the read of one of the window's lines
        failed, or another access to the ring of the key's entry has failed since the reset, perhaps
        for a key that had the entry before. After such failures in several rings ``error`` is high
        for the windows of all keys.
    evicted : Out(stream.Signature(beat(evicted_layout(plan.key), 1)))
        A packet for each stream: the evicted keys, each with the number, from 0, of the tuple that
        evicted it, in this order. The last beat of a packet may be without a key.
    failed : Out(1)
        An access to the memory was answered with an error, for at least a cycle.
    events : Out(events((*window_counters(plan), *plan.window.drops)))
    busy : Out(1)
        A burst is under way, or a command, line or window waits after the levels.
    started : Out(stream.Signature(plan.pivots.started)), or none
    verdicts : In(stream.Signature(plan.pivots.verdict, always_ready=True)), or none
        With pivots: the passes of windows at ``o``, and their results.
    m_axi_0, ... : Out(Axi4(...)), or none
        With lines outside of the chip.
    m2_base : In(plan.outer_m2.base_bits), or none
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
        self._memory = LineMemory(plan.lines, kind=plan.m3_kind, **(memory or {}))
        self._queue = StreamQueue(self._levels.windows.p.shape(), windows)
        self._evictions = StreamQueue(beat(evicted_layout(plan.key), 1), 2)
        axi = dict(self._levels.signature.members) | dict(self._memory.signature.members)
        outside = () if plan.outer_m2 is None else ("m2_base", "m_axi_m2")
        passes = self._collector.signature.members
        judged = () if plan.pivots is None else ("started", "verdicts")
        self._memories = [f"m_axi_{name}" for name in plan.masters]
        super().__init__(
            {
                "i": In(self._steps.i.signature.flip()),
                "bases": In(self._memory.bases.shape()),
                "o": Out(self._collector.o.signature),
                "evicted": Out(self._evictions.o.signature),
                "failed": Out(1),
                "events": Out(events((*window_counters(plan), *plan.window.drops))),
                "busy": Out(1),
                **{name: axi[name] for name in (*self._memories, *outside)},
                **{name: passes[name] for name in judged},
            }
        )

    @staticmethod
    def latency_of(plan):
        """Returns the latency from a tuple to its window, in cycles, if no DRAM is read."""
        levels = SkidBuffer.latency + plan.store.levels_latency(plan) + StreamQueue.latency
        passes = 0 if plan.pivots is None else WindowPasses.latency
        collector = sum(plan.store.collector_latencies(plan)) + passes
        return plan.window.steps_latency(plan) + levels + collector

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
        # Breaks the path of ``ready`` from the levels and evictions, because the path through the
        # table alone is long.
        m.submodules.skid = skid = self._skid
        wiring.connect(m, steps.o, skid.i)
        self._report(m, skid.o, levels.i)
        # Breaks the path of ``ready`` from the memory's ports.
        m.submodules.commands = commands = StreamQueue(memory.commands.p.shape(), 2)
        wiring.connect(m, levels.commands, commands.i)
        wiring.connect(m, commands.o, memory.commands)
        wiring.connect(m, levels.windows, queue.i)
        wiring.connect(m, queue.o, collector.windows)
        # Breaks the path of ``ready`` from the collector.
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
                | (0 if self._plan.pivots is None else collector.busy)
            ),
            self.o.valid.eq(collector.o.valid),
            collector.o.ready.eq(self.o.ready),
            self.o.p.eq(collector.o.p),
        ]
        if self._plan.pivots is not None:
            wiring.connect(m, collector.started, wiring.flipped(self.started))
            wiring.connect(m, wiring.flipped(self.verdicts), collector.verdicts)
            m.d.comb += self.events.passes.eq(collector.counts_pass)
        self._count(m, self.o)
        window_info = collector.o.p.passenger.passenger
        failures = [(failed.valid, self._ring_of(failed.line)) for failed in memory.failed]
        failures.append((levels.failed.valid, levels.failed.entry))
        # Perhaps no window needs the line of a failed read: a block that gives way is read, too.
        failed_reads = arrived.o.valid & arrived.o.p.error
        m.d.comb += self.failed.eq(Cat(failed_reads, *(fails for fails, _ in failures)).any())
        with m.If(self._doubtful(m, failures, window_info.entry) & collector.o.p.last):
            m.d.comb += self.o.p.passenger.error.eq(~window_info.end)
        for port in self._memories:
            wiring.connect(m, getattr(memory, port), wiring.flipped(getattr(self, port)))
        if self._plan.outer_m2 is not None:
            m.d.comb += levels.m2_base.eq(self.m2_base)
            wiring.connect(m, levels.m_axi_m2, wiring.flipped(self.m_axi_m2))
        return m

    def _report(self, m, source, target):
        """Connects the steps to the levels, and reports evicted keys and ends of streams.

        A report enters its queue in the cycle in which its step enters the levels. If either has no
        room, both wait.
        """
        m.submodules.evictions = evictions = self._evictions
        wiring.connect(m, evictions.o, wiring.flipped(self.evicted))
        step = source.p
        arrival = Signal(ARRIVALS)
        eviction = evictions.i.p
        reports = step.evicted | step.window_info.end
        room = evictions.i.ready | ~reports
        m.d.comb += [
            target.p.eq(step),
            target.valid.eq(source.valid & room),
            source.ready.eq(target.ready & room),
            evictions.i.valid.eq(source.valid & reports & target.ready),
            eviction.valid.eq(step.evicted),
            eviction.last.eq(step.window_info.end),
            eviction.tuples[0].arrival.eq(arrival),
            Value.cast(eviction.tuples[0].key).eq(Value.cast(step.evicted_key)),
            self.events.collision.eq(evictions.i.valid & evictions.i.ready & step.evicted),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += arrival.eq(Mux(step.window_info.end, 0, arrival + step.arrived))

    def _count(self, m, line):
        """Counts values of windows, all and those from M3, two cycles after their line."""
        form = self._plan.line_format
        transfer = Signal()
        counts = form.value_counts(line.p)
        passenger = line.p.passenger
        # A line has a flag if all its values come from one memory, else a count.
        m3 = passenger.m3_values if form.counts else passenger.m3
        values = Signal.like(self.events.window_values)
        from_m3 = Signal.like(self.events.window_values)
        m.d.comb += [
            self.events.window_values.eq(values),
            self.events.m3_window_values.eq(from_m3),
            transfer.eq(line.valid & line.ready),
        ]
        seen = [Signal.like(count, name=f"seen{k}") for k, count in enumerate(counts)]
        seen_m3 = Signal.like(m3)
        m.d.sync += [
            *(one.eq(Mux(transfer, count, 0)) for one, count in zip(seen, counts, strict=True)),
            seen_m3.eq(Mux(transfer, m3, 0)),
            values.eq(sum(seen)),
            from_m3.eq(seen_m3 if form.counts else Mux(seen_m3, sum(seen), 0)),
        ]

    def _ring_of(self, line):
        """Returns the ring of a line's number, which is also the entry of the ring's key."""
        lines = self._plan.lines
        return line[lines.port_bits + lines.ring_bits :]

    def _doubtful(self, m, failures, entry):
        """Returns a value that is high if lines of an entry may be wrong after a memory error.

        ``failures`` are pairs (an access fails, the ring of the access), one for each source of
        errors. For each source the first ring that failed is saved; when another ring fails, the
        lines of all entries count as wrong. Only a reset clears these errors.
        """
        doubts = []
        for k, (fails, ring) in enumerate(failures):
            failed = Signal(name=f"bad{k}")
            bad_ring = Signal(len(ring), name=f"bad_ring{k}")
            several = Signal(name=f"bad_rings{k}")
            with m.If(fails):
                m.d.sync += failed.eq(1)
                with m.If(~failed):
                    m.d.sync += bad_ring.eq(ring)
                with m.Elif(bad_ring != ring):
                    m.d.sync += several.eq(1)
            doubts.append(several | equal(bad_ring, entry, failed))
        return Cat(doubts).any()
