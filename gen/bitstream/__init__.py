"""Builds a bitstream of a project with the open tools Yosys, nextpnr and Trellis."""
