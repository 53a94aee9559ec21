"""Writes the directory of a generated design."""
