"""Clocks and utilisation of a placed design, and the size of a netlist against its part."""

import pytest

from boards import BOARDS
from gen.bitstream.figures import clocks_of, counted_uses, uses_of
from tb.gen.bitstream.reports import netlist, report


def test_clocks():
    engine, receiver = clocks_of(report(engine=74.99, receiver=125))
    assert (engine.name, engine.asked_mhz, engine.reached_mhz) == ("engine", 75, 74.99)
    assert (receiver.name, receiver.asked_mhz) == ("Ethernet receiver", 125)
    assert (engine.is_met, receiver.is_met) == (False, True)


def test_a_clock_that_is_just_missed():
    """124.998 MHz must not be taken for 125 MHz."""
    assert not clocks_of(report(receiver=124.998))[1].is_met
    assert clocks_of(report(receiver=125))[1].is_met


@pytest.mark.parametrize("net", ["serial_port.serial_clk", "$glbnet$clocking.oscillator.buf.i"])
def test_clocks_of_a_board_with_a_serial_port(net):
    """Yosys gives the net of the oscillator one of two names, as its netlist for ulx3s-85 shows."""
    fmax = {net: {"achieved": 180, "constraint": 25}}
    fmax["$glbnet$clocking.engine_clock"] = {"achieved": 90, "constraint": 75}
    port = BOARDS["ulx3s-85"].port
    engine, serial = clocks_of({"fmax": fmax}, port.clock_title, port.net)
    assert (engine.name, engine.asked_mhz, engine.reached_mhz) == ("engine", 75, 90)
    assert (serial.name, serial.asked_mhz, serial.is_met) == ("serial port", 25, True)


def test_a_clock_without_a_constraint_is_an_error():
    """nextpnr checks a clock without a constraint against 12 MHz."""
    with pytest.raises(ValueError, match="clocks must have constraints: engine"):
        clocks_of(report(asked=12))
    with pytest.raises(ValueError, match="clocks must have constraints: engine"):
        clocks_of(report(asked=12), engine_mhz=10)
    with pytest.raises(ValueError, match=r"clocks must have constraints: Ethernet receiver$"):
        clocks_of(report(asked=10, line=12), engine_mhz=10)


@pytest.mark.parametrize("clock", [3.125, 10, 12])
def test_an_engine_may_be_as_slow_as_the_user_asks(clock):
    assert clocks_of(report(asked=clock), engine_mhz=clock)[0].asked_mhz == clock


@pytest.mark.parametrize("names", [["$glbnet$clocking.clk"], ["a", "ethernet.i", "b"], []])
def test_another_number_of_clocks_is_an_error(names):
    clock = {"achieved": 100, "constraint": 75}
    with pytest.raises(ValueError, match="must have two clocks"):
        clocks_of({"fmax": dict.fromkeys(names, clock)})


def test_uses_in_per_cent():
    uses = {use.kind: (use.used, use.available, use.percent) for use in uses_of(report())}
    assert uses == {
        "LUT": (17_064, 43_848, 38.9), "FF": (11_499, 43_848, 26.2), "BRAM": (12, 108, 11.1),
        "DSP": (0, 72, 0), "pins": (19, 245, 7.8),
    }  # fmt: skip


def test_cells_of_a_netlist():
    """A carry cell is two LUTs, and a memory of 16 x 4 bits is four; odd numbers of blocks stay."""
    cells = netlist(LUT4=10, CCU2C=3, TRELLIS_DPR16X4=2, TRELLIS_FF=5, DP16KD=3, MULT18X18D=1)
    uses = {
        use.kind: (use.used, use.available) for use in counted_uses(cells, BOARDS["versa-ecp5"])
    }
    assert uses == {
        "LUT": (24, 43_848), "FF": (5, 43_848), "BRAM": (3, 108), "DSP": (1, 72)
    }  # fmt: skip
