"""Benches of sorters and mergers."""
