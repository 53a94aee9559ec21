"""Measures `sluice golden` on large data: time, processor time, memory, and rows against DuckDB."""
