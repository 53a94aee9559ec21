"""Reads and writes lines and words of a memory off the chip through AXI4 masters."""
