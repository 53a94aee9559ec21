"""Arithmetic of IEEE-754 floating point."""
