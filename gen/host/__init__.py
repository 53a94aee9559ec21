"""Writes the files that the host of a board needs."""
