"""Lift, combine, lower: the aggregates that every engine shares, and the arithmetic they need."""
