"""Runs a design in a compiled C++ loop around Verilator's model."""
