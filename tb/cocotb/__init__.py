"""Benches in cocotb, a file for each block, against rows that PySpark computed."""
