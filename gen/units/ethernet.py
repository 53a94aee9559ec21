"""Units of the network face."""

from gen.units.unit import Unit

UNITS: dict[str, Unit] = {}
