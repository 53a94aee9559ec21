"""Units of windows, panes and punctuations."""

from gen.units.unit import Unit

UNITS: dict[str, Unit] = {}
