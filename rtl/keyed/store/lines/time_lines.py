"""Collects the lines of windows of time, and selects the items of each window by their stamps."""

from amaranth.hdl import Module, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import Out

from rtl.keyed.store.lines.window_lines import WindowLines
from rtl.stream.line import line
from rtl.stream.register import StreamRegister


class TimeLines(wiring.Component):
    """Collects the lines of windows of time, and drops items outside of the window.

    :class:`~rtl.keyed.store.lines.window_lines.WindowLines` collects the lines. Of the items that
    were read for window j, an item belongs to the window if its slide is j or later, see
    :class:`~rtl.keyed.windows.key_times.KeyTimes`. For instance two lines of window 3, of which the
    first and the last place were not read for the window::

        slides               2 4 3 2    3 3 4 5
        read for the window  . x x x    x x x .
        valid at o           . x x .    x x x .

    A line may have no valid item, but each window has a valid item. The output has no stamps. Order
    is kept. Latency 1 cycle from a line, initiation interval 1 cycle. A stall at ``o`` stalls both
    inputs.

    Parameters
    ----------
    membership : KeyTimes
        Object whose ``belongs(stamp, window)`` says whether an item is in a window.
    plan : LinePlan
        Its items have a ``stamp`` and an ``item``.
    passenger, last_from_m2
        As for WindowLines; the passenger has ``window``, the number of the window.

    Members
    -------
    windows : In(stream.Signature(window_layout(plan, passenger)))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(line(item, plan.items, passenger={error, m3, passenger})))

    Source: ours.
    """

    latency = WindowLines.latency + StreamRegister.latency
    initiation_interval = 1

    def __init__(self, membership, plan, passenger, *, last_from_m2=False):
        self._membership = membership
        self._items = plan.items
        self._window_lines = WindowLines(plan, passenger, last_from_m2=last_from_m2)
        ports = self._window_lines.signature.members
        item = plan.item.members["item"]
        carried = self._window_lines.o.p.shape().members["passenger"]
        self._output = line(item, plan.items, passenger=carried)
        super().__init__(
            {
                "windows": ports["windows"],
                "lines": ports["lines"],
                "o": Out(stream.Signature(self._output)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.window_lines = lines = self._window_lines
        m.submodules.register = register = StreamRegister(self._output)
        wiring.connect(m, wiring.flipped(self.windows), lines.windows)
        wiring.connect(m, wiring.flipped(self.lines), lines.lines)
        wiring.connect(m, register.o, wiring.flipped(self.o))
        source = lines.o.p
        target = register.i.p
        belongs = self._membership.belongs
        window = source.passenger.passenger.window
        m.d.comb += [
            register.i.valid.eq(lines.o.valid),
            lines.o.ready.eq(register.i.ready),
            target.last.eq(source.last),
            target.passenger.eq(source.passenger),
        ]
        for lane in range(self._items):
            item = source.tuples[lane]
            m.d.comb += [
                target.valid[lane].eq(source.valid[lane] & belongs(item.stamp, window)),
                Value.cast(target.tuples[lane]).eq(Value.cast(item.item)),
            ]
        return m
