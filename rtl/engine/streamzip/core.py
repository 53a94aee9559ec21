"""The core of the engine for windows of each key."""

from amaranth.hdl import Cat, Const, Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import MEMORY_ERROR, merged_counters
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
from rtl.engine.streamzip.answers import Answers
from rtl.keyed.dram.lines import PAGE_BYTES
from rtl.keyed.key_windows import KeyWindows, key_counters
from rtl.keyed.pivot.pivot_plan import WINDOWS as PASS_WINDOWS
from rtl.keyed.windows.window_ends import without_end
from rtl.stream.beat import beat, wire
from rtl.stream.order import equal

#: Number of windows that may wait for the memory.
QUEUED_WINDOWS = 32


class StreamZip(wiring.Component):
    """Aggregates the windows of every key: windows of rows, or windows of time.

    With ``ROWS ws SLIDE wa`` a window has the last ws tuples of its key, and closes after every wa
    tuples. With ``RANGE`` a window has the tuples of a range of time. For instance with ws = 4 and
    wa = 2 the fourth, sixth and eighth tuple of a key close windows of the key's tuples 0 to 3, 2
    to 5 and 4 to 7, whatever other keys do meanwhile.

    ::

        i -> intake -> KeyWindows -----------------> Answers -> WindowEnds -> o
             WHERE,    table, M1, M2, m_axi_0 ...    kernels    (windows
             NaN           |                                    of time)
                           +--> evicted

    Each closed window has a row. Rows are in the order of the tuples that close the windows, and
    all rows of a stream are one packet. Windows that are open at the end of a stream have no row,
    and no tuple of a stream is in a window of the next stream. A key for which the table has no
    free place evicts another key, which begins anew when it comes again; each eviction is reported
    at ``evicted``.

    A tuple is accepted in every cycle as long as memory and kernels keep up with the windows: see
    :mod:`rtl.engine.streamzip.rates`. Otherwise ``i`` stalls; ``i`` also stalls with ``o``, and
    with ``evicted`` when two beats wait there. A stream with other base addresses waits until the
    memory has finished the earlier streams. With windows of time a stream with any other setting
    waits until all rows of the earlier streams have left, because the ends of their windows are
    computed with their own settings. The first tuple of such a stream waits one cycle more, in
    which the new values are saved, even if the engine is idle.

    M1, M2 and M3 are the levels of the memory; M3 is the DRAM behind ``m_axi_0``, if it is not on
    the chip. If no line of a window is in M3, the latency from the tuple that closes the window to
    its row is the sum of the latencies of the parts. Initiation interval 1 cycle.

    Parameters
    ----------
    intake : IntakePlan
        Plan with one lane, and not dense: the intake leaves gaps where it drops tuples.
    keys : KeyedPlan
    columns : dict of str to str
        Maps ``key``, and with windows of time ``time``, which are members of ``keys.arriving``, to
        the names of the columns that drive them.
    kernels : KernelPlan
    row : data.StructLayout
        A row: ``window``, with windows of time ``end``, then ``valid``, ``key``, ``results``.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, 1, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(row, 1)))
    evicted : Out(stream.Signature(beat(evicted_layout(keys.key), 1)))
    busy : Out(1)
        High while a stream whose end was accepted is inside, while a report waits at ``evicted``,
        and while a burst is under way. Before the end of a stream it may be high, too, while a
        tuple, a window or a row waits in a register.
    events : Out(events(merged_counters(intake.counters, keys.window.drops, key_counters(keys))))
    errors : Out(errors((*intake.flags, MEMORY_ERROR)))
    m_axi_0, ... : Out(Axi4(...)), or none
        With M3 outside of the chip.
    m_axi_m2 : Out(Axi4(...)), or none
        With M2 outside of the chip.

    Source: seed 000, section 3.
    """

    initiation_interval = 1

    def __init__(self, intake, keys, columns, kernels, row):
        self._plan = keys
        self._columns = columns
        self._settings = intake.passed_settings
        self._intake = Intake(intake)
        self._windows = KeyWindows(keys, windows=QUEUED_WINDOWS)
        self._answers = Answers(kernels, keys, without_end(row))
        self._ends = keys.window.row_ends(row)
        arriving = beat(intake.row, 1, intake.settings.layout.size)
        axi = self._windows.signature.members
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(stream.Signature(beat(row, 1))),
                "evicted": Out(self._windows.evicted.signature),
                "busy": Out(1),
                **reports(
                    merged_counters(intake.counters, keys.window.drops, key_counters(keys)),
                    (*intake.flags, MEMORY_ERROR),
                ),
                **{name: axi[name] for name in self._memories},
            }
        )

    @property
    def _masters(self):
        """Names of the masters: numbers for M3, "m2" for M2, each if it is outside of the chip."""
        numbers = self._plan.masters
        return numbers if self._plan.outer_m2 is None else (*numbers, "m2")

    @property
    def _memories(self):
        return tuple(f"m_axi_{name}" for name in self._masters)

    @property
    def latency(self):
        latency_inside = self._intake.latency + self._windows.latency + self._answers.latency
        return latency_inside + (0 if self._ends is None else self._ends.latency)

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = intake = self._intake
        m.submodules.windows = windows = self._windows
        m.submodules.answers = answers = self._answers
        wiring.connect(m, wiring.flipped(self.i), intake.i)
        wiring.connect(m, windows.o, answers.i)
        if self._plan.pivots is not None:
            wiring.connect(m, windows.started, answers.started)
            wiring.connect(m, answers.verdicts, windows.verdicts)
        wiring.connect(m, windows.evicted, wiring.flipped(self.evicted))
        for name in self._memories:
            wiring.connect(m, getattr(windows, name), wiring.flipped(getattr(self, name)))
        # The intake is a single register, so it holds at most one tuple; the end of a swallowed
        # stream leaves it without coming to ``o``.
        intake_busy = intake.o.valid | intake.swallowed_end
        windows_busy = self._windows_busy(m)
        rows_busy = answers.busy
        if self._ends is None:
            wiring.connect(m, answers.o, wiring.flipped(self.o))
            self._admit(m, windows_busy)
        else:
            m.submodules.ends = ends = self._ends
            wiring.connect(m, answers.o, ends.i)
            wiring.connect(m, ends.o, wiring.flipped(self.o))
            rows_busy = rows_busy | ends.busy
            m.d.comb += wire(ends.lengths, self._admit(m, windows_busy | rows_busy))
        m.d.comb += self.busy.eq(intake_busy | windows_busy | rows_busy | windows.evicted.valid)
        # ``wrong_windows`` leaves out the windows whose blocks gave way, which have a counter of
        # their own: a ring that is too small is no memory error.
        memory_error = windows.failed | answers.events.wrong_windows
        gather(m, self, intake, windows, answers, {"memory_error": memory_error})
        return m

    def _windows_busy(self, m):
        """Returns a signal that is high while a stream is in the table or the memory."""
        intake = self._intake
        windows = self._windows
        passing = 0 if self._plan.pivots is None else PASS_WINDOWS
        # The most ends inside: two in each cycle of latency, because a skid buffer holds two, and
        # those in the queues. An end is an empty window, and passes the decoders as an empty block.
        # More ends may wait in the memory of dram-only or of an M2 outside of the chip. Then the
        # count may wrap, which does no harm, because windows.busy is high as long as they wait.
        ends_max = 2 * windows.latency + QUEUED_WINDOWS + passing + self._plan.line_format.queued
        m.submodules.tracker = tracker = StreamTracker(ends_max)
        windows_busy = Signal()
        m.d.comb += [
            tracker.end_offered.eq(offers_end(intake.o)),
            tracker.end_accepted.eq(intake.o.ready),
            tracker.ends_leaving.eq(transfers_end(windows.o) & windows.o.p.passenger.passenger.end),
            windows_busy.eq(tracker.busy | windows.busy),
        ]
        return windows_busy

    def _admit(self, m, busy):
        """Holds back a stream with other bases or settings until the pipeline is idle.

        The settings are compared only with windows of time. They are all settings of the plan:
        range, slide and start, and with a lossy codec the error bound. All memory commands use one
        set of base addresses, and all ends of windows one set of settings. Invariant: **the saved
        bases and settings are those of all tuples inside**. They change only while ``busy`` is low,
        which takes the stream's first tuple one cycle. Returns the saved settings, or None for
        windows of rows.
        """
        source = self._intake.o
        target = self._windows.i
        settings = Signal(self._settings)
        page = PAGE_BYTES.bit_length() - 1
        plan_settings = Signal(self._plan.settings)
        end = page + self._plan.lines.base_bits
        bases = Cat(settings[f"base_{name}"][page:end] for name in self._masters)
        if not self._plan.masters:  # lines on the chip, which need no addresses
            bases = Cat(Const(0, self._windows.bases.shape().size), bases)
        base_ports = ("bases",) if self._plan.outer_m2 is None else ("bases", "m2_base")
        saved_layout = {name: getattr(self._windows, name).shape() for name in base_ports}
        saved_layout |= {"settings": self._plan.settings} if self._ends is not None else {}
        saved = Signal(data.StructLayout(saved_layout))
        current = Cat(bases, plan_settings) if self._ends is not None else bases
        has_saved_settings = Signal()  # the tuple on offer may enter
        tuple_ = source.p.tuples[0]
        m.d.comb += [
            settings.eq(source.p.context),
            *(plan_settings[name].eq(settings[name]) for name in self._plan.settings.members),
            has_saved_settings.eq(equal(current, saved.as_value())),
            *(getattr(self._windows, name).eq(saved[name]) for name in base_ports),
            *(
                Value.cast(target.p[member]).eq(Value.cast(tuple_[column]))
                for member, column in self._columns.items()
            ),
            *(target.p.item[name].eq(tuple_[name]) for name in self._plan.item.members),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.p.settings.eq(plan_settings),
            target.valid.eq(source.valid & has_saved_settings),
            source.ready.eq(target.ready & has_saved_settings),
        ]
        with m.If(source.valid & ~busy):
            m.d.sync += saved.as_value().eq(current)
        return saved.settings if self._ends is not None else None
