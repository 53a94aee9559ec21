"""The key table: a hash table over banks of memory, with the state of each key."""
