"""Figure 17 of seed 000: windows of 1,024 and of 4,096 tuples."""

from tb.figures.key_rates import KeyRates

FIGURE = KeyRates(name="figure17", windows=(1024, 4096))
