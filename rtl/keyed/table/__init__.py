"""Finds the state of each key: a hash table over banks of memory."""
