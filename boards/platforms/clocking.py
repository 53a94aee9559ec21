"""The clock and the reset of an engine, from the oscillator and the button of a board."""

from amaranth.hdl import ClockSignal, Elaboratable, Module, Signal
from amaranth.lib import io
from amaranth.lib.cdc import ResetSynchronizer

#: Name of the net of the engine's clock.
CLOCK = "engine_clock"


class Clocking(Elaboratable):
    """Drives clock and reset of the domain ``sync`` from a board's oscillator, by a PLL.

    The component around defines the domain. The domain is in reset until the PLL has locked, and
    while the board's reset button is pushed.
    The constraint on the clock's net is the exact frequency of the PLL.

    Parameters
    ----------
    make_pll : callable
        Returns a :class:`~boards.platforms.pll.Pll` for the frequencies of the oscillator, of the
        engine's clock and of a second clock or None, in MHz.
    clock_mhz : float
        Frequency of the engine's clock.
    reference : str or None
        Clock of the platform to which the second clock is sent, such as a PHY's.
    reference_mhz : float or None
        Frequency of the second clock.
    oscillator_domain : str or None
        Domain that gets the clock of the oscillator itself, and is in reset when ``sync`` is.
    """

    def __init__(
        self, make_pll, clock_mhz, reference=None, reference_mhz=None, oscillator_domain=None
    ):
        self._oscillator_domain = oscillator_domain
        self._make_pll = make_pll
        self._clock_mhz = clock_mhz
        self._reference = reference
        self._reference_mhz = reference_mhz

    def elaborate(self, platform: object) -> Module:
        m = Module()
        oscillator_mhz = platform.default_clk_frequency / 1e6
        pll = self._make_pll(oscillator_mhz, self._clock_mhz, self._reference_mhz)
        m.submodules.oscillator = oscillator = io.Buffer(
            "i", platform.request(platform.default_clk, dir="-")
        )
        button = self._button(m, platform)
        clock, locked = Signal(name=CLOCK, attrs={"keep": 1}), Signal()
        outputs = {"clock": clock, "locked": locked}
        if self._reference is not None:
            outputs["second"] = second = Signal()
            m.submodules.reference = pin = io.Buffer(
                "o", platform.request(self._reference, dir="-")
            )
            m.d.comb += pin.o.eq(second)
        m.submodules.pll = pll.instance(source=oscillator.i, reset=button, **outputs)
        platform.add_clock_constraint(clock, pll.clock_mhz * 1e6)
        m.d.comb += ClockSignal().eq(clock)
        m.submodules.reset = ResetSynchronizer(~locked | button, domain="sync")
        if self._oscillator_domain is not None:
            domain = self._oscillator_domain
            m.d.comb += ClockSignal(domain).eq(oscillator.i)
            m.submodules.oscillator_reset = ResetSynchronizer(~locked | button, domain=domain)
        return m

    def _button(self, m, platform):
        """Returns a signal that is high while the reset button is pushed; 0 without a button."""
        if platform.default_rst is None:
            return Signal()
        m.submodules.button = button = io.Buffer(
            "i", platform.request(platform.default_rst, dir="-")
        )
        return button.i
