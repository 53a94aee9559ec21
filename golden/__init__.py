"""What the answer is: data sets to tuples to expected rows, by PySpark.

It knows the query and Spark, and no hardware. The way of the data: `golden.readers` makes
`golden.tuples.Tuples` of a file, `golden.answer` makes rows of tuples, `golden.rows` writes rows.
"""
