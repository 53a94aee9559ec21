"""Runs a design in a compiled loop of C++ around Verilator's model."""
