"""Compares files of rows, of any size: in this process as two streams, or as a job of Spark.

Modules build on each other in the order ``values -> sources -> streams, spark``.
"""
