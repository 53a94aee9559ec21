"""Computes ``max(x)`` in Spark."""

from golden.aggregates.extreme import Extreme

OPERATOR = Extreme
