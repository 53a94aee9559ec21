"""Facts in docs/medians.md: the predicted rates of both ways, and the default of percentiles."""

import re
from pathlib import Path

import pytest

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine.seed_sizes import AGGREGATES, FIXED

DOCUMENT = Path(__file__).parents[4] / "docs" / "medians.md"
ROWS = re.findall(
    r"^\| (ROWS \d+ SLIDE \d+) \| (.*) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
)
#: Options and arguments of ``predict`` of each pair of columns.
PAIRS = (({}, {}), ({"codec": "base-delta"}, {"ratio": 4}))


def design_of(window, **options):
    """Returns the design of the seed's query with a window of a key."""
    text = (
        f"CREATE INPUT STREAM T (job uint(32), cpu {FIXED});"
        f"SELECT job, {AGGREGATES} FROM T [PARTITION BY job {window}];"
    )
    return ENGINES["streamzip"](query=parse(text), **options)


def test_the_table_has_rows():
    assert len(ROWS) == 6


@pytest.mark.parametrize(("window", "cells"), ROWS)
def test_predicted_rates_and_defaults(window, cells):
    """A cell has the digits of the prediction that it shows, and the default is bold."""
    cells = iter(cells.split(" | "))
    for options, load in PAIRS:
        default = design_of(window, **options).options.resolved.percentiles
        for way in ("sorter", "pivot"):
            cell = next(cells)
            rate = design_of(window, percentiles=way, **options).predict(keys=64, **load)
            number = cell.strip("*")
            digits = len(number.partition(".")[2])
            assert float(number) == round(rate.tuples_per_cycle, digits), (options, way)
            assert cell.startswith("**") == (way == default), (options, way)
