"""What the cores of the engines over time have at both ends."""

from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.arrivals import Arrivals
from rtl.engine.rows import WindowRows
from rtl.stream.beat import beat
from rtl.window.window_id import WindowModules


class TimedCore(wiring.Component):
    """Arrivals, modules and rows of an engine over time; its base class.

    ::

        i -> arrivals -> (a) -> modules -> (b) -> rows -> o

    What stands at (a) and (b) is the engine's own, which also tells its ports and its latency.

    Parameters
    ----------
    parameters : TimedParameters
        With ``modules``.
    width : int
        Bits of the time at the modules.
    """

    initiation_interval = 1

    def __init__(self, parameters, *, width):
        self._arrivals = Arrivals(parameters)
        self._modules = WindowModules(
            operator=parameters.operator,
            tuples=parameters.tuples_max,
            modules=parameters.modules,
            row=parameters.value_layout,
            width=width,
        )
        self._rows = WindowRows(parameters)
        dropped = dict.fromkeys(parameters.dropped, 1)
        super().__init__(
            {
                "i": In(self._arrivals.i.signature.flip()),
                "o": Out(stream.Signature(beat(parameters.row_layout, 1))),
                "bad_setting": Out(1),
                "dropped": Out(data.StructLayout(dropped)),
            }
        )

    def _frame(self, m):
        """All but what stands at (a) and (b)."""
        m.submodules.arrivals = arrivals = self._arrivals
        m.submodules.modules = modules = self._modules
        m.submodules.rows = rows = self._rows
        wiring.connect(m, wiring.flipped(self.i), arrivals.i)
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        m.d.comb += [
            arrivals.swallowed.eq(modules.swallows),
            self.bad_setting.eq(modules.bad_setting),
            self.dropped.overrun.eq(modules.overrun),
        ]
        for name, _ in arrivals.dropped.shape():
            if name in self.dropped.shape().members:
                m.d.comb += self.dropped[name].eq(arrivals.dropped[name])
