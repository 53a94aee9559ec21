"""Runs a network face at the pins of its Ethernet MAC, with frames."""
