"""Puts the tuples of a frame in order of arrival: numbers, runs in partitions, greatest times."""
