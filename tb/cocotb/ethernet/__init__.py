"""Benches of the network face."""
