"""Selects tuples and makes punctuations: the front of the engines with windows of time."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.engine.parts.reports import reports
from rtl.stream.beat import beat, wire
from rtl.stream.selection import verdict
from rtl.window.punctuation import Punctuator, timed_item


def time_engine_ports(windows, arrivals):
    """Returns the ports of an engine whose windows of time have no groups.

    ``windows`` is the TimeWindows, which describes the rows: one in each beat of ``o``.
    ``arrivals`` is the engine's :class:`Arrivals`, whose input is ``i``.
    """
    return {
        "i": In(arrivals.i.signature.flip()),
        "o": Out(stream.Signature(beat(windows.rows.layout, 1))),
        "busy": Out(1),
        **reports(merged_counters(windows.counters, (OVERRUN,)), windows.flags),
    }


class Arrivals(wiring.Component):
    """Selects the tuples of a stream and adds to each tuple the punctuation before the tuple.

    ::

                       yes
        i --> allowed? ---+--> WHERE, NaN -----------+--> Punctuator --> o
              settings    +--> time, settings -------+
                 | no
                 +--> swallowed

    WHERE is evaluated in the cycle in which the Punctuator subtracts the start from the time, so
    WHERE costs no cycle. A tuple that WHERE rejects, or that has a NaN, moves no punctuation. For
    instance with ``WHERE x > 0``, start 0, slide 4 and no slack the tuple x = -1 at time 9 is
    dropped, so a tuple at time 3 after it is not late.

    A stream with a refused setting is swallowed: all of its items are accepted, at full rate, and
    no item leaves. A swallowed tuple counts as ``nan`` if it has a NaN, as ``filtered`` if WHERE
    rejects it, and otherwise as ``overrun``. (The window modules check later if the settings fit
    each other.)

    Order, stalls, rate, late tuples and the end of a stream are those of
    :class:`~rtl.window.punctuation.Punctuator`. Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    plan : TimeWindows

    Members
    -------
    i : In(stream.Signature(beat(plan.row, 1, plan.settings.layout.size, user)))
        ``user`` has 1 bit if the stream carries punctuations. When the bit is set, the beat is a
        punctuation at the time in its row, and has no tuple.
    o : Out(stream.Signature(timed_item(plan.values, plan.time_shape.width)))
    swallowed : In(1)
        The next component swallows the stream of the item at ``o``, which is not the last item.
    swallowed_end : Out(1)
        The last beat of a stream that is swallowed in this component transfers in this cycle.
    events : Out(events(plan.counters))
        Tuples dropped in the cycle before: ``late`` by the Punctuator, the others here.
    errors : Out(errors(plan.flags))
        ``bad_setting``: high in the cycle after the first beat of a stream that this component
        swallows.

    Source: seed 002, section V (the selection and the punctuations).
    """

    latency = Punctuator.latency
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._punctuator = Punctuator(
            plan.values, plan.time_shape, generate=plan.makes_punctuations
        )
        settings = plan.settings.layout
        user = int(not plan.makes_punctuations)
        super().__init__(
            {
                "i": In(stream.Signature(beat(plan.row, 1, settings.size, user))),
                "o": Out(stream.Signature(timed_item(plan.values, plan.time_shape.width))),
                "swallowed": In(1),
                "swallowed_end": Out(1),
                **reports(plan.counters, plan.flags),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.punctuator = punctuator = self._punctuator
        plan = self._plan
        query = self._plan.query
        settings = Signal(plan.settings.layout)
        row = Signal(plan.row)
        nan = Signal()
        rejected = Signal()
        refused = Signal()
        has_tuple = self.i.p.valid[0]
        values = {name: settings[name] for name in plan.settings.layout.members}
        has_nan, fails_where = verdict(query, {name: row[name] for name, _ in row.shape()}, values)
        arriving = punctuator.i.p
        m.d.comb += [
            settings.eq(self.i.p.context),
            row.eq(self.i.p.tuples[0]),
            nan.eq(has_tuple & has_nan),
            rejected.eq(has_tuple & fails_where),
            refused.eq(plan.settings.refused(settings)),
            *wire(arriving.row, {name: row[name] for name, _ in arriving.row.shape()}),
            arriving.time.eq(row[query.window.attribute.name]),
            arriving.valid.eq(has_tuple & ~nan & ~rejected),
            arriving.punctuation.eq(0 if plan.makes_punctuations else self.i.p.user[0]),
            arriving.last.eq(self.i.p.last),
            *(arriving.context[n].eq(settings[n]) for n in ("range", "slide", "slack", "start")),
            punctuator.i.valid.eq(self.i.valid & ~refused),
            self.i.ready.eq(punctuator.i.ready | refused),
            punctuator.swallowed.eq(self.swallowed),
        ]
        self._count(m, nan, rejected, refused)
        wiring.connect(m, punctuator.o, wiring.flipped(self.o))
        return m

    def _count(self, m, nan, rejected, refused):
        """Drives the counters and flags, and the end of a swallowed stream."""
        transfer = self.i.valid & self.i.ready
        at_stream_start = Signal(init=1)
        counts = {
            "nan": transfer & nan,
            "filtered": transfer & rejected,
            "overrun": transfer & refused & self._punctuator.i.p.valid,
        }
        m.d.comb += self.events.late.eq(self._punctuator.late)
        for name, count in counts.items():
            if name in self.events.shape().members:  # without WHERE and floats only ``overrun``
                m.d.sync += self.events[name].eq(count)
        with m.If(transfer):
            m.d.sync += at_stream_start.eq(self.i.p.last)
        m.d.comb += self.swallowed_end.eq(transfer & refused & self.i.p.last)
        m.d.sync += self.errors.bad_setting.eq(transfer & refused & at_stream_start)
