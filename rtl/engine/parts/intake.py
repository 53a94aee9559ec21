"""What stands before the aggregation: which tuples and which streams are let in."""

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
    """What an :class:`Intake` has to look at, and what is left behind it.

    Attributes
    ----------
    query : Query
        Its ``where`` and ``columns``.
    row : data.StructLayout
        A tuple.
    lanes : int
    settings : HostSettings
    dense : bool
        Where a tuple was left out the gap is closed.
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
    def selects(self):
        """The query can drop a tuple."""
        return needs_selection(self.query)

    @property
    def judges(self):
        """There are settings that may be refused."""
        return bool(self.settings.numbers)

    @property
    def compacts(self):
        return self.selects and self.dense

    @property
    def kept(self):
        """Layout of the settings that are read behind: all but the constants of WHERE."""
        read = set(constant_names(self.query))
        members = self.settings.layout
        return data.StructLayout({name: f.shape for name, f in members if name not in read})

    @property
    def counters(self):
        """Each may count a whole beat in a cycle."""
        found = (NAN, FILTERED) if self.selects else ()
        found += (OVERRUN,) if self.judges else ()
        return tuple(replace(counter, max_increment=self.lanes) for counter in found)

    @property
    def flags(self):
        return (BAD_SETTING,) if self.judges else ()

    @property
    def latency(self):
        """Cycles from the last beat of a stream to what is left at its end."""
        first = 1 if self.selects or self.judges else 0
        if not self.compacts:
            return first
        return first + RoundRobinCompactor.latency_of(self.lanes, scan=self.scan) + 1


class Intake(wiring.Component):
    """Lets in the tuples that the query wants, of the streams whose settings are allowed.

    ::

        i --> WHERE? NaN? --+--> register --> swallows? --> compactor --> o
              allowed?    --+                               only if dense

    A tuple that WHERE leaves out, or that has a NaN in a column of the query, loses its valid bit;
    one with a NaN counts as that, whatever WHERE says of it. With ``dense`` the gaps are closed, in
    order. A stream whose settings are refused is swallowed whole, at full rate, and leaves nothing
    behind, not even ``last``; those of its tuples that WHERE would have let in count as overrun.
    The settings that are read behind (:attr:`IntakePlan.kept`) go along with each beat.

    What the query or the settings do not ask for is not built: with neither, ``o`` is ``i``.

    Order is kept, streams may follow each other without a gap, and a stall at ``o`` stalls ``i``.
    Latency :attr:`IntakePlan.latency`: 1 cycle, and with a compactor its own; what is left at the
    end of a stream then comes 1 cycle later. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : IntakePlan

    Members
    -------
    i : In(stream.Signature(beat(plan.row, plan.lanes, plan.settings.layout.size)))
        With gaps if the query selects, else dense.
    o : Out(stream.Signature(beat(plan.row, plan.lanes, plan.kept.size)))
    ended : Out(1)
        A stream that is swallowed comes to its end in this cycle. Only with settings.
    events : Out(events(plan.counters))
        Tuples dropped: ``nan`` and ``filtered`` of the beat taken in the cycle before, ``overrun``
        of a beat that is swallowed. Only when there are any.
    errors : Out(errors(plan.flags))
        ``bad_setting``: high for a cycle when a stream begins that is to be swallowed. Only with
        settings.

    Source: seed 002, section V (the selection); the rest is ours.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        row, lanes = plan.row, plan.lanes
        self._passing = beat(row, lanes, plan.kept.size)
        self._compactor = None
        if plan.compacts:
            context = plan.kept.size
            self._compactor = RoundRobinCompactor(row, lanes, scan=plan.scan, context=context)
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, lanes, plan.settings.layout.size))),
                "o": Out(stream.Signature(self._passing)),
                **({"ended": Out(1)} if plan.judges else {}),
                **reports(plan.counters, plan.flags),
            }
        )

    @property
    def latency(self):
        return self._plan.latency

    def elaborate(self, platform):
        m = Module()
        if not (self._plan.selects or self._plan.judges):
            wiring.connect(m, wiring.flipped(self.i), wiring.flipped(self.o))
            return m
        judged = data.StructLayout({"beat": self._passing, "refused": 1})
        m.submodules.register = register = StreamRegister(judged)
        self._look(m, register.i)
        target = wiring.flipped(self.o)
        if self._compactor is not None:
            m.submodules.compactor = self._compactor
            wiring.connect(m, self._compactor.o, wiring.flipped(self.o))
            target = self._compactor.i
        self._let_in(m, register.o, target)
        return m

    def _look(self, m, target):
        """Judges a beat by its tuples and its settings, on its way into the register."""
        plan, arriving = self._plan, self.i.p
        settings = Signal(plan.settings.layout)
        kept = Signal(plan.kept)
        valid = Signal(plan.lanes)
        nan, fails = Signal(plan.lanes), Signal(plan.lanes)
        m.d.comb += valid.eq(arriving.valid)
        if plan.settings.layout.size:
            m.d.comb += settings.eq(arriving.context)
        if plan.kept.size:
            m.d.comb += [kept[name].eq(settings[name]) for name in plan.kept.members]
            m.d.comb += target.p.beat.context.eq(kept)
        if plan.selects:
            numbers = {name: settings[name] for name in plan.settings.layout.members}
            for lane, row in enumerate(split(m, arriving.tuples, "row")):
                bad, unwanted = verdict(plan.query, row, numbers)
                m.d.comb += [
                    nan[lane].eq(valid[lane] & bad),
                    fails[lane].eq(valid[lane] & unwanted),
                ]
        m.d.comb += [
            target.p.beat.tuples.eq(arriving.tuples),
            target.p.beat.valid.eq(valid & ~nan & ~fails),
            target.p.beat.last.eq(arriving.last),
            target.p.refused.eq(plan.settings.refused(settings) if plan.judges else 0),
            target.valid.eq(self.i.valid),
            self.i.ready.eq(target.ready),
        ]
        taken = self.i.valid & self.i.ready
        for name, lanes in (("nan", nan), ("filtered", fails)) if plan.selects else ():
            m.d.sync += self.events[name].eq(Mux(taken, _count(lanes), 0))

    def _let_in(self, m, source, target):
        """Passes on a beat, or swallows it."""
        plan, beat_ = self._plan, source.p.beat
        swallows = Signal()
        m.d.comb += [
            target.p.eq(beat_),
            swallows.eq(source.valid & source.p.refused),
            target.valid.eq(source.valid & ~source.p.refused),
            source.ready.eq(target.ready | source.p.refused),
        ]
        if not plan.judges:
            return
        begins = Signal(init=1)
        valid = Signal(plan.lanes)
        with m.If(source.valid & source.ready):
            m.d.sync += begins.eq(beat_.last)
        m.d.comb += [
            valid.eq(beat_.valid),
            self.events.overrun.eq(Mux(swallows, _count(valid), 0)),
            self.errors.bad_setting.eq(swallows & begins),
            self.ended.eq(swallows & beat_.last),
        ]


def _count(lanes):
    """How many bits of a signal are high."""
    return sum(lanes[k] for k in range(len(lanes)))
