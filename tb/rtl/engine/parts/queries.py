"""A query with windows of each key."""

from query.parser import parse


def query_of(type_, select):
    """Returns the query for ``select``; column x has the type ``type_``."""
    return parse(
        f"CREATE INPUT STREAM S (g uint(4), x {type_}, y int(7));"
        f"SELECT g, {select} FROM S [PARTITION BY g ROWS 64 SLIDE 1];"
    )
