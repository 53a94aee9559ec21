"""What the engines have in front when the query can drop a tuple."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.compactor import RoundRobinCompactor
from rtl.stream.beat import beat
from rtl.stream.selection import Selection


class Filter(wiring.Component):
    """Leaves out tuples that the query does not want, and closes the gaps.

    ::

        i -> selection -> compactor -> o
             WHERE, NaN

    ``i`` may have gaps, ``o`` is a stream of dense beats. Ordering and the end of a stream are
    those of :class:`~rtl.network.compactor.RoundRobinCompactor`. Never stalls by itself. Latency
    1 cycle and the compactor's; what is left at the end of a stream comes 1 cycle later.
    Initiation interval 1 cycle.

    Parameters
    ----------
    parameters : GroupedParameters

    Members
    -------
    i : In(stream.Signature(beat(parameters.tuple_layout, lanes, settings_layout.size)))
    o : Out(stream.Signature(beat(parameters.tuple_layout, lanes, settings_layout.size)))
    dropped : Out(StructLayout of ``nan`` and ``filtered``)
        As :class:`~rtl.stream.selection.Selection` tells them.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        row, lanes = parameters.tuple_layout, parameters.lanes
        settings = parameters.settings_layout
        context = settings.size
        self._selection = Selection(parameters.query, row, lanes, settings=settings)
        self._compactor = RoundRobinCompactor(row, lanes, scan=parameters.scan, context=context)
        plain = beat(row, lanes, context)
        super().__init__(
            {
                "i": In(stream.Signature(plain)),
                "o": Out(stream.Signature(plain)),
                "dropped": Out(self._selection.dropped.shape()),
            }
        )

    @property
    def latency(self):
        return self._selection.latency + self._compactor.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.selection = self._selection
        m.submodules.compactor = self._compactor
        wiring.connect(m, wiring.flipped(self.i), self._selection.i)
        wiring.connect(m, self._selection.o, self._compactor.i)
        wiring.connect(m, self._compactor.o, wiring.flipped(self.o))
        m.d.comb += self.dropped.eq(self._selection.dropped)
        return m
