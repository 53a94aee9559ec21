"""Drives the pins of a design from cocotb."""
