"""What the engines over time have in front: which tuples count, and how far time has come."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat, wire
from rtl.stream.selection import verdict
from rtl.window.punctuation import Punctuator, timed


class Arrivals(wiring.Component):
    """Takes beats of one lane, and gives the tuples that count, with their punctuations.

    ::

        i --> WHERE, NaN ------+--> Punctuator --> o
              t and settings --+

    WHERE is looked at while the time is counted from the start, so it costs no cycle. A tuple that
    it leaves out, or that has a NaN, moves no punctuation. Settings that are not allowed stand as a
    slide of 0 behind, which nothing takes: so the stream is swallowed where the windows are.

    Order, stalls, rate, late tuples and the end of a stream are those of
    :class:`~rtl.window.punctuation.Punctuator`. Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    parameters : TimedParameters

    Members
    -------
    i : In(stream.Signature(beat(tuple_layout, 1, settings_layout.size, user)))
        All of ``parameters``. ``user`` is 1 when it brings punctuations: the beat is one, at the
        time that its row says, and has no tuple.
    o : Out(stream.Signature(timed(value_layout, time.width)))
        All of ``parameters``.
    swallowed : In(1)
        The stream of the item at ``o``, which is not its last, is swallowed behind.
    dropped : Out(StructLayout of ``late``, ``nan`` and ``filtered``)
        Tuples dropped in a cycle.

    Source: seed 002, section V (the selection and the punctuations).
    """

    initiation_interval = 1

    def __init__(self, parameters):
        self._parameters = parameters
        self._punctuator = Punctuator(
            parameters.value_layout, parameters.time, made=not parameters.punctuated
        )
        settings, user = parameters.settings_layout, int(parameters.punctuated)
        super().__init__(
            {
                "i": In(stream.Signature(beat(parameters.tuple_layout, 1, settings.size, user))),
                "o": Out(stream.Signature(timed(parameters.value_layout, parameters.time.width))),
                "swallowed": In(1),
                "dropped": Out(data.StructLayout(dict.fromkeys(("late", "nan", "filtered"), 1))),
            }
        )

    @property
    def latency(self):
        return self._punctuator.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.punctuator = punctuator = self._punctuator
        parameters, query = self._parameters, self._parameters.query
        settings = Signal(parameters.settings_layout)
        row = Signal(parameters.tuple_layout)
        comes, nan, fails, taken = (Signal(name=n) for n in ("comes", "nan", "fails", "taken"))
        numbers = {name: settings[name] for name in parameters.settings_layout.members}
        bad, unwanted = verdict(query, {name: row[name] for name, _ in row.shape()}, numbers)
        arriving = punctuator.i.p
        m.d.comb += [
            settings.eq(self.i.p.context),
            row.eq(self.i.p.tuples[0]),
            comes.eq(self.i.p.valid[0]),
            nan.eq(comes & bad),
            fails.eq(comes & unwanted),
            *wire(arriving.row, {name: row[name] for name, _ in arriving.row.shape()}),
            arriving.time.eq(row[query.window.attribute.name]),
            arriving.valid.eq(comes & ~nan & ~fails),
            arriving.punctuation.eq(self.i.p.user[0] if parameters.punctuated else 0),
            arriving.last.eq(self.i.p.last),
            *(arriving.context[n].eq(settings[n]) for n in ("range", "slack", "start")),
            arriving.context.slide.eq(Mux(parameters.refused(settings), 0, settings["slide"])),
            punctuator.i.valid.eq(self.i.valid),
            self.i.ready.eq(punctuator.i.ready),
            taken.eq(self.i.valid & self.i.ready),
            punctuator.swallowed.eq(self.swallowed),
            self.dropped.late.eq(punctuator.late),
        ]
        m.d.sync += [
            self.dropped.nan.eq(taken & nan),
            self.dropped.filtered.eq(taken & fails),
        ]
        wiring.connect(m, punctuator.o, wiring.flipped(self.o))
        return m
