"""Codecs as plain models: what a key's values are in compressed blocks, to the bit.

A value is an unsigned number of 32 or 64 bits here, the pattern of whatever it stands for. The
format of blocks is the same for all: :mod:`golden.codecs.blocks`. A codec says what a value is
after those before it, in one file.
"""
