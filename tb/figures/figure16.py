"""Figure 16 of seed 000: windows of 64 and of 256 tuples."""

from tb.figures.key_rates import KeyRates

FIGURE = KeyRates(name="figure16", windows=(64, 256))
