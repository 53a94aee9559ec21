"""Models of the codecs: the compressed blocks of a key's values, to the bit.

A value is an unsigned number of 32 or 64 bits: the bit pattern of an integer, fixed-point number or
float. All codecs share the format of blocks, :mod:`golden.codecs.blocks`. Each codec is one file,
which encodes a value after the values before it.
"""
