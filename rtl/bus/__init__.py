"""What a user sees of an engine: AXI4-Stream in and out, AXI4-Lite registers, flat ports."""
