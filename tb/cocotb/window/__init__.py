"""Benches of windows, panes and punctuations."""
