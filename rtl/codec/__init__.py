"""Codecs: values of a key into blocks of 64 bytes, and out of them."""
