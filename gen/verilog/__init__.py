"""Turns components into the Verilog that is shipped."""
