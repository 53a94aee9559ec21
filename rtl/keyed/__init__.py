"""Keeps windows of each key: table, window kinds, memory off the chip, codecs, stores."""
