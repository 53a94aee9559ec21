"""The buses of an engine's top: AXI4-Stream in and out, AXI4-Lite registers, flat ports."""
