"""Runs a design on data and compares its rows with the rows of PySpark."""
