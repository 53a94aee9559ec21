"""Checks the dividers of a PLL in a configuration that is placed and routed."""

import re

import pytest

from boards.platforms.pll import ecp5_pll
from gen.bitstream.pll_words import with_pll

#: PLL of 62.5 MHz from 100 MHz, as nextpnr writes it: 100 MHz / 8 * 40 / 8. The word of a divider
#: is the divider less one.
CONFIG = """\
.tile MIB_R50C4:PLL0_LL
word: CLKI_DIV 0000111
word: CLKFB_DIV 0000000
word: CLKOP_DIV 0100111
word: CLKOP_CPHASE 0100111
word: CLKOS_DIV 0000111
word: CLKOS_CPHASE 0000111
word: CLKOS2_DIV 0000111
enum: MODE EHXPLLL
"""
OLD = {"CLKI_DIV": 8, "CLKOP_DIV": 40, "CLKOP_CPHASE": 39, "CLKOS_DIV": 8, "CLKOS_CPHASE": 7}


def test_dividers_by_hand():
    new = OLD | {"CLKI_DIV": 1, "CLKOP_DIV": 6, "CLKOP_CPHASE": 5, "CLKOS_DIV": 6}
    assert with_pll(CONFIG, OLD, new) == (
        CONFIG.replace("CLKI_DIV 0000111", "CLKI_DIV 0000000")
        .replace("CLKOP_DIV 0100111", "CLKOP_DIV 0000101")
        .replace("CLKOP_CPHASE 0100111", "CLKOP_CPHASE 0000101")
        .replace("CLKOS_DIV 0000111", "CLKOS_DIV 0000101")
    )
    assert with_pll(CONFIG, OLD, OLD) == CONFIG


def test_every_divider_fits_its_word():
    """A word has seven bits: a divider less one, or a phase."""
    for clock in (3.125, 25, 33, 62.5, 125, 400):
        parameters = ecp5_pll(100, clock).parameters
        changed = with_pll(CONFIG, OLD, parameters)
        assert len(changed) == len(CONFIG)
        for name, value in parameters.items():
            (word,) = re.findall(rf"^word: {name} ([01]{{7}})$", changed, re.MULTILINE)
            assert int(word, 2) + name.endswith("_DIV") == value


@pytest.mark.parametrize(
    ("config", "count"),
    [(CONFIG.replace("CLKI_DIV 0000111", "CLKI_DIV 0000110"), 0), (CONFIG * 2, 2)],
)
def test_a_configuration_of_another_design_is_refused(config, count):
    with pytest.raises(ValueError, match=f"must have CLKI_DIV 8 once, not {count} times"):
        with_pll(config, OLD, OLD)
