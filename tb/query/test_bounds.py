"""Checks the bounds of a query: at a bound the query is read; beyond, the error is one line."""

import pytest

from query.errors import QueryError, brief
from query.parser import parse

SCHEMA = "CREATE INPUT STREAM S (a int, b uint(64), s string(4), t int(64));\n"
LONG = "x" * 129  # a name of a letter too many


def refused(text):
    """Returns the error of a query, which must be one short line, without the file's name."""
    with pytest.raises(QueryError) as caught:
        parse(text, "q.cql")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    return str(caught.value).removeprefix("q.cql:")


def rows(window):
    return f"{SCHEMA}SELECT max(a) FROM S [{window}]"


def where(predicate):
    return f"{SCHEMA}SELECT max(a) FROM S WHERE {predicate} GROUP BY b"


def nested(levels):
    """Returns a predicate with OR and AND in turn, nested ``levels`` deep: ((a OR b) AND c)."""
    text = "a = 1"
    for level in range(levels):
        text = f"({text} {'AND' if level % 2 else 'OR'} a = 2)"
    return text


BEYOND = {
    "ROWS": (rows("ROWS 281474976710656 SLIDE 1"), "2:28: ROWS must be at most 281474976710655"),
    "ROWS 1e50": (rows("ROWS 1e50 SLIDE 1"), "ROWS must be at most 281474976710655, not 1e50"),
    "SLIDE": (rows("ROWS 1 SLIDE 1e50"), "2:36: SLIDE must be at most 281474976710655, not 1e50"),
    "RANGE": (
        rows("RANGE 18446744073709551616 SLIDE 1 WATTR t"),
        "2:29: RANGE must be at most 18446744073709551615 steps of t int(64), "
        "not 18446744073709551616",
    ),
    "SLIDE of time": (rows("RANGE 1 SLIDE 1e20 hours WATTR t"), "2:37: SLIDE must be at most"),
    "SLACK": (
        rows("RANGE 1 SLIDE 1 WATTR t SLACK 1e20"),
        "2:53: SLACK must be at most 18446744073709551615 steps of t int(64), not 1e20",
    ),
    "percentile": (
        f"{SCHEMA}SELECT percentile(a, 1e-100) FROM S GROUP BY b",
        "2:22: the fraction of percentile must have at most 18 decimals, not 1e-100",
    ),
    "string": (
        "CREATE INPUT STREAM S (s string(1e12)) SELECT count(*) FROM S GROUP BY s",
        "1:26: string(N) must have N from 1 to 256, not 1000000000000",
    ),
    "int": (
        "CREATE INPUT STREAM S (s int(1e999)) SELECT count(*) FROM S GROUP BY s",
        "1:26: width of int must be 1 to 64 bits, not 1000",
    ),
    "fixed": (
        "CREATE INPUT STREAM S (s fixed(1e999,1e999)) SELECT count(*) FROM S GROUP BY s",
        "1:26: fixed(I,F) must have I >= 1",
    ),
    "a number of many digits": (
        where("a = " + "1" * 1201),
        "2:32: a number must have at most 1200 characters, not 1201",
    ),
    "a constant": (where("a = 1e999"), "2:32: 1e999 does not fit int"),
    "comparisons": (
        where(" OR ".join(["a = 1"] * 257)),
        f"2:{28 + 256 * 9}: WHERE must have at most 256 comparisons",
    ),
    "nesting": (where(nested(33)), "AND and OR must be nested at most 32 deep in WHERE"),
    "deep nesting": (where(nested(3000)), "AND and OR must be nested at most 32 deep in WHERE"),
    "a name": (
        f"{SCHEMA}SELECT max(a) AS {LONG} FROM S GROUP BY b",
        "2:18: a name must have at most 128 letters, not 129",
    ),
    **{
        f"a name of a {kind}": (text, f"{place}: a name must have at most 128 letters, not 129")
        for kind, place, text in (
            ("stream", "1:21", f"CREATE INPUT STREAM {LONG} (a int) SELECT count(*) FROM {LONG}"),
            ("column", "1:24", f"CREATE INPUT STREAM S ({LONG} int) SELECT max({LONG}) FROM S"),
            ("type", "1:26", f"CREATE INPUT STREAM S (a {LONG}) SELECT max(a) FROM S"),
            ("function", "2:8", f"{SCHEMA}SELECT {LONG}(a) FROM S GROUP BY b"),
            ("unit", "2:31", rows(f"RANGE 1 {LONG} SLIDE 1 WATTR t")),
        )
    },
    "results": (
        f"{SCHEMA}SELECT {', '.join(f'max(a) AS m{i:02}' for i in range(65))} FROM S GROUP BY b",
        f"2:{8 + 64 * 15}: SELECT must list at most 64 aggregates",
    ),
    "columns": (
        f"CREATE INPUT STREAM S ({','.join(f'c{i:04} int' for i in range(1025))})"
        "SELECT count(*) FROM S GROUP BY c0000",
        f"1:{24 + 1024 * 10}: a schema must have at most 1024 columns",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BEYOND.values(), ids=BEYOND)
def test_beyond_a_bound(text, message):
    assert message in refused(text)


AT = {
    "ROWS": rows("ROWS 281474976710655 SLIDE 281474976710655"),
    "RANGE": rows(
        "RANGE 18446744073709551615 SLIDE 18446744073709551615 WATTR t SLACK 18446744073709551615"
    ),
    "percentile": f"{SCHEMA}SELECT percentile(a, 1e-18) FROM S GROUP BY b",
    "string": "CREATE INPUT STREAM S (s string(256)) SELECT count(*) FROM S GROUP BY s",
    "a number of many digits": where("a = " + "0" * 1199 + "1"),
    "comparisons": where(" OR ".join(["a = 1"] * 256)),
    "nesting": where(nested(32)),
    "brackets around one term": where("(" * 3000 + "a = 1" + ")" * 3000),
    "a name": f"{SCHEMA}SELECT max(a) AS {'x' * 128} FROM S GROUP BY b",
    "results": f"{SCHEMA}SELECT {', '.join(f'max(a) AS m{i}' for i in range(64))} FROM S "
    "GROUP BY b",
    "columns": f"CREATE INPUT STREAM S ({','.join(f'c{i:04} int' for i in range(1024))})"
    "SELECT count(*) FROM S GROUP BY c0000",
}


@pytest.mark.parametrize("text", AT.values(), ids=AT)
def test_at_a_bound(text):
    query = parse(text)
    assert parse(str(query)) == query


def test_a_long_value_is_shown_by_its_beginning():
    assert brief("x" * 60) == "x" * 60
    assert brief("x" * 61) == "x" * 60 + "... (61 characters)"
    error = refused(where(f"a = '{'y' * 5000}'"))
    assert error == f"2:32: a is int; expected a number, not '{'y' * 59}... (5002 characters)"
    assert len(refused(where("z" * 5000 + " = 1"))) < 400
