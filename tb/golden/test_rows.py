"""Checks rows in files, and their comparison."""

import math
import os
import random
import stat
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden import rows
from golden.answer import row_types
from golden.compare.tables import first_difference, mismatches, missing_rows
from golden.rows import replacing, write
from query.errors import UserError
from query.parser import parse
from query.types import Fixed
from tb.golden.read_rows import read

QUERY = parse(
    "CREATE INPUT STREAM S (t fixed(20,4), k string(9), x fixed(8,24), y fixed(4,60), f float,"
    " d double, u uint(64));"
    "SELECT k, count(*), sum(x), avg(x), sum(y), sum(f), min(d), sum(u), max(u)"
    " FROM S [RANGE 2 SLIDE 1 WATTR t] GROUP BY k;"
)


def table(rows):
    types = row_types(QUERY)
    columns = list(zip(*rows, strict=True)) or [[]] * len(types)
    return pa.table(
        {name: pa.array(values, kind) for (name, kind), values in zip(types, columns, strict=True)}
    )


ROWS = [
    (0, 24, 'a,"b', 3, Decimal(1 << 23), 1 << 24, Decimal(-1), 0.5, -0.0,
     Decimal(2**70), Decimal(2**64 - 1)),
    (1, 40, "", 1, Decimal(-(1 << 23)), 1, Decimal(3 << 60), -math.inf, 1e300, Decimal(0),
     Decimal(0)),
    (2, 56, "c\nd", 0, Decimal(0), None, Decimal(0), 0.0, None, Decimal(0), None),
]  # fmt: skip


def test_decimal_is_exact():
    assert [Fixed(1, 24).text(raw) for raw in (0, 1 << 24, -(1 << 22), 1)] == [
        "0", "1", "-0.25", "0.000000059604644775390625",
    ]  # fmt: skip
    assert Fixed(1, 0).text(-100) == "-100"
    rng = random.Random(4)
    for _ in range(200):
        raw, bits = rng.randint(-(1 << 90), 1 << 90), rng.randrange(61)
        assert Fraction(Fixed(1, bits).text(raw)) == Fraction(raw, 1 << bits)


def test_csv_as_a_user_reads_it(tmp_path):
    write(table(ROWS), QUERY, tmp_path / "rows.csv")
    lines = (tmp_path / "rows.csv").read_text().split("\n")
    assert lines[0] == (
        "window,window_end,k,count(*),sum(x),avg(x),sum(y),sum(f),min(d),sum(u),max(u)"
    )
    small = Fixed(4, 60).text(-1)
    assert lines[1] == f'0,1.5,"a,""b",3,0.5,1,{small},0.5,-0.0,{2**70},{2**64 - 1}'
    assert lines[2] == '1,2.5,"",1,-0.5,0.000000059604644775390625,3,-inf,1e+300,0,0'
    assert lines[3:] == ['2,3.5,"c', 'd",0,0,,0,0.0,,0,', ""]


def test_floats_in_csv_are_the_shortest_texts_of_their_width(tmp_path):
    query = parse(
        "CREATE INPUT STREAM S (f float, d double); SELECT max(f), max(d) FROM S [ROWS 1 SLIDE 1];"
    )
    values = [1 / 3, -0.0, 0.0, math.nan, None, 1e-7]
    types = {"max(f)": pa.float32(), "max(d)": pa.float64()}
    columns = {name: pa.array(values, kind) for name, kind in types.items()}
    write(pa.table({"window": range(6)} | columns), query, tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_text().splitlines()[1:] == [
        "0,0.33333334,0.3333333333333333", "1,-0.0,-0.0", "2,0.0,0.0", "3,nan,nan", "4,,",
        "5,1e-07,1e-07",
    ]  # fmt: skip


def test_strings_in_csv_that_are_in_quotes(tmp_path):
    """A reader takes a single carriage return for the end of a line, too."""
    fields = {
        "a\rb": '"a\rb"',
        "a\nb": '"a\nb"',
        "a,b": '"a,b"',
        '"': '""""',
        "": '""',
        " a ": " a ",
    }
    query = parse("CREATE INPUT STREAM S (k string(4)); SELECT k, count(*) FROM S GROUP BY k;")
    columns = {"window": [0] * len(fields), "k": list(fields), "count(*)": range(len(fields))}
    write(pa.table(columns), query, tmp_path / "rows.csv")
    lines = [f"0,{field},{number}\n" for number, field in enumerate(fields.values())]
    text = "".join(["window,k,count(*)\n", *lines])
    assert (tmp_path / "rows.csv").read_bytes() == text.encode()


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], []], ids=len)
def test_read_gives_what_was_written(tmp_path, name, rows):
    expected = table(rows)
    assert write(expected, QUERY, tmp_path / name) == [tmp_path / name]
    actual = read(tmp_path / name, QUERY)
    assert actual.schema.types == expected.schema.types
    assert first_difference(expected, actual) is None
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_parquet_shows_exact_decimals(tmp_path):
    write(table(ROWS), QUERY, tmp_path / "rows.parquet")
    table_ = pq.read_table(tmp_path / "rows.parquet")
    assert table_["sum(x)"].to_pylist() == [Decimal("0.5"), Decimal("-0.5"), 0]
    assert Fraction(table_["sum(y)"][0].as_py()) == Fraction(-1, 1 << 60)


@pytest.mark.parametrize(
    ("number", "kind"),
    [(10**14 - 1, pa.decimal128(38, 24)), (10**14, pa.decimal256(39, 24))],
)
def test_decimals_in_parquet_have_the_digits_that_the_numbers_need(number, kind):
    """The least and the greatest number count, and a decimal of 128 bits has up to 38 digits."""
    for raws in ([-number << 24, 0], [1, number << 24], [None, number << 24]):
        sums = pa.table({"s": pa.array(raws, pa.decimal128(38, 0))})
        assert rows.file_schema(sums, {"s": 24}).types == [kind]


def test_mapping_file_stands_beside_the_rows(tmp_path):
    query = parse("CREATE INPUT STREAM S (k uint(8)); SELECT k, count(*) FROM S GROUP BY k;")
    rows = pa.table({"window": [0, 0], "k": [0, 1], "count(*)": [5, 6]})
    mappings = {"k": pa.array([50, 7_000_000_000]), "other": pa.array([1])}
    written = write(rows, query, tmp_path / "rows.csv", mappings)
    assert written == [tmp_path / "rows.csv", tmp_path / "rows.k.csv"]
    assert (tmp_path / "rows.k.csv").read_text() == "k,original\n0,50\n1,7000000000\n"


def test_nothing_is_half_written(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("before")
    broken = table(ROWS).set_column(4, "sum(x)", pa.array([math.nan] * 3))
    with pytest.raises(ValueError, match="cannot convert float NaN"):
        write(broken, QUERY, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(UserError, match="rows must go to a"):
        write(table(ROWS), QUERY, tmp_path / "rows.txt")
    with pytest.raises(UserError, match="cannot be written: No such file"):
        write(table(ROWS), QUERY, tmp_path / "none" / "rows.csv")


def test_read_refuses_other_columns(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UserError, match="columns must be window, window_end, k"):
        read(tmp_path / "rows.csv", QUERY)


class TestDifference:
    def test_equal(self):
        assert first_difference(table(ROWS), table(ROWS)) is None
        assert mismatches(table(ROWS), table(ROWS)) == 0
        assert first_difference(table([]), table([])) is None

    @pytest.mark.parametrize(
        ("row", "column", "value"),
        [(1, 3, 2), (2, 2, "c"), (2, 5, 0), (0, 5, None), (0, 8, 0.0), (2, 10, Decimal(0))],
    )
    def test_one_value(self, row, column, value):
        changed = [list(r) for r in ROWS]
        changed[row][column] = value
        actual = table(changed)
        index, expected_row, got_row = first_difference(table(ROWS), actual)
        assert index == row
        assert tuple(expected_row.values()) == ROWS[row]
        assert tuple(got_row.values()) == tuple(changed[row])
        assert mismatches(table(ROWS), actual) == 1

    def test_one_table_is_longer(self):
        index, expected, actual = first_difference(table(ROWS), table(ROWS[:2]))
        assert (index, expected["window"], actual) == (2, 2, None)
        index, expected, actual = first_difference(table(ROWS[:1]), table(ROWS))
        assert (index, expected, actual["window"]) == (1, None, 1)
        assert mismatches(table(ROWS), table([])) == 3

    def test_order_matters(self):
        assert mismatches(table(ROWS), table([ROWS[1], ROWS[0], ROWS[2]])) == 2

    def test_nan_equals_the_same_nan(self):
        nan = [(*ROWS[0][:7], math.nan, *ROWS[0][8:])]
        assert first_difference(table(nan), table(nan)) is None
        assert mismatches(table(nan), table(ROWS[:1])) == 1

    def test_widths_of_integers_do_not_matter(self):
        narrow = pa.table({"a": pa.array([1, None], pa.int32())})
        wide = pa.table({"a": pa.array([Decimal(1), None], pa.decimal128(38, 0))})
        assert first_difference(narrow, wide) is None

    def test_other_columns_are_an_error(self):
        with pytest.raises(ValueError, match="columns must be a, not b"):
            mismatches(pa.table({"a": [1]}), pa.table({"b": [1]}))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
class TestParts:
    """Checks that results do not depend on the bounds of the parts in which rows are processed."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch, size):
        monkeypatch.setattr(rows, "_PART", size)

    @pytest.mark.parametrize("suffix", [".csv", ".parquet"])
    @pytest.mark.parametrize("count", [0, 1, 3])
    def test_files(self, tmp_path, monkeypatch, size, suffix, count):
        write(table(ROWS[:count]), QUERY, tmp_path / f"parts{suffix}")
        monkeypatch.setattr(rows, "_PART", 1 << 19)
        write(table(ROWS[:count]), QUERY, tmp_path / f"whole{suffix}")
        if suffix == ".csv":
            texts = [(tmp_path / name).read_bytes() for name in ("parts.csv", "whole.csv")]
            assert texts[0] == texts[1]
            assert texts[0].count(b"\n") >= 1 + count
        else:
            assert (
                first_difference(read(tmp_path / "parts.parquet", QUERY), table(ROWS[:count]))
                is None
            )

    @pytest.mark.parametrize("row", range(3))
    def test_differences(self, size, row):
        changed = [list(r) for r in ROWS]
        changed[row][3] += 1
        assert first_difference(table(ROWS), table(changed))[0] == row
        assert mismatches(table(ROWS), table(changed)) == 1
        assert first_difference(table(ROWS), table(changed[:2]))[0] == min(row, 2)
        assert mismatches(table(ROWS), table(changed[:2])) == 1 + (row < 2)


@pytest.mark.parametrize(
    ("expected", "actual", "missing"),
    [
        ("aab", "ca", 2),
        ("aab", "baa", 0),
        ("", "abc", 0),
        ("abc", "", 3),
        ("ab", "aabbc", 0),
        ("abcabc", "cba", 3),
        ("", "", 0),
    ],
)
def test_rows_that_are_missing_anywhere(expected, actual, missing):
    """Rows with the letter in each kind of column: a null, a NaN, -0 and +0 among the values."""
    wide, texts = {"a": 2**70, "b": None, "c": -1}, {"a": "x", "b": None, "c": ""}
    floats = {"a": -0.0, "b": 0.0, "c": math.nan}

    def rows_of(letters):
        columns = ((wide, pa.decimal128(38, 0)), (texts, pa.string()), (floats, pa.float64()))
        arrays = [pa.array([of[c] for c in letters], kind) for of, kind in columns]
        return pa.table([pa.array([5] * len(letters), pa.int64()), *arrays], list("nwtf"))

    assert missing_rows(rows_of(expected), rows_of(actual)) == missing


def test_rows_that_differ_in_one_column_are_missing():
    row = ROWS[0]
    changed = [(*row[:at], None, *row[at + 1 :]) for at in range(3, len(row))]
    assert missing_rows(table([row] * 3), table([row, *changed])) == 2
    assert missing_rows(table(ROWS), table(changed)) == len(ROWS)
    with pytest.raises(ValueError, match="columns must be"):
        missing_rows(table(ROWS), pa.table({"window": [0]}))


@pytest.mark.parametrize("mask", [0o077, 0o022])
def test_a_file_has_the_permissions_of_the_umask(tmp_path, mask):
    old_mask = os.umask(mask)
    try:
        with replacing(tmp_path / "rows.csv") as scratch:
            Path(scratch).write_text("x\n")
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE((tmp_path / "rows.csv").stat().st_mode) == 0o666 & ~mask
