"""Simulates a network face with Ethernet frames at the pins of its MAC."""
