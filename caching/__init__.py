"""Keeps results of earlier runs and finds them by a hash of everything they depend on.

An *entry* is a directory ``<cache>/<kind>/<key>``; it appears under this name only when complete.
It carries a *seal*: the hash of each of its files, signed with a key that lies in the user's own
cache folder. The cache checks the seal before it reads or loads any file of an entry, and makes a
damaged or foreign entry again.
"""
