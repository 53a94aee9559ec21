"""Benches of the windows of each key."""
