"""Units of windows of each key."""

from gen.units.unit import Unit

UNITS: dict[str, Unit] = {}
