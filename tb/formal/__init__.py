"""Proves properties of the components of all engines with Yosys: `python -m tb.formal`."""
