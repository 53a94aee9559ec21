"""Stores results of earlier runs, and finds each result by a hash of all its inputs.

An *entry* is a directory ``<cache>/<kind>/<key>``, which appears under this name only when it is
complete. Each entry carries a *seal*: the hash of each of its files, signed with a key in the
user's own cache folder. The cache checks the seal before it reads or loads any file of an entry,
and rebuilds a damaged or foreign entry.
"""
