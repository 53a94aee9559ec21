"""Changes the dividers of an ECP5's PLL in a configuration that is placed and routed.

Placement and routing do not depend on the dividers: the clock's net has a constraint of its own. So
a design is placed once, for an ambitious clock, and then gets the dividers of a reached clock.
"""

import re
from collections.abc import Mapping


def with_pll(config: str, old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """Returns the configuration with the dividers ``new`` in place of ``old``.

    Trellis writes a divider as one less than its value, and a phase as it is, in seven bits. For
    instance CLKOS_DIV 8 is the line ``word: CLKOS_DIV 0000111``.

    Parameters
    ----------
    config : str
        Trellis's text of a configuration with one PLL.
    old, new : mapping of str to int
        Parameters of :class:`boards.platforms.pll.Pll`.

    Raises
    ------
    ValueError
        If the configuration does not have each old divider once.
    """
    for name, value in old.items():
        pattern = re.compile(rf"^word: {name} {_bits(name, value)}$", re.MULTILINE)
        config, count = pattern.subn(f"word: {name} {_bits(name, new[name])}", config)
        if count != 1:
            raise ValueError(f"the configuration must have {name} {value} once, not {count} times")
    return config


def _bits(name, value):
    return f"{value - 1 if name.endswith('_DIV') else value:07b}"
