"""Dividers and instances of the PLLs that make an engine's clock from a board's oscillator.

Limits of the parts are those of the data sheets: FPGA-DS-02012 (ECP5, table of the sysCLOCK PLL),
DS181 (Artix-7, PLL and BUFG of speed grade -1). VCO is the oscillator inside the PLL.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Instance, Signal

#: Largest relative error of a clock: a request that the PLL does not meet this well is refused.
TOLERANCE = 1e-3
#: Fastest clock of an Artix-7's global buffer, in MHz.
_ARTIX_BUFG_MHZ = 464
#: Inputs of the ECP5's PLL that the boards do not use: shifts of phase, wake-up, output enable.
_ECP5_UNUSED_INPUTS = dict.fromkeys(
    ("PHASESEL0", "PHASESEL1", "PHASEDIR", "PHASESTEP", "PHASELOADREG", "PLLWAKESYNC", "ENCLKOP"), 0
)


@dataclass(frozen=True, kw_only=True)
class Pll:
    """Frequency, dividers and instance of a PLL.

    Attributes
    ----------
    clock_mhz : float
        Frequency of the engine's clock, exactly as the dividers give it; for a Cyclone V, whose
        dividers Quartus chooses, the requested frequency.
    instance : callable
        Builds the PLL's instance. The keywords ``source``, ``reset``, ``clock`` and ``locked`` are
        the signals at its ports; a PLL with a second clock also has the keyword ``second``.
    parameters : mapping of str to int
        Dividers by the name of the instance's parameter; empty for a Cyclone V. The dividers depend
        only on the frequencies, so `gen.bitstream.pll_words` can change them in a placed design.
    """

    clock_mhz: float
    instance: Callable[..., Any]
    parameters: Mapping[str, int]


def ecp5_pll(source_mhz: float, clock_mhz: float, second_mhz: float | None = None) -> Pll:
    """Returns the PLL of an ECP5: output CLKOP is only the feedback, CLKOS is the engine's clock.

    The VCO runs at ``source / CLKI * CLKOP``, and the clock is the VCO's frequency divided by
    CLKOS. For instance 62.5 MHz from 100 MHz need the dividers CLKI 1, CLKOP 5 and CLKOS 8: the VCO
    runs at 500 MHz. Raises ValueError if no dividers give the frequency, and for a second clock.
    """
    if second_mhz is not None:
        raise ValueError("an ECP5 board must not need a second clock")
    candidates = (
        (source_mhz * multiply / divide / output, (divide, multiply, output))
        for divide in range(1, 129)
        if 10 <= source_mhz / divide <= 400
        for multiply in range(1, 81)
        if 400 <= source_mhz * multiply / divide <= 800
        for output in range(1, 129)
        if source_mhz * multiply / divide / output <= 400
    )
    clock, (divide, multiply, output) = _nearest(clock_mhz, candidates)
    parameters = {
        "CLKI_DIV": divide,
        "CLKOP_DIV": multiply,
        "CLKOP_CPHASE": multiply - 1,
        "CLKOS_DIV": output,
        "CLKOS_CPHASE": output - 1,
    }

    def instance(*, source, reset, clock, locked):
        feedback = Signal()
        return Instance(
            "EHXPLLL",
            **{f"p_{name}": value for name, value in parameters.items()},
            a_ICP_CURRENT="12",
            a_LPF_RESISTOR="8",
            p_PLLRST_ENA="ENABLED",
            p_INTFB_WAKE="DISABLED",
            p_STDBY_ENABLE="DISABLED",
            p_DPHASE_SOURCE="DISABLED",
            p_OUTDIVIDER_MUXA="DIVA",
            p_OUTDIVIDER_MUXB="DIVB",
            p_CLKFB_DIV=1,
            p_CLKOP_ENABLE="ENABLED",
            p_CLKOP_FPHASE=0,
            p_CLKOS_ENABLE="ENABLED",
            p_CLKOS_FPHASE=0,
            p_FEEDBK_PATH="CLKOP",
            i_CLKI=source,
            i_CLKFB=feedback,
            o_CLKOP=feedback,
            o_CLKOS=clock,
            o_LOCK=locked,
            i_RST=reset,
            i_STDBY=0,
            **{f"i_{name}": value for name, value in _ECP5_UNUSED_INPUTS.items()},
        )

    return Pll(clock_mhz=clock, instance=instance, parameters=parameters)


def artix_pll(source_mhz: float, clock_mhz: float, second_mhz: float | None = None) -> Pll:
    """Returns the PLL of an Artix-7 of speed grade -1; the second clock, if any, is exact.

    For instance 100 MHz and 25 MHz from 100 MHz: the VCO runs at 800 MHz, and the outputs divide by
    8 and by 32. Raises ValueError if no dividers give the frequencies, and for a clock above the
    464 MHz of a BUFG.
    """
    candidates = (
        (source_mhz * multiply / divide / output, (divide, multiply, output))
        for divide in range(1, 57)
        if 19 <= source_mhz / divide <= 450
        for multiply in range(2, 65)
        if 800 <= source_mhz * multiply / divide <= 1600
        if second_mhz is None or _divides(source_mhz * multiply / divide, second_mhz)
        for output in range(1, 129)
        if source_mhz * multiply / divide / output <= _ARTIX_BUFG_MHZ
    )
    clock, (divide, multiply, output) = _nearest(clock_mhz, candidates)
    parameters = {"DIVCLK_DIVIDE": divide, "CLKFBOUT_MULT": multiply, "CLKOUT0_DIVIDE": output}
    if second_mhz is not None:
        parameters["CLKOUT1_DIVIDE"] = round(source_mhz * multiply / divide / second_mhz)

    def instance(*, source, reset, clock, locked, second=None):
        feedback = Signal()
        second_port = {} if second is None else {"o_CLKOUT1": second}
        return Instance(
            "PLLE2_BASE",
            **{f"p_{name}": value for name, value in parameters.items()},
            p_CLKIN1_PERIOD=1000 / source_mhz,
            i_CLKIN1=source,
            i_CLKFBIN=feedback,
            o_CLKFBOUT=feedback,
            o_CLKOUT0=clock,
            **second_port,
            o_LOCKED=locked,
            i_RST=reset,
            i_PWRDWN=0,
        )

    return Pll(clock_mhz=clock, instance=instance, parameters=parameters)


def cyclone_pll(source_mhz: float, clock_mhz: float, second_mhz: float | None = None) -> Pll:
    """Returns the PLL of a Cyclone V, whose dividers Quartus computes from the frequencies.

    Raises ValueError for a second clock, and for a clock outside of 1 to 400 MHz.
    """
    if second_mhz is not None:
        raise ValueError("a Cyclone V board must not need a second clock")
    if not 1 <= clock_mhz <= 400:
        raise ValueError(f"clock_mhz must be from 1 to 400, not {clock_mhz:g}")

    def instance(*, source, reset, clock, locked):
        return Instance(
            "altera_pll",
            p_fractional_vco_multiplier="false",
            p_reference_clock_frequency=f"{source_mhz:.6f} MHz",
            p_operation_mode="direct",
            p_number_of_clocks=1,
            p_output_clock_frequency0=f"{clock_mhz:.6f} MHz",
            p_phase_shift0="0 ps",
            p_duty_cycle0=50,
            p_pll_type="General",
            p_pll_subtype="General",
            i_refclk=source,
            i_rst=reset,
            i_fbclk=0,
            o_outclk=clock,
            o_locked=locked,
        )

    return Pll(clock_mhz=clock_mhz, instance=instance, parameters={})


def _divides(vco_mhz, clock_mhz):
    """Returns True if an output divider of 1 to 128 makes exactly this clock from the VCO."""
    ratio = vco_mhz / clock_mhz
    return abs(ratio - round(ratio)) < 1e-9 and 1 <= round(ratio) <= 128


def _nearest(
    requested_mhz: float, candidates: Iterator[tuple[float, tuple]]
) -> tuple[float, tuple]:
    """Returns the clock that is nearest to the request, and its dividers.

    ``candidates`` has pairs of a clock and its dividers; of equal clocks the first pair counts.
    Raises ValueError with the nearest clocks below and above if the error exceeds `TOLERANCE`, and
    if there is no candidate.
    """
    clocks: dict[float, tuple] = {}
    for clock, dividers in candidates:
        clocks.setdefault(round(clock, 6), dividers)
    if not clocks:
        raise ValueError("the PLL has no dividers that make the clock")
    clock = min(clocks, key=lambda clock: abs(clock - requested_mhz))
    if abs(clock - requested_mhz) <= TOLERANCE * requested_mhz:
        return clock, clocks[clock]
    below = max((c for c in clocks if c < requested_mhz), default=None)
    above = min((c for c in clocks if c > requested_mhz), default=None)
    neighbours = " or ".join(f"{c:g}" for c in (below, above) if c is not None)
    raise ValueError(
        f"clock_mhz must be a clock that the PLL can make, not {requested_mhz:g}: take {neighbours}"
    )
