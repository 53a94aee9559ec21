"""Boards that an Amaranth platform describes: pins, clocks, and the tops around an engine."""
