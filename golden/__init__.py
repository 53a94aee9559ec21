"""What the answer is: data sets to tuples to expected rows, by PySpark.

It knows the query and Spark, and no hardware. The way of the data: `golden.readers` makes
`golden.tuples.Tuples` of a file, `golden.answer` makes rows of tuples, `golden.rows` writes rows.
"""

import warnings

# PySpark says so when it is imported; golden hands it Arrow tables, never pandas frames.
warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
