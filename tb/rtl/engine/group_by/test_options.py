"""Checks options that the group-by engine refuses, and queries that it cannot run."""

import pytest

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine.group_bench import point

QUERY = point("uint(32)", "int(32)", lanes=4).query


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"lanes": 3}, ValueError, "lanes must be a power of two from 1 to 64, not 3"),
        ({"lanes": 128}, ValueError, "lanes must be a power of two from 1 to 64, not 128"),
        ({"lanes": "4"}, TypeError, "lanes must be an integer, not '4'"),
        ({"results": "one"}, ValueError, "results must be one of all, select, not 'one'"),
        (
            {"scan": "x"},
            ValueError,
            "scan must be one of brent-kung, kogge-stone, sklansky, not 'x'",
        ),
        ({"count_width": 0}, ValueError, "count_width must be from 1 to 48, not 0"),
        ({"count_width": 49}, ValueError, "count_width must be from 1 to 48, not 49"),
    ],
)
def test_wrong_options_are_refused(options, error, text):
    with pytest.raises(error) as caught:
        ENGINES["group-by"](query=QUERY, **options)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("select", "reason"),
    [
        ("median(x)", r"median\(x\) selects by rank"),
        ("sum(f)", r"sum\(f\) adds floating-point numbers"),
        ("count(distinct x), count(distinct f)", "it counts distinct values of 2 columns"),
    ],
)
def test_queries_it_cannot_run(select, reason):
    query = parse(
        f"CREATE INPUT STREAM S (g int, x int, f float); SELECT {select} FROM S GROUP BY g"
    )
    with pytest.raises(ValueError, match=reason):
        ENGINES["group-by"](query=query)


def test_windows_are_for_other_engines():
    query = parse("CREATE INPUT STREAM S (g int) SELECT count(*) FROM S [ROWS 8 SLIDE 4];")
    with pytest.raises(ValueError, match=r"it has the window \[ROWS 8 SLIDE 4\]$"):
        ENGINES["group-by"](query=query)
