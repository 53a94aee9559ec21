"""Checks the dividers of PLLs by the equations and limits of the data sheets."""

from itertools import product

import pytest
from amaranth.hdl import Const, Signal

from boards import BOARDS
from boards.platforms.pll import artix_pll, cyclone_pll, ecp5_pll

STEPS = (25, 37.5, 50, 62.5, 75, 87.5, 100, 112.5, 125)


@pytest.mark.parametrize(
    ("source", "clock"), [*product((25, 100), STEPS), (100, 33), (100, 400), (25, 3.125)]
)
def test_ecp5(source, clock):
    """The phase detector compares the input over CLKI with the VCO over CLKOP."""
    pll = ecp5_pll(source, clock)
    divide, multiply, feedback_phase, output, phase = pll.parameters.values()
    vco = source * multiply / divide
    assert all(1 <= divider <= 128 for divider in (divide, multiply, output))
    assert 10 <= source / divide <= 400
    assert 400 <= vco <= 800
    assert vco / output == pytest.approx(clock, rel=1e-3)
    assert vco / output == pytest.approx(pll.clock_mhz)
    assert (feedback_phase, phase) == (multiply - 1, output - 1)


def test_ecp5_by_hand():
    assert ecp5_pll(100, 62.5).parameters == {
        "CLKI_DIV": 1, "CLKOP_DIV": 5, "CLKOP_CPHASE": 4, "CLKOS_DIV": 8, "CLKOS_CPHASE": 7,
    }  # fmt: skip


@pytest.mark.parametrize("clock", STEPS)
def test_artix_with_a_second_clock(clock):
    pll = artix_pll(100, clock, 25)
    divide, multiply, output, second = pll.parameters.values()
    vco = 100 * multiply / divide
    assert 1 <= divide <= 56
    assert 2 <= multiply <= 64
    assert all(1 <= divider <= 128 for divider in (output, second))
    assert 19 <= 100 / divide <= 450
    assert 800 <= vco <= 1600
    assert vco / second == 25
    assert vco / output == pytest.approx(clock, rel=1e-3)
    assert vco / output == pytest.approx(pll.clock_mhz)


def test_a_clock_that_no_dividers_give():
    message = "clock_mhz must be a clock that the PLL can make, not 74.2: take 74.0741 or 74.2857"
    with pytest.raises(ValueError, match=message):
        ecp5_pll(100, 74.2)
    with pytest.raises(ValueError, match=r"not 900: take 400$"):
        ecp5_pll(100, 900)
    with pytest.raises(ValueError, match=r"from 1 to 400, not 500$"):
        cyclone_pll(50, 500)


def test_artix_ends_at_the_clock_of_its_global_buffer():
    """The PLL alone makes up to 800 MHz, and a BUFG of speed grade -1 passes 464 MHz.

    The fastest clock below is 100 / 4 * 37 / 2 = 462.5 MHz; 1400 / 3 = 466.67 MHz is too fast.
    """
    assert artix_pll(100, 462.5).clock_mhz == 462.5
    for clock in (1400 / 3, 500, 800):
        with pytest.raises(ValueError, match=r"take 462\.5$"):
            artix_pll(100, clock)


def test_artix_compares_at_19_mhz_and_more():
    """338.889 MHz are 100 / 6 * 61 / 3 MHz, but 100 / 6 MHz are too slow for the phase detector.

    Its input is 100 / 5 MHz or more. The nearest clocks are 100 / 2 * 27 / 4 and 100 / 5 * 51 / 3.
    """
    with pytest.raises(ValueError, match=r"take 337\.5 or 340$"):
        artix_pll(100, 338.889)


@pytest.mark.parametrize("make", [ecp5_pll, cyclone_pll])
def test_a_second_clock_that_is_not_there(make):
    with pytest.raises(ValueError, match="must not need a second clock"):
        make(100, 50, 25)


@pytest.mark.parametrize(
    ("make", "cell"),
    [(ecp5_pll, "EHXPLLL"), (artix_pll, "PLLE2_BASE"), (cyclone_pll, "altera_pll")],
)
def test_the_instance_has_the_dividers(make, cell):
    pll = make(50, 100)
    instance = pll.instance(source=Const(0), reset=Const(0), clock=Signal(), locked=Signal())
    assert instance.type == cell
    assert {name: instance.parameters[name] for name in pll.parameters} == pll.parameters


def test_the_instances_have_the_frequencies():
    """Quartus computes a Cyclone's dividers; an Artix's PLL needs its input's period: 20 ns."""
    signals = {"reset": Const(0), "clock": Signal(), "locked": Signal()}
    cyclone, artix = (
        make(50, 62.5).instance(source=Const(0), **signals).parameters
        for make in (cyclone_pll, artix_pll)
    )
    assert cyclone["reference_clock_frequency"] == "50.000000 MHz"
    assert cyclone["output_clock_frequency0"] == "62.500000 MHz"
    assert artix["CLKIN1_PERIOD"] == 20


@pytest.mark.parametrize("name", ["versa-ecp5", "ecpix5-85", "ulx3s-85", "arty-a7", "de10-nano"])
def test_boards_reach_their_clock_and_all_steps(name):
    """For de10-nano only the limits are checked, because Quartus chooses the dividers."""
    board = BOARDS[name]
    reference = board.ethernet.reference_mhz if board.ethernet else None
    for clock in (board.clock_mhz, *STEPS):
        assert board.family.pll(board.oscillator_mhz, clock, reference).clock_mhz == clock
