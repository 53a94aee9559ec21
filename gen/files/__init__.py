"""Checks the paths that a command reads and writes before the command works."""
