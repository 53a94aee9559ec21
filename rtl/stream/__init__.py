"""Beats, the registers that carry them, and selection: the first steps of every engine."""
