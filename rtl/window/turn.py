"""Controls turns of the ring of windows, which replace all windows, and checks the settings."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


class RingTurn(wiring.Component):
    """Controls the turns of a ring of windows, and checks if the settings of a stream fit the ring.

    A *turn* replaces all windows of the ring, one in each cycle, by the first windows of the next
    stream. A turn takes place at the end of a stream, and before a stream with other settings.

    ::

        cycle    0        1      2           modules        modules + 1
                 rewind   load   load   ...  load, final    check, only of other settings
        begin             0      s      ...  modules s - s  modules s

    ``begin`` is a register in another component: ``rewind`` resets the register to 0, and
    afterwards the register advances by ``slide`` in each cycle. With each ``load`` a window that
    begins at ``begin`` replaces the oldest window; so after the turn the windows begin at 0, slide,
    2 slide, ...

    During the turn before a stream with other settings, ``begin`` has the values 0, slide, ...,
    modules * slide, and each value is compared with ``range`` and ``slack``. The number of values
    below the range is ceil(range / slide), the windows that contain one tuple; the number of values
    below the slack is ceil(slack / slide), the windows that stay open for late tuples. (Neither
    number counts beyond ``modules + 1``, because ``modules + 1`` is already too many.) The settings
    fit if the two numbers add up to at most ``modules`` and 0 < slide <= range. So the check needs
    no division. With 4 modules, range 10, slide 4, slack 3::

        begin       0    4    8    12   16
        < range     1    1    1                3 = ceil(10 / 4)
        < slack     1                          1 = ceil(3 / 4): the settings need 4 modules

    The phases are IDLE; TURN, with a ``load`` in each cycle; and JUDGE, after a turn for other
    settings, in which the sum of the two numbers is complete.

    A turn for other settings takes ``modules + 2`` cycles, and the turn at the end of a stream
    ``modules + 1``, including ``rewind``. While ``valid`` is low the component stops, and its
    outputs are not valid.

    Parameters
    ----------
    modules : int
        Number of windows in the ring.
    width : int
        Bits of the time.

    Members
    -------
    valid : In(1)
        The ring has an item at its input.
    changed : In(1)
        The stream of the item has other settings than the previous stream.
    turn_due : In(1)
        The item is the end of a stream, and only the turn remains to be done.
    end_transfers : In(1)
        The item is the end of a stream, and transfers in this cycle.
    begin : In(width + 1)
    range, slide, slack : In(width)
        Settings of the item.
    ready : Out(1)
        The ring is set up for the stream of the item, or the settings do not fit.
    fits : Out(1)
        The settings fit. Valid while ``ready`` is high.
    rewind : Out(1)
        A turn begins, and ``begin`` must be 0 in the next cycle.
    load : Out(1)
        A window that begins at ``begin`` replaces the oldest window.
    final : Out(1)
        The ``load`` is the last of the turn.

    Source: ours.
    """

    def __init__(self, modules, width):
        self._modules = modules
        super().__init__(
            {
                "valid": In(1),
                "changed": In(1),
                "turn_due": In(1),
                "end_transfers": In(1),
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
        judged = Signal()  # the settings of the item's stream have been judged
        count = Signal(range(self._modules + 1))
        required = Signal(bits_for(2 * self._modules + 2))
        lengths_valid = Signal()
        # 0, 1 or 2: the value of ``begin`` counts as below the range, and as below the slack.
        additional = (self.begin < self.range) + (self.begin < self.slack)
        m.d.comb += self.ready.eq(~self.changed | judged)
        with m.FSM():
            with m.State("IDLE"), m.If(self.valid & (~self.ready | self.turn_due)):
                m.d.comb += self.rewind.eq(1)
                m.d.sync += [count.eq(1), self.final.eq(self._modules == 1), required.eq(0)]
                m.next = "TURN"
            with m.State("TURN"):
                m.d.comb += self.load.eq(1)
                with m.If(self.valid):
                    # ``final`` is a register because it drives the ready of all earlier components.
                    m.d.sync += [count.eq(count + 1), self.final.eq(count == self._modules - 1)]
                    m.d.sync += required.eq(required + additional)
                    with m.If(self.final & self.ready):
                        m.next = "IDLE"
                    with m.Elif(self.final):
                        m.next = "JUDGE"
            with m.State("JUDGE"), m.If(self.valid):
                m.d.sync += [
                    judged.eq(1),
                    self.fits.eq(lengths_valid & (required + additional <= self._modules)),
                ]
                m.next = "IDLE"
        with m.If(self.end_transfers):
            m.d.sync += judged.eq(0)
        with m.If(self.valid):
            m.d.sync += lengths_valid.eq(self.slide.any() & (self.slide <= self.range))
        return m
