"""The cache: results of earlier runs, found again by a hash of all that they depend on.

An *entry* is a directory ``<cache>/<kind>/<key>`` that nobody sees half made. It carries a *seal*:
the hash of each of its files, signed with a key that lies in the user's own cache folder. An entry
is checked before anything of it is read or loaded; a damaged or foreign one is made again.
"""
