"""Gives the rows of an engine as lists, which tests compare."""


def lists_of(rows):
    """Returns a list of values for each column."""
    return [column.tolist() for column in rows.values()]
