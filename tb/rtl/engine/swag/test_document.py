"""Facts in docs/swag.md: the table of rates of windows that are larger than a chunk."""

import re
from itertools import product
from pathlib import Path

import pytest

from query.parser import parse
from rtl.engine import ENGINES

DOCUMENT = Path(__file__).parents[4] / "docs" / "swag.md"
ROWS = re.findall(
    r"^\| (\d+), (\d+) \| ([\d,]+) \| ([^|]*) \| ([\d. /]+) \| ([\d. /]+) \|$",
    DOCUMENT.read_text(encoding="utf-8"),
    re.MULTILINE,
)


def number(text):
    return int(text.replace(",", ""))


def share(lanes, capacity, window_max, size, passes, aggregate="median(v)"):
    """Returns the predicted rate as a share of P * wa / ws, or above k with `shared` of its half.

    The slide does not matter: it is the least, the lanes.
    """
    text = (
        "CREATE INPUT STREAM S (g uint(32), v uint(32));"
        f"SELECT g, {aggregate} FROM S [ROWS {size} SLIDE {lanes}] GROUP BY g;"
    )
    options = {"capacity": capacity, "window_max": window_max, "passes": passes}
    design = ENGINES["swag"](query=parse(text), lanes=lanes, **options)
    rate = design.predict(size=size, slide=lanes).tuples_per_cycle
    halves = 2 if passes == "shared" and size > capacity else 1
    return halves * rate * size / lanes**2


def points():
    """Yields lanes, capacity, window_max, size, passes and the documented share of each cell."""
    for lanes, capacity, window_max, sizes, *columns in ROWS:
        sizes = [number(part.split(" to ")[-1]) for part in sizes.split(" / ")]
        for passes, cells in zip(("shared", "pipelined"), columns, strict=True):
            for size, cell in zip(sizes, cells.split(" / "), strict=True):
                yield int(lanes), int(capacity), number(window_max), size, passes, cell


def test_the_table_has_rows():
    assert len(ROWS) == 5


@pytest.mark.parametrize("point", list(points()), ids=str)
def test_shares(point):
    *sizes, cell = point
    digits = len(cell.partition(".")[2])
    assert f"{share(*sizes):.{digits}f}" == cell


def test_shares_without_percentiles():
    """Shares of queries without a percentile are higher by as much as the page says."""
    assert "Without one the shares below 1 are up to 0.05 higher" in DOCUMENT.read_text("utf-8")
    higher = [
        share(*sizes, aggregate) - share(*sizes)
        for (*sizes, _), aggregate in product(points(), ("count(*)", "count(distinct v)"))
    ]
    assert min(higher) >= 0
    assert round(max(higher), 2) == 0.05
