"""Computes the expected rows of a query from a data set, by PySpark.

The package knows the query language and Spark, and no hardware. `golden.readers` reads a file into
`golden.tuples.Tuples`, `golden.answer` computes rows from tuples, and `golden.rows` writes rows.
"""

import warnings

# PySpark warns when it is imported. Golden passes Arrow tables to PySpark, never pandas frames.
warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
