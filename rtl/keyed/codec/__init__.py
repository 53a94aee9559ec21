"""Compresses the values of a key into blocks of 64 bytes, and decompresses them."""
