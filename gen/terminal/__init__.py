"""Talks to the terminal, and ends the programs that a command has started."""
