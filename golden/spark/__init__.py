"""Starts Spark: the session of the golden answers, and the archive of Spark's classes."""
