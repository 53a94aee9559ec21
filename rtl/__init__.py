"""How hardware computes the answer: Amaranth components, leaf to engine, the way of the data."""
