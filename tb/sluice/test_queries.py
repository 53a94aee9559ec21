"""Queries, design points and paths are one argument."""

from pathlib import Path

import numpy as np
import pytest

import sluice
from sluice.queries import build_for, point_of, query_of

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = "CREATE INPUT STREAM S (k int(8), x int(8)); SELECT k, sum(x) FROM S GROUP BY k;"


def test_a_query_in_every_form():
    path = EXAMPLES / "rows_median.cql"
    point = sluice.load(path)
    assert str(query_of(point)) == str(query_of(path)) == str(query_of(str(path)))
    assert query_of(point.query) is point.query
    assert sluice.load(EXAMPLES / "rows_median.toml").engine == "swag"


def test_the_name_of_a_design():
    query = sluice.parse(TEXT)
    assert point_of(query).name == "query"
    assert build_for(query, None, None, {}, "sums").name == "sluice_sums"
    assert point_of(EXAMPLES / "rows_median.toml").name == "rows_median"


def test_options_override_those_of_a_file():
    build = build_for(EXAMPLES / "cluster_groupby.toml", None, "generic", {"lanes": 2})
    assert (build.design.parameters["lanes"], build.board.name) == (2, "generic")


def test_options_may_be_numbers_of_numpy():
    options = {"lanes": np.int64(2), "bus_bits": np.uint16(128)}
    build = build_for(EXAMPLES / "cluster_groupby.toml", None, "generic", options)
    assert build.design.parameters["lanes"] == 2
    assert type(build.design.parameters["lanes"]) is int


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sluice.parse("SELECT"), "1:"),
        (lambda: sluice.parse(None), "the text of a query must be a str, not NoneType"),
        (lambda: sluice.parse(b"SELECT"), "the text of a query must be a str, not bytes"),
        (lambda: sluice.load("nowhere.cql"), "nowhere.cql: cannot be read: No such file"),
        (lambda: build_for(sluice.parse(TEXT), "swg", None, {}), "did you mean swag?"),
        (lambda: build_for(sluice.parse(TEXT), 5, None, {}), "engine must be a str, not int"),
        (lambda: build_for(sluice.parse(TEXT), None, ["a"], {}), "board must be a str, not list"),
        (lambda: build_for(sluice.parse(TEXT), None, None, {"lane": 2}), "did you mean lanes?"),
        (lambda: point_of(EXAMPLES / "rows_median.toml", "other"), "name is for a query without"),
        (lambda: point_of(None), "query must be a Query, a DesignPoint or a path, not NoneType"),
        (lambda: point_of(TEXT), "query is the path of a file; sluice.parse(text) makes a query"),
        (lambda: point_of(sluice.parse(TEXT), "../x"), "name must be a name without a slash, not"),
        (lambda: build_for(sluice.parse(TEXT), None, None, {5: 2}), "a name must be a str, not 5"),
        (
            lambda: build_for(sluice.parse(TEXT), None, None, "lanes=2"),
            "options must be a dict from names to values",
        ),
    ],
)
def test_mistakes(make, message):
    with pytest.raises(sluice.UserError) as caught:
        make()
    assert message in str(caught.value)
