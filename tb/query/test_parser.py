"""Checks the parser by examples: each text against query objects written by hand."""

from fractions import Fraction
from pathlib import Path

import pytest

from query.aggregate import Aggregate, Function, Item
from query.parser import load, parse
from query.predicate import And, Comparison, Op, Or
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, UInt
from query.window import Range, Rows, WholeStream

EXAMPLES = Path(__file__).parents[2] / "examples"

SYMBOL = Column("Symbol", String(4))
PRICE = Column("Price", Int(32))
VOLUME = Column("Volume", Int(32))
TIME = Column("Time", Int(32))
SECONDS = Column("Time", Int(32), "seconds")

# Exactly as seeds 001 (section IV, Q4) and 002 (section IV, Q3) print them: without semicolons.
TRADES = """CREATE INPUT STREAM Trades (
Symbol string(4), -- valor symbol
Price int, -- stock price
Volume int, -- trade volume
Time int) -- timestamp
"""
UBSN = """SELECT Time, count(*) AS Number
FROM Trades [RANGE 600 seconds
SLIDE 60 seconds
WATTR Time]
WHERE Symbol = "UBSN"
"""


def trades(rest):
    return parse(TRADES + rest)


def where(text):
    return trades(f"SELECT Price, count(*) FROM Trades WHERE {text} GROUP BY Price").where


def item(text):
    (only,) = trades(f"SELECT {text} FROM Trades GROUP BY Symbol").items
    return only


def test_query_of_the_papers():
    query = parse(TRADES + UBSN)
    assert query.schema == Schema("Trades", (SYMBOL, PRICE, VOLUME, TIME))
    assert query.items == (Item(Aggregate(Function.COUNT, None, "count(*)"), "Number"),)
    assert query.window == Range(size=600, slide=60, attribute=TIME)
    assert query.where == Comparison(SYMBOL, Op.EQ, 0x5542534E)  # "UBSN" in ASCII
    assert query.group is None
    assert query.columns == (SYMBOL, TIME)
    assert query.row_names == ("window", "window_end", "Number")


def test_types():
    query = parse(
        "create input stream S (a int, b INT(7), c uint(64), d fixed(8,24), e Float, f double,"
        " g string(3)); select count(*) from S group by g"
    )
    assert [column.type for column in query.schema.columns] == [
        Int(32),
        Int(7),
        UInt(64),
        Fixed(8, 24),
        Float(),
        Double(),
        String(3),
    ]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("[ROWS 8 SLIDE 2]", Rows(size=8, slide=2)),
        (
            "[partition by Symbol rows 8 slide 8]",
            Rows(size=8, slide=8, partition=SYMBOL),
        ),
        ("[RANGE 5 SLIDE 3 WATTR Time]", Range(size=5, slide=3, attribute=TIME)),
        (
            "[RANGE 1 hour SLIDE 1 minute WATTR Time SLACK 2 minutes]",
            Range(size=3600, slide=60, attribute=TIME, slack=120),
        ),
        (
            "[PARTITION BY Symbol RANGE 2 Hours SLIDE 90 SECONDS WATTR Time]",
            Range(size=7200, slide=90, attribute=TIME, partition=SYMBOL),
        ),
        (
            "[RANGE 1.5 minutes SLIDE 1 second WATTR Time]",
            Range(size=90, slide=1, attribute=TIME),
        ),
    ],
)
def test_windows(text, window):
    query = trades(f"SELECT max(Price) FROM Trades {text}")
    assert query.window == window
    assert query.key == window.partition


def test_no_window():
    query = trades("SELECT Symbol, max(Price) FROM Trades GROUP BY Symbol;")
    assert query.window == WholeStream()
    assert query.group == query.key == SYMBOL
    assert query.row_names == ("window", "Symbol", "max(Price)")


def test_group_under_a_window():
    query = trades("SELECT max(Price) FROM Trades [ROWS 8 SLIDE 2] GROUP BY Symbol")
    assert (query.window, query.group) == (Rows(size=8, slide=2), SYMBOL)


def test_durations_of_a_fixed_point_time():
    query = parse(
        "CREATE INPUT STREAM S (t fixed(24,8)) SELECT count(*) FROM S"
        " [RANGE 1 minute SLIDE 0.5 seconds WATTR t SLACK 0.25]"
    )
    assert (query.window.size, query.window.slide, query.window.slack) == (60 * 256, 128, 64)


@pytest.mark.parametrize(
    ("text", "function", "column", "fraction", "name"),
    [
        ("count(*)", Function.COUNT, None, None, "count(*)"),
        ("Count ( * )", Function.COUNT, None, None, "count(*)"),
        (
            "COUNT(DISTINCT Price)",
            Function.COUNT_DISTINCT,
            PRICE,
            None,
            "count(distinct Price)",
        ),
        ("sum(Price)", Function.SUM, PRICE, None, "sum(Price)"),
        ("min(Price) AS least", Function.MIN, PRICE, None, "least"),
        ("max( Volume )", Function.MAX, VOLUME, None, "max(Volume)"),
        ("avg(Price) as count", Function.AVG, PRICE, None, "count"),
        ("median(Price)", Function.PERCENTILE, PRICE, Fraction(1, 2), "median(Price)"),
        (
            "percentile(Price, .950)",
            Function.PERCENTILE,
            PRICE,
            Fraction(19, 20),
            "percentile(Price, 0.95)",
        ),
        (
            "percentile(Price, 1)",
            Function.PERCENTILE,
            PRICE,
            Fraction(1),
            "percentile(Price, 1)",
        ),
        (
            "percentile(Price, 1e-3)",
            Function.PERCENTILE,
            PRICE,
            Fraction(1, 1000),
            "percentile(Price, 0.001)",
        ),
    ],
)
def test_aggregates(text, function, column, fraction, name):
    result = item(text)
    assert (result.aggregate.function, result.aggregate.column) == (function, column)
    assert result.aggregate.fraction == fraction
    assert result.name == name


def test_items_keep_their_order():
    query = trades("SELECT max(Price), Symbol, min(Price), sum(Volume) FROM Trades GROUP BY Symbol")
    assert [item.name for item in query.items] == ["max(Price)", "min(Price)", "sum(Volume)"]


@pytest.mark.parametrize("op", list(Op))
def test_comparisons(op):
    assert where(f"Price {op} -12") == Comparison(PRICE, op, -12)
    assert where(f"Price{op}-12") == Comparison(PRICE, op, -12)


def test_strings():
    assert where("Symbol = 'a\"b'") == where('Symbol = "a""b"') == where("Symbol='a\"b'")
    assert where("Symbol != '--'").raw == 0x2D2D0000
    assert where("Symbol = ''''").raw == 0x27000000
    assert where('Symbol = ""').raw == 0


def test_and_binds_closer_than_or():
    a, b, c = (Comparison(PRICE, Op.EQ, n) for n in (1, 2, 3))
    assert where("Price = 1 OR Price = 2 AND Price = 3") == Or((a, And((b, c))))
    assert where("(Price = 1 OR Price = 2) AND Price = 3") == And((Or((a, b)), c))
    assert where("Price = 1 and (Price = 2 and Price = 3)") == And((a, b, c))
    assert where("((Price = 1))") == a


def test_columns_may_bear_words_of_the_language():
    query = parse(
        "CREATE INPUT STREAM select (rows int, slide int, group int, by int, min int)"
        " SELECT min(min) AS as FROM select"
        " [PARTITION BY by RANGE 3 SLIDE 3 WATTR slide] WHERE rows = 1 AND group = 2"
    )
    assert query.columns == query.schema.columns
    assert query.row_names == ("window", "window_end", "by", "as")


@pytest.mark.parametrize(
    ("file", "window", "names"),
    [
        (
            "cluster_groupby.cql",
            WholeStream(),
            "window job min(cpu) max(cpu) sum(cpu) count(*) count(distinct|cpu)",
        ),
        (
            "rows_median.cql",
            Rows(size=128, slide=32),
            "window grp min(val) median(val) max(val)",
        ),
        (
            "rows_per_key.cql",
            Rows(size=8, slide=2, partition=Column("vehicle", UInt(32))),
            "window vehicle avg(speed) median(speed)",
        ),
        (
            "rows_percentiles.cql",
            Rows(size=1024, slide=64),
            "window job min(cpu) median(cpu) max(cpu) most count(distinct|cpu) sum(cpu) avg(cpu)",
        ),
        (
            "rows_trades.cql",
            Rows(size=1024, slide=1),
            "window count(*) min(Price) max(Price) avg(Price)",
        ),
        (
            "range_trades.cql",
            Range(size=600, slide=60, attribute=SECONDS),
            "window window_end Number",
        ),
        (
            "range_trades_slack.cql",
            Range(size=600, slide=60, slack=60, attribute=SECONDS),
            "window window_end Number",
        ),
        (
            "range_per_key.cql",
            Range(
                size=300,
                slide=60,
                slack=10,
                attribute=Column("time", UInt(64), "seconds"),
                partition=Column("machine", UInt(32)),
            ),
            "window window_end machine tasks cpu ram95",
        ),
    ],
)
def test_examples(file, window, names):
    query = load(EXAMPLES / file)
    assert query.window == window
    assert query.row_names == tuple(name.replace("|", " ") for name in names.split())


def test_every_example_is_tested_here():
    listed = {mark.args[1][k][0] for mark in test_examples.pytestmark for k in range(8)}
    assert {path.name for path in EXAMPLES.glob("*.cql")} == listed


def test_example_of_the_trades_is_the_query_of_the_papers():
    """The example declares the unit of ``Time``, which the papers do not write."""
    declared = TRADES.replace("Time int)", "Time int seconds)")
    assert load(EXAMPLES / "range_trades.cql") == parse(declared + UBSN)


def test_no_example_gives_a_warning():
    assert [load(path).warnings for path in EXAMPLES.glob("*.cql")] == [()] * 8
