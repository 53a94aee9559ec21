"""Computes which windows of its key a tuple closes, for each window kind."""
