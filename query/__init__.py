"""Reads the text of a query into immutable objects: schema, predicate, window and aggregates.

Golden, rtl and tb share only this package. It knows neither Spark nor hardware. It fixes names,
types, widths, and the raw encoding of every value.
"""
