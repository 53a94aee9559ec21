"""The core of the engine for windows of each key."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import MEMORY_ERROR, merged_counters
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
from rtl.engine.streamzip.answers import Answers
from rtl.keyed.dram.lines import PAGE_BYTES
from rtl.keyed.key_windows import KeyWindows, key_counters
from rtl.keyed.windows.window_ends import without_end
from rtl.stream.beat import beat, wire
from rtl.stream.order import equal

#: Windows that may wait for the memory.
WINDOWS = 32


class StreamZip(wiring.Component):
    """Aggregates the windows of every key: the last ws tuples after every wa, or those of a time.

    ::

        i -> intake -> KeyWindows -----------------> Answers -> WindowEnds -> o
             WHERE,    table, M1, M2, m_axi_0 ...    kernels    of time
             NaN           |
                           +--> evicted

    A row for each window that is closed, in the order of the tuples that close them, all rows of a
    stream in one packet. Windows that the end of a stream cuts short give nothing, and what one
    stream has left is never seen in the next. A key that finds no place in the table throws out
    another, which begins anew when it comes again: that is told at ``evicted``.

    A tuple in every cycle, while windows are no more than memory and kernels give: see
    :mod:`rtl.engine.streamzip.rates`. ``i`` stalls with them, with ``o``, and with ``evicted`` once
    two beats wait there. A stream that begins with other bases waits until nothing of those before
    it is in the memory. With windows of time one that begins with other lengths, or another start,
    waits until all rows of those before it have left: the ends of windows are made with them.

    Latency from the last tuple of a window that M3 has no part of, or the first tuple behind it, to
    its row: that of the parts. Initiation interval 1 cycle.

    Parameters
    ----------
    intake : IntakePlan
        Of one lane, not dense.
    keys : KeyedPlan
    columns : dict of str to str
        Of each member of ``keys.arriving`` that is a column, its name: the ``key``, and the
        ``time``.
    kernels : KernelPlan
    row : data.StructLayout
        A row: ``window``, with windows of time their ``end``, ``valid``, ``key``, ``results``.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, 1, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(row, 1)))
    evicted : Out(stream.Signature(beat(evicted_layout(keys.key), 1)))
    busy : Out(1)
        A stream whose end was taken has not left, here or at ``evicted``; or a burst is under way.
    events : Out(events(merged_counters(intake.counters, keys.window.drops, key_counters(keys))))
    errors : Out(errors((*intake.flags, MEMORY_ERROR)))
    m_axi_0, ... : Out(Axi4(...))
    m_axi_m2 : Out(Axi4(...)), or none
        With M2 outside of the chip.

    Source: seed 000, section 3.
    """

    initiation_interval = 1

    def __init__(self, intake, keys, columns, kernels, row):
        self._plan, self._columns, self._settings = keys, columns, intake.passed_settings
        self._intake = Intake(intake)
        self._windows = KeyWindows(keys, windows=WINDOWS)
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
        """Names of the memory masters: those of M3 by their numbers, and that of M2 outside."""
        numbers = tuple(str(k) for k in range(self._plan.lines.ports))
        return numbers if self._plan.outside is None else (*numbers, "m2")

    @property
    def _memories(self):
        return tuple(f"m_axi_{name}" for name in self._masters)

    @property
    def latency(self):
        inside = self._intake.latency + self._windows.latency + self._answers.latency
        return inside + (0 if self._ends is None else self._ends.latency)

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = intake = self._intake
        m.submodules.windows = windows = self._windows
        m.submodules.answers = answers = self._answers
        wiring.connect(m, wiring.flipped(self.i), intake.i)
        wiring.connect(m, windows.o, answers.i)
        wiring.connect(m, windows.evicted, wiring.flipped(self.evicted))
        for name in self._memories:
            wiring.connect(m, getattr(windows, name), wiring.flipped(getattr(self, name)))
        # Of the intake, which is a register here, that is all there can be.
        held = intake.o.valid | intake.swallowed_end
        kept, behind = self._kept(m), answers.busy
        if self._ends is None:
            wiring.connect(m, answers.o, wiring.flipped(self.o))
            self._let_in(m, kept)
        else:
            m.submodules.ends = timed = self._ends
            wiring.connect(m, answers.o, timed.i)
            wiring.connect(m, timed.o, wiring.flipped(self.o))
            behind = behind | timed.busy
            m.d.comb += wire(timed.lengths, self._let_in(m, kept | behind))
        m.d.comb += self.busy.eq(held | kept | behind | windows.evicted.valid)
        line = windows.o
        wrong = line.valid & line.ready & line.p.last & line.p.passenger.error
        gather(m, self, intake, windows, {"memory_error": windows.failed | wrong})
        return m

    def _kept(self, m):
        """Whether a stream is in the table or the memory."""
        intake, windows = self._intake, self._windows
        m.submodules.tracker = tracker = StreamTracker(2 * windows.latency + WINDOWS)
        kept = Signal()
        m.d.comb += [
            tracker.end_offered.eq(offers_end(intake.o)),
            tracker.end_accepted.eq(intake.o.ready),
            tracker.ends_leaving.eq(transfers_end(windows.o) & windows.o.p.passenger.passenger.end),
            kept.eq(tracker.busy | windows.busy),
        ]
        return kept

    def _let_in(self, m, kept):
        """Tuples go on with what holds for their stream, and changes while nothing is kept.

        That are the bases, and where windows end by them the lengths, which are returned.
        """
        source, target = self._intake.o, self._windows.i
        settings, page = Signal(self._settings), PAGE_BYTES.bit_length() - 1
        told = Signal(self._plan.settings)
        bases = Cat(settings[f"base_{name}"][page:] for name in self._masters)
        told_of = ("bases",) if self._plan.outside is None else ("bases", "m2_base")
        lasting = {name: getattr(self._windows, name).shape() for name in told_of}
        lasting |= {"lengths": self._plan.settings} if self._ends is not None else {}
        held = Signal(data.StructLayout(lasting))
        wanted = Cat(bases, told) if self._ends is not None else bases
        same = Signal()
        tuple_ = source.p.tuples[0]
        m.d.comb += [
            settings.eq(source.p.context),
            *(told[name].eq(settings[name]) for name in self._plan.settings.members),
            same.eq(equal(wanted, held.as_value())),
            *(getattr(self._windows, name).eq(held[name]) for name in told_of),
            *(
                Value.cast(target.p[member]).eq(Value.cast(tuple_[column]))
                for member, column in self._columns.items()
            ),
            *(target.p.item[name].eq(tuple_[name]) for name in self._plan.item.members),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.p.settings.eq(told),
            target.valid.eq(source.valid & same),
            source.ready.eq(target.ready & same),
        ]
        with m.If(source.valid & ~kept):
            m.d.sync += held.as_value().eq(wanted)
        return held.lengths if self._ends is not None else None
