"""Keeps the values of each key: plain in lines, or compressed in blocks."""
