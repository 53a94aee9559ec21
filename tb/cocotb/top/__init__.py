"""Benches of whole engines, at the pins of the shipped Verilog."""
