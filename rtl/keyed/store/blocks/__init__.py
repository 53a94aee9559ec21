"""Keeps the values of each key in compressed blocks."""
