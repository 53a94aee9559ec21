"""What the engines over time have in front: which tuples count, and how far time has come."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.parts.reports import reports
from rtl.stream.beat import beat, wire
from rtl.stream.selection import verdict
from rtl.window.punctuation import Punctuator, timed


class Arrivals(wiring.Component):
    """Takes beats of one lane, and gives the tuples that count, with their punctuations.

    ::

        i --> allowed? --+--> WHERE, NaN ------+--> Punctuator --> o
                         |    t and settings --+
                         +--> swallowed, if not

    WHERE is looked at while the time is counted from the start, so it costs no cycle. A tuple that
    it leaves out, or that has a NaN, moves no punctuation. A stream with a setting that is refused
    is swallowed here, at full rate, and leaves nothing behind; those of its tuples that WHERE would
    have let in count as overrun. (Whether the settings go together is seen behind.)

    Order, stalls, rate, late tuples and the end of a stream are those of
    :class:`~rtl.window.punctuation.Punctuator`. Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    plan : TimeWindows

    Members
    -------
    i : In(stream.Signature(beat(plan.row, 1, plan.settings.layout.size, user)))
        ``user`` is 1 when it brings punctuations: the beat is one, at the time that its row says,
        and has no tuple.
    o : Out(stream.Signature(timed(plan.values, plan.time.width)))
    swallowed : In(1)
        The stream of the item at ``o``, which is not its last, is swallowed behind.
    ended : Out(1)
        A stream that is swallowed here comes to its end in this cycle.
    events : Out(events(plan.counters))
        Tuples dropped in the cycle before.
    errors : Out(errors(plan.flags))
        ``bad_setting``: high for a cycle after a stream began that is swallowed.

    Source: seed 002, section V (the selection and the punctuations).
    """

    latency = Punctuator.latency
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._punctuator = Punctuator(plan.values, plan.time, made=plan.made)
        settings, user = plan.settings.layout, int(not plan.made)
        super().__init__(
            {
                "i": In(stream.Signature(beat(plan.row, 1, settings.size, user))),
                "o": Out(stream.Signature(timed(plan.values, plan.time.width))),
                "swallowed": In(1),
                "ended": Out(1),
                **reports(plan.counters, plan.flags),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.punctuator = punctuator = self._punctuator
        plan, query = self._plan, self._plan.query
        settings, row = Signal(plan.settings.layout), Signal(plan.row)
        nan, fails, refused = Signal(), Signal(), Signal()
        comes = self.i.p.valid[0]
        numbers = {name: settings[name] for name in plan.settings.layout.members}
        bad, unwanted = verdict(query, {name: row[name] for name, _ in row.shape()}, numbers)
        arriving = punctuator.i.p
        m.d.comb += [
            settings.eq(self.i.p.context),
            row.eq(self.i.p.tuples[0]),
            nan.eq(comes & bad),
            fails.eq(comes & unwanted),
            refused.eq(plan.settings.refused(settings)),
            *wire(arriving.row, {name: row[name] for name, _ in arriving.row.shape()}),
            arriving.time.eq(row[query.window.attribute.name]),
            arriving.valid.eq(comes & ~nan & ~fails),
            arriving.punctuation.eq(0 if plan.made else self.i.p.user[0]),
            arriving.last.eq(self.i.p.last),
            *(arriving.context[n].eq(settings[n]) for n in ("range", "slide", "slack", "start")),
            punctuator.i.valid.eq(self.i.valid & ~refused),
            self.i.ready.eq(punctuator.i.ready | refused),
            punctuator.swallowed.eq(self.swallowed),
        ]
        self._count(m, nan, fails, refused)
        wiring.connect(m, punctuator.o, wiring.flipped(self.o))
        return m

    def _count(self, m, nan, fails, refused):
        taken = self.i.valid & self.i.ready
        begins = Signal(init=1)
        counts = {
            "nan": taken & nan,
            "filtered": taken & fails,
            "overrun": taken & refused & self._punctuator.i.p.valid,
        }
        m.d.comb += self.events.late.eq(self._punctuator.late)
        for name, count in counts.items():
            if name in self.events.shape().members:
                m.d.sync += self.events[name].eq(count)
        with m.If(taken):
            m.d.sync += begins.eq(self.i.p.last)
        m.d.comb += self.ended.eq(taken & refused & self.i.p.last)
        m.d.sync += self.errors.bad_setting.eq(taken & refused & begins)
