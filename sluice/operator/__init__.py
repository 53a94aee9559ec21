"""The engine as an operator of a Spark job: DataFrames of tuples to DataFrames of rows.

Modules build on each other in the order
``design -> prepared -> segments, keys, streaming -> windows``. Functions that tasks run are in
`host.spark` and `golden`, so that an executor needs neither the command line nor the hardware's
description.
"""
