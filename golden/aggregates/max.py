"""max(x)."""

from golden.aggregates.extreme import Extreme

OPERATOR = Extreme
