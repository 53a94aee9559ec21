"""Measures resources and clock of a design with Yosys and nextpnr."""
