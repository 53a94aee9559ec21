"""Writes the bench in cocotb of a generated directory, its tuples and the expected rows."""
