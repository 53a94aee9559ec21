"""From a project with open tools to a bitstream: Yosys, nextpnr, Trellis."""
