"""Sorts windows at several tuples per cycle: linear sorters, FLiMS, merge trees, merge sorter."""
