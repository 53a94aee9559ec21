"""Checks that a prediction refuses numbers that a host may not set, in one line."""

import pytest

from query.parser import parse
from rtl.engine import ENGINES

SCHEMA = "CREATE INPUT STREAM S (k uint(6), x int(32), t uint(32)); SELECT "
QUERIES = {
    "swag": "k, median(x) FROM S [ROWS 64 SLIDE 8] GROUP BY k;",
    "two-stacks": "max(x) FROM S [ROWS 64 SLIDE 8];",
    "pane": "max(x) FROM S [RANGE 64 SLIDE 16 WATTR t];",
    "window-id": "max(x) FROM S [RANGE 64 SLIDE 16 WATTR t];",
}


@pytest.mark.parametrize(
    ("engine", "numbers", "message"),
    [
        ("swag", {"size": 1 << 20}, "size must be from 1 to 16384, a multiple of 4, not 1048576"),
        ("swag", {"size": 66}, "size must be from 1 to 16384, a multiple of 4, not 66"),
        ("swag", {"size": 16388}, "size must be from 1 to 16384, a multiple of 4, not 16388"),
        ("swag", {"slide": 0}, "slide must be from 1 to "),
        ("swag", {"slide": 128}, "slide must be at most size, not slide=128"),
        ("two-stacks", {"size": 0}, "size must be from 1 to 64, not 0"),
        ("two-stacks", {"size": 65}, "size must be from 1 to 64, not 65"),
        ("two-stacks", {"size": 32, "slide": 40}, "slide must be at most size, not size=32, slide"),
        ("pane", {"slide": 0}, "slide must be at least 1 step, not slide=0"),
        ("pane", {"range": 6400}, "not range=6400"),
        ("pane", {"range": 8}, "slide must be at most range, not range=8"),
        ("window-id", {"slide": 0}, "slide must be at least 1 step, not slide=0"),
        ("window-id", {"range": 64000}, "not range=64000"),
    ],
)
def test_a_number_that_a_host_may_not_set(engine, numbers, message):
    design = ENGINES[engine](query=parse(SCHEMA + QUERIES[engine]))
    with pytest.raises(ValueError, match=message) as caught:
        design.predict(**numbers)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("engine", QUERIES)
def test_the_numbers_of_the_query_are_allowed(engine):
    design = ENGINES[engine](query=parse(SCHEMA + QUERIES[engine]))
    names = [name for name in ("size", "range", "slide") if name in design.settings.values]
    numbers = {name: design.settings.values[name] for name in names}
    assert design.predict(**numbers) == design.predict()


@pytest.mark.parametrize(
    ("engine", "numbers"),
    [
        ("swag", {"size": 16384, "slide": 16384}),
        ("swag", {"size": 4, "slide": 4}),
        ("two-stacks", {"size": 64, "slide": 64}),
        ("two-stacks", {"size": 1, "slide": 1}),
        ("pane", {"range": 16, "slide": 16}),
        ("window-id", {"range": 16, "slide": 16}),
    ],
)
def test_the_ends_of_what_a_host_may_set_are_allowed(engine, numbers):
    design = ENGINES[engine](query=parse(SCHEMA + QUERIES[engine]))
    assert design.predict(**numbers).tuples_per_cycle > 0
