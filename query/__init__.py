"""What is asked: schema, predicate, window and aggregates of one query, as immutable objects.

The one package that golden, rtl and tb share. It knows neither Spark nor hardware: it fixes names,
types, widths and meaning (the raw encoding of every value), and reads the query text.
"""
