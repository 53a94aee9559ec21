"""Benches of the networks between lanes."""
