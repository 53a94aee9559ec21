"""One turn of the ring of windows, which makes all of them anew; and whether they are enough."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


class RingTurn(wiring.Component):
    """Turns a ring of windows once: at the end of a stream, and before one with other settings.

    ::

        cycle      0        1      2           modules
                   rewind   load   load   ...  load, final    [one more to set up]
        begin           0    s     2 s    ...

    ``begin`` is a register outside, which steps by ``slide``: from 0, after ``rewind``. With each
    ``load`` the oldest window gives way to one at ``begin``; so after the turn the windows begin at
    0, slide, 2 slide, ...

    While the ring is set up for other settings, ``begin`` is compared with ``range`` and ``slack``,
    for each of 0, slide, ... modules * slide. That many begins are below the range:
    ceil(range / slide), the windows that one tuple is in; and that many below the slack:
    ceil(slack / slide), those that disorder keeps open. The settings fit if these add up to at most
    ``modules`` and 0 < slide <= range. So there is no division. With range 10, slide 4, slack 3::

        begin       0    4    8    12   16
        < range     1    1    1                3 = ceil(10 / 4)
        < slack     1                          1 = ceil(3 / 4): 4 modules are enough, and needed

    The phases: STILL; TURN, a ``load`` in each cycle; and after a set-up JUDGE, when the sum is
    complete.

    A set-up takes ``modules + 2`` cycles, the turn at the end of a stream ``modules + 1``, with
    ``rewind``; it stands still, and its outputs are not good, while there is no item.

    Parameters
    ----------
    modules : int
        Windows in the ring.
    width : int
        Bits of the time.

    Members
    -------
    valid : In(1)
        There is an item.
    changed : In(1)
        Its stream has other settings than the one before.
    ends : In(1)
        It is the end of a stream, and all that is left to do is the turn.
    leaves : In(1)
        It is the end of a stream, and it is taken in this cycle.
    begin : In(width + 1)
    range, slide, slack : In(width)
        The settings that come with the item.
    ready : Out(1)
        The ring is set up for the item's stream, or it was found that it cannot be.
    fits : Out(1)
        It can be. Good when ``ready`` is high.
    rewind : Out(1)
        ``begin`` is to be 0 next, and a turn begins.
    load : Out(1)
        The oldest window is to give way to one at ``begin``.
    final : Out(1)
        And that is the last one of the turn.

    Source: ours.
    """

    def __init__(self, modules, width):
        self._modules = modules
        super().__init__(
            {
                "valid": In(1),
                "changed": In(1),
                "ends": In(1),
                "leaves": In(1),
                "begin": In(width + 1),
                "range": In(width),
                "slide": In(width),
                "slack": In(width),
                "ready": Out(1),
                "fits": Out(1),
                "rewind": Out(1),
                "load": Out(1),
                "final": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        loaded = Signal()  # the ring is set up for the item's stream, or cannot be
        count = Signal(range(self._modules + 1))
        needed = Signal(bits_for(2 * self._modules + 2))
        sane = Signal()
        windows = (self.begin < self.range) + (self.begin < self.slack)
        m.d.comb += self.ready.eq(~self.changed | loaded)
        with m.FSM():
            with m.State("STILL"), m.If(self.valid & (~self.ready | self.ends)):
                m.d.comb += self.rewind.eq(1)
                m.d.sync += [count.eq(1), self.final.eq(self._modules == 1), needed.eq(0)]
                m.next = "TURN"
            with m.State("TURN"):
                m.d.comb += self.load.eq(1)
                with m.If(self.valid):
                    # A register: it is on the way to the ready of all that is before the ring.
                    m.d.sync += [count.eq(count + 1), self.final.eq(count == self._modules - 1)]
                    m.d.sync += needed.eq(needed + windows)
                    with m.If(self.final & self.ready):
                        m.next = "STILL"
                    with m.Elif(self.final):
                        m.next = "JUDGE"
            with m.State("JUDGE"), m.If(self.valid):
                m.d.sync += [loaded.eq(1), self.fits.eq(sane & (needed + windows <= self._modules))]
                m.next = "STILL"
        with m.If(self.leaves):
            m.d.sync += loaded.eq(0)
        with m.If(self.valid):
            m.d.sync += sane.eq(self.slide.any() & (self.slide <= self.range))
        return m
