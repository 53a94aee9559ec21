"""Writes names and texts of a query in other languages."""
