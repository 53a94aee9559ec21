"""What becomes of a stream whose settings are not allowed: nothing, and a note of it."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.stream.beat import beat
from rtl.stream.register import StreamRegister


class Guard(wiring.Component):
    """Lets the streams pass whose settings are allowed, and swallows the others.

    Every beat brings its stream's settings along as context, so it is judged by itself, on its way
    into a register. A stream that is swallowed is taken at full rate, and leaves nothing behind.

    Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    row : data.StructLayout
        A tuple.
    lanes : int
    settings : data.StructLayout
    refused : callable
        From settings to a bit: they are not allowed.

    Members
    -------
    i : In(stream.Signature(beat(row, lanes, settings.size)))
    o : Out(stream.Signature(beat(row, lanes, settings.size)))
    bad_setting : Out(1)
        High for a cycle when a stream begins that is to be swallowed.
    overrun : Out(bits_for(lanes))
        Tuples of a beat that is swallowed in this cycle.

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, row, lanes, settings, refused):
        self._layout = beat(row, lanes, settings.size)
        self._lanes, self._settings, self._refused = lanes, settings, refused
        layout = self._layout
        super().__init__(
            {
                "i": In(stream.Signature(layout)),
                "o": Out(stream.Signature(layout)),
                "bad_setting": Out(1),
                "overrun": Out(bits_for(lanes)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        judged = data.StructLayout({"beat": self._layout, "bad": 1})
        m.submodules.register = register = StreamRegister(judged)
        settings = Signal(self._settings)
        begins = Signal(init=1)
        swallows = Signal()
        valid = Signal(self._lanes)
        bad = register.o.p.bad
        m.d.comb += [
            settings.eq(self.i.p.context),
            register.i.p.beat.eq(self.i.p),
            register.i.p.bad.eq(self._refused(settings)),
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            self.o.p.eq(register.o.p.beat),
            self.o.valid.eq(register.o.valid & ~bad),
            register.o.ready.eq(self.o.ready | bad),
            swallows.eq(register.o.valid & bad),
            valid.eq(register.o.p.beat.valid),
            self.bad_setting.eq(swallows & begins),
            self.overrun.eq(Mux(swallows, sum(valid[k] for k in range(self._lanes)), 0)),
        ]
        with m.If(register.o.valid & register.o.ready):
            m.d.sync += begins.eq(register.o.p.beat.last)
        return m
