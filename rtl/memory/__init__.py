"""Memories: block memories cut to the shapes of block RAM, banks, and the signature of AXI4."""
