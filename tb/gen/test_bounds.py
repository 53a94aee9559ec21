"""Checks that the largest allowed queries are built, although Python's stack is limited."""

import pytest

SCHEMA = "CREATE INPUT STREAM S (a uint(8), b int, f float, t uint(64));\n"
#: 256 comparisons.
MANY = " OR ".join(f"(f >= {i} AND b != {i})" for i in range(128))


def nested(levels):
    """Returns OR in AND in OR ..., with this number of levels."""
    text = "f = 1"
    for level in range(levels):
        text = f"({text} {'AND' if level % 2 else 'OR'} b = {level})"
    return text


QUERIES = {
    "comparisons": f"SELECT a, count(*) FROM S WHERE {MANY} GROUP BY a;",
    "nesting": f"SELECT a, count(*) FROM S WHERE {nested(32)} GROUP BY a;",
    "lengths": "SELECT count(*) FROM S [RANGE 4611686018427387903 SLIDE 4611686018427387903 WATTR t"
    " SLACK 4611686018427387903];",
    # 2^64 - 1, the largest distance of two times.
    "greatest lengths": "SELECT count(*) FROM S [RANGE 18446744073709551615 "
    "SLIDE 18446744073709551615 WATTR t SLACK 18446744073709551615];",
}


@pytest.mark.regress
@pytest.mark.parametrize("select", QUERIES.values(), ids=QUERIES)
def test_it_is_built(select, sluice, tmp_path):
    query = tmp_path / "q.cql"
    query.write_text(SCHEMA + select)
    code, _, err = sluice("generate", query, "-o", tmp_path / "made")
    assert code == 0, err
    assert "module sluice_q" in (tmp_path / "made" / "sluice_q.v").read_text()
