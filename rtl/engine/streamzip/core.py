"""The core of the engine for windows of each key."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import MEMORY_ERROR, together
from rtl.engine.parts.inside import Inside, ends, offers_end
from rtl.engine.parts.intake import Intake
from rtl.engine.parts.reports import gather, reports
from rtl.engine.streamzip.answers import Answers
from rtl.engine.streamzip.key_windows import KeyWindows, key_counters
from rtl.memory.lines import PAGE_BYTES
from rtl.stream.beat import beat

#: Windows that may wait for the memory.
WINDOWS = 32


class StreamZip(wiring.Component):
    """Aggregates the last ws tuples of every key, after every wa tuples of it.

    ::

        i -> intake -> KeyWindows -----------------> Answers -> o
             WHERE,    table, M1, M2, m_axi_0 ...    kernels
             NaN           |
                           +--> evicted

    A row for each window that is filled, in the order of the tuples that fill them, all rows of a
    stream in one packet. Windows that the end of a stream cuts short give nothing, and what one
    stream has left is never seen in the next. A key that finds no place in the table throws out
    another, which begins anew when it comes again: that is told at ``evicted``.

    A tuple in every cycle, while windows are no more than memory and kernels give: see
    :mod:`rtl.engine.streamzip.rates`. ``i`` stalls with them, with ``o``, and with ``evicted`` once
    two beats wait there. A stream that begins with other bases waits until nothing of those before
    it is in the memory.

    Latency from the last tuple of a window that M3 has no part of, to its row: that of the parts.
    Initiation interval 1 cycle.

    Parameters
    ----------
    intake : IntakePlan
        Of one lane, not dense.
    keys : KeyPlan
    key : str
        The column of the key.
    kernels : KernelPlan
    row : data.StructLayout
        A row: ``window``, ``valid``, ``key``, ``results``.

    Members
    -------
    i : In(stream.Signature(beat(intake.row, 1, intake.settings.layout.size)))
    o : Out(stream.Signature(beat(row, 1)))
    evicted : Out(stream.Signature(beat(evicted_layout(keys.key), 1)))
    busy : Out(1)
        A stream whose end was taken has not left, here or at ``evicted``; or a burst is under way.
    events : Out(events(together(intake.counters, key_counters(keys.lines))))
    errors : Out(errors((*intake.flags, MEMORY_ERROR)))
    m_axi_0, ... : Out(Axi4(...))

    Source: seed 000, section 3.
    """

    initiation_interval = 1

    def __init__(self, intake, keys, key, kernels, row):
        self._plan, self._key, self._settings = keys, key, intake.kept
        self._intake = Intake(intake)
        self._windows = KeyWindows(keys, windows=WINDOWS)
        self._answers = Answers(kernels, keys, row)
        arriving = beat(intake.row, 1, intake.settings.layout.size)
        axi = self._windows.signature.members
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(stream.Signature(beat(row, 1))),
                "evicted": Out(self._windows.evicted.signature),
                "busy": Out(1),
                **reports(
                    together(intake.counters, key_counters(keys.lines)),
                    (*intake.flags, MEMORY_ERROR),
                ),
                **{name: axi[name] for name in self._memories},
            }
        )

    @property
    def _memories(self):
        return tuple(f"m_axi_{k}" for k in range(self._plan.lines.ports))

    @property
    def latency(self):
        return self._intake.latency + self._windows.latency + self._answers.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.intake = intake = self._intake
        m.submodules.windows = windows = self._windows
        m.submodules.answers = answers = self._answers
        wiring.connect(m, wiring.flipped(self.i), intake.i)
        self._let_in(m, self._watch(m))
        wiring.connect(m, windows.o, answers.i)
        wiring.connect(m, windows.evicted, wiring.flipped(self.evicted))
        wiring.connect(m, answers.o, wiring.flipped(self.o))
        for name in self._memories:
            wiring.connect(m, getattr(windows, name), wiring.flipped(getattr(self, name)))
        line = windows.o
        wrong = line.valid & line.ready & line.p.last & line.p.passenger.error
        gather(m, self, intake, windows, {"memory_error": windows.failed | wrong})
        return m

    def _watch(self, m):
        """Tells what is busy; returns whether a stream is in the table or the memory."""
        intake, windows, answers = self._intake, self._windows, self._answers
        m.submodules.inside = inside = Inside(2 * windows.latency + WINDOWS)
        kept = Signal()
        # Of the intake, which is a register here, that is all there can be.
        held = intake.o.valid | intake.ended
        m.d.comb += [
            inside.comes.eq(offers_end(intake.o)),
            inside.takes.eq(intake.o.ready),
            inside.leaves.eq(ends(windows.o) & windows.o.p.passenger.passenger.end),
            kept.eq(inside.busy | windows.busy),
            self.busy.eq(held | kept | answers.busy | windows.evicted.valid),
        ]
        return kept

    def _let_in(self, m, kept):
        """Tuples go on with the bases of their stream, which change while nothing is kept."""
        source, target = self._intake.o, self._windows.i
        settings, bases = Signal(self._settings), Signal(self._windows.bases.shape())
        page = PAGE_BYTES.bit_length() - 1
        wanted = Cat(settings[f"base_{k}"][page:] for k in range(self._plan.lines.ports))
        same = Signal()
        tuple_ = source.p.tuples[0]
        m.d.comb += [
            settings.eq(source.p.context),
            same.eq(wanted == bases.as_value()),
            self._windows.bases.eq(bases),
            Value.cast(target.p.key).eq(Value.cast(tuple_[self._key])),
            *(target.p.item[name].eq(tuple_[name]) for name in self._plan.line.item.members),
            target.p.valid.eq(source.p.valid),
            target.p.last.eq(source.p.last),
            target.p.settings.size.eq(settings["size"]),
            target.p.settings.slide.eq(settings["slide"]),
            target.valid.eq(source.valid & same),
            source.ready.eq(target.ready & same),
        ]
        with m.If(source.valid & ~kept):
            m.d.sync += bases.as_value().eq(wanted)
