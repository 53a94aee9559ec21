"""Percentiles of the windows of keys by a pivot, without sorting."""
