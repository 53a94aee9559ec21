"""The bench in cocotb that a generated directory has, with its tuples and its expected rows."""
