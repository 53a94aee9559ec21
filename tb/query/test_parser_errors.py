"""Checks the place and the words of the parser's errors.

Errors of bounds and of units of time have tests of their own: test_bounds.py and test_units.py.
"""

import pytest

from query.errors import QueryError, QueryWarning, UserError, nearest
from query.parser import load, parse
from tb.aggregates import words

SCHEMA = (
    "CREATE INPUT STREAM Trades (Symbol string(4), Price int, Load fixed(8,8),"
    " Ratio float, Small uint(8), Time int);\n"
)

SELECTS = [
    # Each text holds one "^", at the expected place of the error.
    ("^SELEKT", "expected SELECT, not SELEKT; did you mean SELECT?"),
    (
        "SELECT count(*) ^FORM Trades",
        'expected AS, FROM or ",", not FORM; did you mean FROM?',
    ),
    ("SELECT ^3 FROM Trades", "expected an aggregate or a column, not 3"),
    ("SELECT max(Price) FROM Trades [^SLIDE 3]", "expected PARTITION BY, RANGE or ROWS, not SLIDE"),
    ("SELECT max(Price) FROM Trades GROUP BY^", "expected a column, but the text ends"),
    (
        "SELECT max(Price) FROM Trades GROUP BY Price; ^SELECT",
        "expected the end of the query, not SELECT",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Price ^BETWEEN 1",
        "expected one of = != < <= > >=, not BETWEEN",
    ),
    (
        'SELECT max(Price) FROM Trades WHERE Symbol = ^"UB\n GROUP BY Price',
        'the string that begins here is not closed with " on its line',
    ),
    (
        "SELECT max(bid^-price) FROM Trades GROUP BY Price",
        "'-' cannot stand here; a name holds letters, digits and _ only",
    ),
    ("SELECT max(Price) FROM Trades WHERE Price > ^- GROUP BY Price", "'-' cannot stand here"),
    (
        "SELECT max(^Prise) FROM Trades GROUP BY Price",
        "unknown column Prise; did you mean Price?",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE ^volume = 3 GROUP BY Price",
        "unknown column volume; known are Symbol, Price, Load, Ratio, Small, Time",
    ),
    (
        "SELECT max(Price) FROM Trades GROUP BY ^symbol",
        "unknown column symbol; did you mean Symbol?",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 3 SLIDE 3 WATTR ^Tim]",
        "unknown column Tim; did you mean Time?",
    ),
    (
        "SELECT max(Price) FROM ^Trade GROUP BY Price",
        "unknown stream Trade; did you mean Trades?",
    ),
    (
        "SELECT ^cuont(*) FROM Trades GROUP BY Price",
        "unknown aggregate cuont; did you mean count?",
    ),
    (
        "SELECT count(^Price) FROM Trades GROUP BY Price",
        "expected * or distinct Price in count, not Price",
    ),
    ("SELECT sum(^*) FROM Trades GROUP BY Price", "sum needs a column, not *"),
    (
        "SELECT ^sum(DISTINCT Price) FROM Trades GROUP BY Price",
        "only count can take distinct, not sum",
    ),
    (
        "SELECT sum(^Symbol) FROM Trades GROUP BY Price",
        "sum needs a number, but Symbol is string(4)",
    ),
    (
        "SELECT avg(^Symbol) FROM Trades GROUP BY Price",
        "avg needs a number, but Symbol is string(4)",
    ),
    (
        "SELECT max(Price, ^0.5) FROM Trades GROUP BY Price",
        "max takes one column and nothing more",
    ),
    (
        "SELECT ^percentile(Price) FROM Trades GROUP BY Price",
        "percentile needs a fraction, as in percentile(Price, 0.9)",
    ),
    (
        "SELECT percentile(Price, ^0) FROM Trades GROUP BY Price",
        "the fraction of percentile must be above 0 and at most 1, not 0",
    ),
    (
        "SELECT percentile(Price, ^95) FROM Trades GROUP BY Price",
        "the fraction of percentile must be above 0 and at most 1, not 95",
    ),
    (
        "SELECT max(Price) FROM Trades [ROWS 8 SLIDE ^9]",
        "SLIDE must be at most ROWS, not 9 with ROWS 8",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 1 minute SLIDE ^2 minutes WATTR Time]",
        "SLIDE must be at most RANGE, not 2 minutes with RANGE 1 minute",
    ),
    (
        "SELECT max(Price) FROM Trades [ROWS ^0 SLIDE 1]",
        "ROWS must be a whole number of at least 1, not 0",
    ),
    (
        "SELECT max(Price) FROM Trades [ROWS 8 SLIDE ^2.5]",
        "SLIDE must be a whole number of at least 1, not 2.5",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE ^0 SLIDE 1 WATTR Time]",
        "RANGE must be positive and a multiple of 1, the step of Time int, not 0",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 1 SLIDE ^0.001 WATTR Load]",
        "SLIDE must be positive and a multiple of 0.00390625, the step of Load fixed(8,8),"
        " not 0.001",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 1 SLIDE 1 WATTR Time SLACK ^-1]",
        "SLACK must be not negative and a multiple of 1, the step of Time int, not -1",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 4 ^minits SLIDE 1 WATTR Time]",
        "unknown unit minits; did you mean minutes?",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 1 SLIDE 1 WATTR ^Symbol]",
        "WATTR must be int, uint or fixed, but Symbol is string(4)",
    ),
    (
        "SELECT max(Price) FROM Trades [RANGE 1 SLIDE 1 WATTR ^Ratio]",
        "WATTR must be int, uint or fixed, but Ratio is float",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Small = ^256 GROUP BY Price",
        "256 does not fit uint(8)",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Small > ^-1 GROUP BY Price",
        "-1 does not fit uint(8)",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Load < ^128 GROUP BY Price",
        "128 does not fit fixed(8,8)",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Ratio < ^1e39 GROUP BY Price",
        "1e39 does not fit float",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Ratio < ^1e400 GROUP BY Price",
        "1e400 does not fit float",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Price < ^1e999999999 GROUP BY Price",
        "1e999999999 is out of every range",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Price < ^2.5 GROUP BY Price",
        "'2.5' is not a whole number for int",
    ),
    (
        'SELECT max(Price) FROM Trades WHERE Symbol = ^"UBSNX" GROUP BY Price',
        "'UBSNX' does not fit string(4)",
    ),
    (
        "SELECT max(Price) FROM Trades WHERE Symbol = ^5 GROUP BY Price",
        'Symbol is string(4); expected a string, as in "5"',
    ),
    (
        'SELECT max(Price) FROM Trades WHERE Price = ^"5" GROUP BY Price',
        'Price is int; expected a number, not "5"',
    ),
    (
        "SELECT max(Price), ^max(Price) FROM Trades GROUP BY Small",
        "result max(Price) is there already",
    ),
    (
        "SELECT max(Price) AS top, min(Price) AS ^Top FROM Trades GROUP BY Small",
        "result Top is there already, as top; letter case does not tell them apart",
    ),
    (
        "SELECT max(Price) AS ^small FROM Trades GROUP BY Small",
        "rows have a column small anyway; name the result otherwise",
    ),
    (
        "SELECT max(Price) AS ^window FROM Trades GROUP BY Small",
        "rows have a column window anyway; name the result otherwise",
    ),
    (
        "SELECT ^Price, max(Small) FROM Trades GROUP BY Time",
        "Price is neither aggregated nor grouped by; besides aggregates, Time can stand here",
    ),
    (
        "SELECT ^Time, max(Small) FROM Trades [ROWS 3 SLIDE 1]",
        "Time is neither aggregated nor grouped by",
    ),
    (
        "SELECT ^Price, max(Small) FROM Trades [PARTITION BY Symbol RANGE 3 SLIDE 1 WATTR Time]",
        "Price is neither aggregated nor grouped by;"
        " besides aggregates, Symbol or Time can stand here",
    ),
    (
        "SELECT Price, ^Price, max(Small) FROM Trades GROUP BY Price",
        "column Price is there already",
    ),
    (
        "SELECT Price AS ^p, max(Small) FROM Trades GROUP BY Price",
        "only an aggregate can have another name; Price keeps its own",
    ),
    (
        "SELECT ^Price FROM Trades GROUP BY Price",
        "SELECT must hold an aggregate beside the column",
    ),
    (
        "SELECT Price, max(Small) FROM ^Trades",
        "expected a [window] after Trades, or GROUP BY Price",
    ),
    (
        "SELECT max(Small) FROM ^Trades",
        "expected a [window] after Trades, or GROUP BY a column",
    ),
    (
        "SELECT max(Small) FROM Trades GROUP BY Price, ^Time",
        "GROUP BY takes one column, not Price, Time",
    ),
    (
        "SELECT max(Small) FROM Trades [PARTITION BY Price ROWS 3 SLIDE 1] GROUP BY ^Price",
        "PARTITION BY Price gives rows for each Price; GROUP BY cannot be added",
    ),
]

COLUMNS = [
    ("a ^integer", "unknown type integer; did you mean int?"),
    (
        "a ^blob",
        "unknown type blob; types are int, int(N), uint(N), fixed(I,F), float, double, string(N)",
    ),
    ("a ^uint", "expected uint(N), not uint"),
    ("a ^fixed(8)", "expected fixed(I,F), not fixed(8)"),
    ("a ^float(8)", "expected float, not float(8)"),
    ("a ^int(1,2)", "expected int or int(N), not int(1,2)"),
    ("a ^int(65)", "width of int must be 1 to 64 bits, not 65"),
    ("a ^uint(0)", "width of uint must be 1 to 64 bits, not 0"),
    (
        "a ^fixed(60,5)",
        "fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not fixed(60,5)",
    ),
    ("a string(^1.5)", "the size in string must be a whole number of at least 0, not 1.5"),
    ("a ^string(0)", "string(N) must have N from 1 to 256, not 0"),
    ("a int, b int, ^a int", "column a is there already"),
    (
        "a int, b int, ^A int",
        "column A is there already, as a; letter case does not tell them apart",
    ),
    ("^distinct int", "distinct is a word of the language and cannot name a column"),
    ("a int^", 'expected a unit of time, "(", ")" or ",", but the text ends'),
]


def refused(marked):
    """Returns the error about a text, and checks that its place is the "^" of the text."""
    head, tail = marked.split("^")
    with pytest.raises(QueryError) as caught:
        parse(head + tail, "some.cql")
    error = caught.value
    assert error.file == "some.cql"
    assert (error.line, error.column) == (
        head.count("\n") + 1,
        len(head.rpartition("\n")[2]) + 1,
    )
    return error


@pytest.mark.parametrize(("text", "message"), SELECTS)
def test_select(text, message):
    assert refused(SCHEMA + text).message == message


def test_unknown_aggregate():
    """The message lists each aggregate once: the words of the plain models, `tb.aggregates`."""
    error = refused(SCHEMA + "SELECT ^stddev(Price) FROM Trades GROUP BY Price")
    head, _, known_words = error.message.partition("; known are ")
    assert head == "unknown aggregate stddev"
    assert sorted(known_words.split(", ")) == sorted(words())


@pytest.mark.parametrize(("text", "message"), COLUMNS)
def test_columns(text, message):
    query = "" if text.endswith("^") else ") SELECT count(*) FROM S GROUP BY a"
    assert refused(f"CREATE INPUT STREAM S ({text}{query}").message == message


def test_key_called_like_a_column_of_every_row():
    error = refused("CREATE INPUT STREAM S (window int) SELECT count(*) FROM S GROUP BY ^window")
    assert error.message == "window cannot be the key: rows have a column window anyway"


@pytest.mark.parametrize("text", ["", "-- nothing but a comment", "\n\n"])
def test_empty(text):
    with pytest.raises(QueryError, match=r"^1:1: expected CREATE INPUT STREAM, but the text ends$"):
        parse(text)


def test_text_of_an_error():
    error = refused(SCHEMA + "SELECT max(^Prise) FROM Trades GROUP BY Price")
    assert str(error) == "some.cql:2:12: unknown column Prise; did you mean Price?"


def test_missing_file(tmp_path):
    with pytest.raises(UserError, match=r"none\.cql: cannot be read: No such file or directory"):
        load(tmp_path / "none.cql")


def test_a_name_that_no_file_can_have():
    with pytest.raises(UserError, match="cannot be read: the name is not UTF-8 text"):
        load("\ud800.cql")
    with pytest.raises(UserError, match="cannot be read: the name holds a zero byte"):
        load("a\0b.cql")


def test_file_that_is_no_text(tmp_path):
    path = tmp_path / "bytes.cql"
    path.write_bytes(b"CREATE \xff")
    with pytest.raises(UserError, match=r"bytes.cql: is not UTF-8 text \(byte 7\)"):
        load(path)


def test_a_warning_is_one_line():
    warning = QueryWarning("the name\tis long", 3, 7, file="a\nb.cql")
    assert str(warning) == r"a\nb.cql:3:7: the name\tis long"


def test_nearest():
    assert nearest("LANES", ["lanes", "scan"]) == "; did you mean lanes?"
    assert nearest("depth", ["lanes", "scan"]) == "; known are lanes, scan"
    assert nearest("depth", ["lanes", "scan"], else_list=False) == ""
    assert nearest("depth", []) == ""


NO_UNIT = 'expected a unit of time, "(", ")" or ",", not m; did you mean ms?'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CREATE INPUT STREAM S (t int ^m\u017f) SELECT count(*) FROM S [ROWS 1 SLIDE 1]", NO_UNIT),
        ("CREATE INPUT STREAM S (t int ^m\u0131nutes) SELECT count(*) FROM S", NO_UNIT),
        (
            "CREATE ^\u0131NPUT STREAM S (t int) SELECT count(*) FROM S",
            "'\u0131' cannot stand here",
        ),
        (SCHEMA + "^\u017fELECT count(*) FROM Trades", "'\u017f' cannot stand here"),
    ],
)
def test_letters_that_python_takes_for_s_and_i(text, message):
    """The letters end a word, so the unit of time is read as ``m``."""
    assert refused(text).message == message


def test_all_spaces_of_unicode_are_spaces():
    text = SCHEMA + "SELECT\u00a0count(*)\u2003FROM Trades GROUP BY Price"
    assert parse(text) == parse(text.replace("\u00a0", " ").replace("\u2003", " "))
