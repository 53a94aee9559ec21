"""Sorting at several tuples per cycle: compare-and-swap, the FLiMS merger, the merge tree."""
