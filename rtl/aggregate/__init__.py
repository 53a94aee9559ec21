"""Aggregates that all engines share (lift, combine, lower), and their arithmetic."""
