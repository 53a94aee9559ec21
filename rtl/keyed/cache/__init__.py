"""Keeps uncompressed windows of some keys on the chip."""
