"""Aggregates as Spark expressions: lift over tuples, combine over panes, lower to the result.

The three steps are the same as in the hardware, with one file for each function. ``lift`` and
``combine`` are Spark aggregate expressions, so that the states of the panes suffice to answer a
window. A float that Spark compares is carried as an integer, its place (`golden.values.carry`); a
float that Spark adds is carried as a float.
"""
