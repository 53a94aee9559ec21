"""Answers queries over Spark DataFrames in parallel: a DataFrame of tuples to a DataFrame of rows.

`golden.frames.columns` converts a user's values, `golden.order.arrival` numbers the tuples in
order of arrival, `golden.order.running` finds the greatest time so far, `golden.frames.results`
gives rows the values that users read, `golden.frames.source` reads files and `golden.frames.sink`
writes them.
"""
