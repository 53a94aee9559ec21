"""Tests which designs are compared with a figure of the seeds."""

import pytest

from gen.report import seed_figures as seeds
from query.parser import parse
from rtl.engine import ENGINES

PUBLISHED = "min(x), max(x), sum(x), count(*), count(distinct x)"


def figure(select=PUBLISHED, *, x="int(32)", target="xcup", where="", **options):
    """Returns the figure for a query of groups, with the seed's options except the changed ones."""
    text = (
        f"CREATE INPUT STREAM S (g uint(32), x {x}); SELECT g, {select} FROM S {where} GROUP BY g;"
    )
    options = {"lanes": 4, "results": "select"} | options
    return seeds.of_design(ENGINES["group-by"](query=parse(text), **options), target)


def test_the_design_of_the_seed_has_its_figure():
    result = figure()
    assert (result.lut, result.ff) == (2552, 2422)
    assert "Table 1" in result.source


@pytest.mark.parametrize(
    "changed",
    [
        {"select": "min(x), max(x)"},
        {"x": "int(16)"},
        {"target": "ecp5"},
        {"where": "WHERE x > 3"},
        {"lanes": 8},
        {"results": "all"},
    ],
)
def test_another_design_has_none(changed):
    assert figure(**changed) is None
