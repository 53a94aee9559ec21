"""Lists the kinds of queries that are measured, each with the SQL by which DuckDB answers it.

The SQL reads the view ``data``: the columns of the file, and the row's number ``r``.
"""

from dataclasses import dataclass

from tb.golden.large.data import BEGIN, DISORDER

SCHEMA = """CREATE INPUT STREAM S (
    t uint(40) seconds, d uint(40) seconds, k uint(16), g uint(4), x int);
"""
VALUES = "count(*) AS n, sum(x) AS s, max(x) AS m"
_SUMS = "sum(n)::bigint, sum(s)::hugeint, max(m)"  # of panes
_ROWS = "n, s::hugeint, m"


@dataclass(frozen=True)
class Kind:
    """Holds a query in both languages.

    Attributes
    ----------
    query : str
        The text after ``SELECT`` in Sluice's language.
    sql : str
        DuckDB's query for the same rows.
    columns : str
        The columns of golden's rows that the SQL gives, in the SQL's order and types.
    """

    query: str
    sql: str
    columns: str

    @property
    def text(self) -> str:
        """The whole query in Sluice's language."""
        return f"{SCHEMA}SELECT {self.query};\n"


def _by_time(time, by="", slide=60, last="max(p) OVER ()"):
    """Returns SQL for windows of ten slides, each slide a pane; rows begin with the window's end.

    Pane p is in the windows p - 9 to p. Window 0 begins at `BEGIN`. The last window that has a row
    is window ``last``, an expression of a copy of a pane.
    """
    return f"""
        WITH panes AS (
            SELECT {by}({time} - {BEGIN}) // {slide} AS p, {VALUES} FROM data GROUP BY ALL),
        copies AS (SELECT p - i AS w, * FROM panes, range(10) r(i) WHERE p >= i),
        closed AS (SELECT * FROM copies QUALIFY w <= {last})
        SELECT ((w + 10) * {slide} + {BEGIN})::bigint, {by}{_SUMS} FROM closed GROUP BY {by}w"""


def _by_rows(size, slide, number, by="", counted="data"):
    """Returns SQL for full windows of rows; ``number`` counts the tuples of a stream from 0."""
    panes = size // slide
    return f"""
        WITH panes AS (SELECT {by}{number} // {slide} AS p, {VALUES} FROM {counted} GROUP BY ALL),
        copies AS (SELECT p - i AS w, * FROM panes, range({panes}) r(i) WHERE p >= i)
        SELECT w::bigint, {by}{_SUMS} FROM copies"""


def _each_row(size, number, by="", counted="data"):
    """Returns SQL for full windows of rows with SLIDE 1, by DuckDB's window functions."""
    order = f"PARTITION BY {by} ORDER BY {number}" if by else f"ORDER BY {number}"
    return f"""
        SELECT ({number} - {size - 1})::bigint, {by + "," if by else ""}
            count(*) OVER frame, (sum(x) OVER frame)::hugeint, max(x) OVER frame
        FROM {counted} WINDOW frame AS ({order} ROWS {size - 1} PRECEDING)
        QUALIFY {number} >= {size - 1}"""


_COUNTED = "(SELECT *, row_number() OVER (PARTITION BY k ORDER BY r) - 1 AS i FROM data)"
KINDS = {
    "groups": Kind(
        f"k, {VALUES} FROM S GROUP BY k",
        "SELECT k, count(*), sum(x)::hugeint, max(x) FROM data GROUP BY k",
        f"k, {_ROWS}",
    ),
    "rows": Kind(
        f"{VALUES} FROM S [ROWS 4096 SLIDE 1024]",
        _by_rows(4096, 1024, "r") + " GROUP BY w HAVING sum(n) = 4096",
        f'"window", {_ROWS}',
    ),
    "each-row": Kind(
        f"{VALUES} FROM S [ROWS 1024 SLIDE 1]", _each_row(1024, "r"), f'"window", {_ROWS}'
    ),
    "rows-groups": Kind(
        f"g, {VALUES} FROM S [ROWS 4096 SLIDE 1024] GROUP BY g",
        _by_rows(4096, 1024, "r", "g, ")
        + " WHERE w * 1024 + 4096 <= (SELECT count(*) FROM data) GROUP BY g, w",
        f'"window", g, {_ROWS}',
    ),
    "time": Kind(
        f"{VALUES} FROM S [RANGE 600 SLIDE 60 WATTR t]", _by_time("t"), f"window_end, {_ROWS}"
    ),
    "time-groups": Kind(
        f"g, {VALUES} FROM S [RANGE 600 SLIDE 60 WATTR d SLACK {DISORDER}] GROUP BY g",
        _by_time("d", "g, "),
        f"window_end, g, {_ROWS}",
    ),
    "key-rows": Kind(
        f"k, {VALUES} FROM S [PARTITION BY k ROWS 64 SLIDE 16]",
        _by_rows(64, 16, "i", "k, ", _COUNTED) + " GROUP BY k, w HAVING sum(n) = 64",
        f'"window", k, {_ROWS}',
    ),
    "key-each-row": Kind(
        f"k, {VALUES} FROM S [PARTITION BY k ROWS 64 SLIDE 1]",
        _each_row(64, "i", "k", _COUNTED),
        f'"window", k, {_ROWS}',
    ),
    "key-time": Kind(
        f"k, {VALUES} FROM S [PARTITION BY k RANGE 6000 SLIDE 600 WATTR t]",
        # A window of a key has a row if a later tuple of the key closes it.
        _by_time("t", "k, ", 600, "max(p) OVER (PARTITION BY k) - 10"),
        f"window_end, k, {_ROWS}",
    ),
}
