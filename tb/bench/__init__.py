"""Benches for single components in Amaranth's simulator."""
