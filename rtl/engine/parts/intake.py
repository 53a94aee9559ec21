"""The intake of an engine: selects tuples, and swallows streams with refused settings."""

from dataclasses import dataclass, replace

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.query import Query
from rtl.contract.counters import BAD_SETTING, FILTERED, NAN, OVERRUN
from rtl.contract.settings import HostSettings
from rtl.engine.parts.reports import reports
from rtl.network.compactor import RoundRobinCompactor
from rtl.stream.beat import beat, split
from rtl.stream.register import StreamRegister
from rtl.stream.selection import constant_names, needs_selection, verdict


@dataclass(frozen=True, kw_only=True)
class IntakePlan:
    """Describes an :class:`Intake`.

    Attributes
    ----------
    query : Query
        The intake reads ``where`` and ``columns``.
    row : data.StructLayout
        A tuple.
    lanes : int
    settings : HostSettings
    dense : bool
        True to close the gaps that dropped tuples leave.
    scan : str
        Shape of the network that closes gaps, see :mod:`rtl.network.plan`.
    """

    query: Query
    row: data.StructLayout
    lanes: int
    settings: HostSettings
    dense: bool = True
    scan: str = "sklansky"

    @property
    def has_selection(self):
        """True if the query can drop a tuple, by WHERE or for a NaN."""
        return needs_selection(self.query)

    @property
    def has_settings(self):
        """True if the engine has settings that can be refused."""
        return bool(self.settings.numbers)

    @property
    def closes_gaps(self):
        """True if the intake closes the gaps that dropped tuples leave."""
        return self.has_selection and self.dense

    @property
    def passed_settings(self):
        """Layout of the settings that leave with each beat: all but the constants of WHERE."""
        read = set(constant_names(self.query))
        members = self.settings.layout
        return data.StructLayout({name: f.shape for name, f in members if name not in read})

    @property
    def counters(self):
        """Counters of dropped tuples. Each may count a whole beat in a cycle."""
        counters = (NAN, FILTERED) if self.has_selection else ()
        counters += (OVERRUN,) if self.has_settings else ()
        return tuple(replace(counter, max_increment=self.lanes) for counter in counters)

    @property
    def flags(self):
        return (BAD_SETTING,) if self.has_settings else ()

    @property
    def latency(self):
        """Latency from the last beat of a stream to the remaining tuples at its end, in cycles."""
        first = 1 if self.has_selection or self.has_settings else 0
        if not self.closes_gaps:
            return first
        return first + RoundRobinCompactor.latency_of(self.lanes, scan=self.scan) + 1


class Intake(wiring.Component):
    """Passes on the tuples that WHERE selects, without NaN, of streams with allowed settings.

    ::

        i --> WHERE? NaN? --+--> register --> swallows? --> compactor --> o
              allowed?    --+                               only if dense

    A tuple that WHERE rejects, or that has a NaN in a column of the query, loses its valid bit. A
    tuple with a NaN counts as ``nan``, also if WHERE rejects the tuple. With ``dense`` the gaps are
    closed, in order. A stream with refused settings is swallowed: all of its beats are accepted, at
    full rate, and no beat leaves, not even ``last``. The tuples of a swallowed stream that pass
    WHERE and have no NaN count as ``overrun``, the others as ``filtered`` or ``nan``. The settings
    in :attr:`IntakePlan.passed_settings` leave with each beat.

    Only the necessary parts are built: without WHERE, NaN and settings, ``o`` is ``i``.

    Tuples keep their order. Streams may follow each other without a gap. A stall at ``o`` stalls
    ``i``.
    Latency :attr:`IntakePlan.latency`: 1 cycle, plus the latency of the compactor, whose remaining
    tuples at the end of a stream leave 1 cycle later. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : IntakePlan

    Members
    -------
    i : In(stream.Signature(beat(plan.row, plan.lanes, plan.settings.layout.size)))
        Beats may have gaps if the query selects, else they are dense.
    o : Out(stream.Signature(beat(plan.row, plan.lanes, plan.passed_settings.size)))
    swallowed_end : Out(1), or none
        The last beat of a swallowed stream transfers in this cycle. Only with settings.
    events : Out(events(plan.counters)), or none
        Number of dropped tuples: ``nan`` and ``filtered`` in the beat of the cycle before,
        ``overrun`` in a swallowed beat. Only if the plan has counters.
    errors : Out(errors(plan.flags)), or none
        ``bad_setting``: high for one cycle at the first beat of a swallowed stream. Only with
        settings.

    Source: seed 002, section V (the selection); the rest is ours.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        row = plan.row
        lanes = plan.lanes
        self._output_beat = beat(row, lanes, plan.passed_settings.size)
        self._compactor = None
        if plan.closes_gaps:
            context = plan.passed_settings.size
            self._compactor = RoundRobinCompactor(row, lanes, scan=plan.scan, context=context)
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes, plan.settings.layout.size))),
                "o": Out(stream.Signature(self._output_beat)),
                **({"swallowed_end": Out(1)} if plan.has_settings else {}),
                **reports(plan.counters, plan.flags),
            }
        )

    @property
    def latency(self):
        return self._plan.latency

    def elaborate(self, platform):
        m = Module()
        if not (self._plan.has_selection or self._plan.has_settings):
            wiring.connect(m, wiring.flipped(self.i), wiring.flipped(self.o))
            return m
        judged = data.StructLayout({"beat": self._output_beat, "refused": 1})
        m.submodules.register = register = StreamRegister(judged)
        self._judge(m, register.i)
        target = wiring.flipped(self.o)
        if self._compactor is not None:
            m.submodules.compactor = self._compactor
            wiring.connect(m, self._compactor.o, wiring.flipped(self.o))
            target = self._compactor.i
        self._pass_or_swallow(m, register.o, target)
        return m

    def _judge(self, m, target):
        """Judges the tuples and the settings of a beat on its way into the register."""
        plan = self._plan
        arriving = self.i.p
        settings = Signal(plan.settings.layout)
        passed_settings = Signal(plan.passed_settings)
        valid = Signal(plan.lanes)
        nan = Signal(plan.lanes)
        rejected = Signal(plan.lanes)
        m.d.comb += valid.eq(arriving.valid)
        if plan.settings.layout.size:
            m.d.comb += settings.eq(arriving.context)
        if plan.passed_settings.size:
            m.d.comb += [
                passed_settings[name].eq(settings[name]) for name in plan.passed_settings.members
            ]
            m.d.comb += target.p.beat.context.eq(passed_settings)
        if plan.has_selection:
            numbers = {name: settings[name] for name in plan.settings.layout.members}
            for lane, row in enumerate(split(m, arriving.tuples, "row")):
                is_nan, fails_where = verdict(plan.query, row, numbers)
                m.d.comb += [
                    nan[lane].eq(valid[lane] & is_nan),
                    rejected[lane].eq(valid[lane] & fails_where),
                ]
        m.d.comb += [
            target.p.beat.tuples.eq(arriving.tuples),
            target.p.beat.valid.eq(valid & ~nan & ~rejected),
            target.p.beat.last.eq(arriving.last),
            target.p.refused.eq(plan.settings.refused(settings) if plan.has_settings else 0),
            target.valid.eq(self.i.valid),
            self.i.ready.eq(target.ready),
        ]
        transfer = self.i.valid & self.i.ready
        for name, lanes in (("nan", nan), ("filtered", rejected)) if plan.has_selection else ():
            m.d.sync += self.events[name].eq(Mux(transfer, _count(lanes), 0))

    def _pass_or_swallow(self, m, source, target):
        """Passes on the beat in the register, or swallows the beat."""
        plan = self._plan
        beat_ = source.p.beat
        swallows = Signal()
        m.d.comb += [
            target.p.eq(beat_),
            swallows.eq(source.valid & source.p.refused),
            target.valid.eq(source.valid & ~source.p.refused),
            source.ready.eq(target.ready | source.p.refused),
        ]
        if not plan.has_settings:
            return
        at_stream_start = Signal(init=1)
        valid = Signal(plan.lanes)
        with m.If(source.valid & source.ready):
            m.d.sync += at_stream_start.eq(beat_.last)
        m.d.comb += [
            valid.eq(beat_.valid),
            self.events.overrun.eq(Mux(swallows, _count(valid), 0)),
            self.errors.bad_setting.eq(swallows & at_stream_start),
            self.swallowed_end.eq(swallows & beat_.last),
        ]


def _count(lanes):
    """Returns the number of high bits of a signal."""
    return sum(lanes[k] for k in range(len(lanes)))
