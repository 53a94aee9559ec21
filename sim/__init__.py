"""Simulates designs, with models of the memory and the buses around a design."""
