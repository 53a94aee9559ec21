"""Reads queries and design points for the functions of the library."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy as np

from gen.design.build import Build, build_of
from query.design import DesignPoint
from query.design import load as load_point
from query.errors import UserError
from query.parser import parse as parse_text
from query.query import Query
from sluice.arguments import check_names, check_options, path_of

#: A query, a design point, or the path of a ``.cql`` or ``.toml`` file.
AnyQuery = Query | DesignPoint | str | PathLike[str]
_NAME = "query"  # of a design whose query has no file


def parse(text: str) -> Query:
    """Returns the query of a text: the schema and the SELECT, as in a ``.cql`` file.

    Raises `UserError`, for a mistake in the text with line and column.
    """
    if not isinstance(text, str):
        raise UserError(f"the text of a query must be a str, not {type(text).__name__}")
    return parse_text(text)


def load(path: str | PathLike[str]) -> DesignPoint:
    """Returns the design point of a ``.toml`` file, or of a ``.cql`` file without any option.

    Its attribute ``query`` is the query. Raises `UserError`.
    """
    return load_point(path_of(path))


def point_of(query: AnyQuery, name: str | None = None) -> DesignPoint:
    """Returns a query as a design point; ``name`` names the design of a query without a file.

    Raises UserError for a name that holds a slash, and for a name beside a file or a design point,
    which have names.
    """
    if name is not None and not isinstance(query, Query):
        raise UserError("name is for a query without a file: a file and a design point have names")
    if name is not None and ("/" in name or not name):
        raise UserError(f"name must be a name without a slash, not {name!r}")
    if isinstance(query, DesignPoint):
        return query
    if isinstance(query, Query):
        file = Path(f"{name or _NAME}.cql")
        return DesignPoint(query=query, query_file=file, file=file)
    if not isinstance(query, str | PathLike):
        kind = type(query).__name__
        raise UserError(f"query must be a Query, a DesignPoint or a path, not {kind}")
    if isinstance(query, str) and ";" in query and not query.endswith((".cql", ".toml")):
        raise UserError("query is the path of a file; sluice.parse(text) makes a query of a text")
    return load(query)


def query_of(query: AnyQuery) -> Query:
    """Returns the query alone."""
    return point_of(query).query


def build_for(
    query: AnyQuery,
    engine: str | None,
    board: str | None,
    options: Mapping[str, int | bool | str],
    name: str | None = None,
) -> Build:
    """Returns the resolved design; ``options`` are those of engine, bus and board, by name.

    The integers and bools of NumPy are taken as those of Python. Raises `UserError`, also if a name
    is no str, or ``options`` is no mapping from str.
    """
    check_names(engine=engine, board=board, name=name)
    check_options(options)
    point = point_of(query, name)
    parameters = {option: _python_value(value) for option, value in options.items()}
    return build_of(point.override(engine=engine, board=board, parameters=parameters))


def _python_value(value):
    """Returns a value; an integer or bool of NumPy as that of Python."""
    return value.item() if isinstance(value, np.integer | np.bool_) else value
