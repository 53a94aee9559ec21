"""Chooses engine and board of a command, and describes the design as plain data."""
