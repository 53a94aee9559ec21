"""Tests that wrong files of rows are refused in one line, which names the file and the line."""

import gzip
import random
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden.compare.sources import RowFiles, kinds_of
from golden.compare.streams import compare
from query.errors import UserError
from tb.golden.compare.row_files import write

ROWS = pa.table({"window": [0, 1], "x": [1.5, 2.5]})


def refusal(path, *others):
    """Returns the error message for a path, which is opened together with the ``others``."""

    def use():
        source = RowFiles.open(path)
        if others:
            kinds_of(source, *(RowFiles.open(other) for other in others))
        list(source.batches())

    with pytest.raises(UserError) as caught:
        use()
    return str(caught.value)


def test_paths_that_hold_no_rows(tmp_path):
    nothing, folder, mixed, nested = (tmp_path / name for name in ("no", "e", "m", "n"))
    for path in (folder, mixed, nested, nested / "k=1"):
        path.mkdir()
    write(ROWS, mixed / "a", "csv")
    write(ROWS, mixed / "b", "parquet")
    assert refusal(nothing) == f"{nothing}: there is no such file"
    assert refusal(folder) == f"{folder}: holds no .csv or .parquet file"
    assert refusal(mixed) == f"{mixed}: holds both CSV and Parquet"
    assert refusal(nested) == f"{nested}: holds k=1, which is no file of rows"
    (tmp_path / "rows.txt").write_text("")
    message = "rows must be in a .csv, .csv.gz or .parquet file"
    assert refusal(tmp_path / "rows.txt") == f"{tmp_path / 'rows.txt'}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.csv:1: there is no line of column names"),
        ("a,b,a\n", "bad.csv: there is more than one column a"),
        ('a,b\n1,"2\n3"\n1,2,3\n', "bad.csv:4: there must be 2 fields, not 3"),
        ('a,b\n1,"2\n3"\n1,"2\n3,4\n', "bad.csv:4: a quote is not closed"),
        ('a,b\n1,2\n1,"', "bad.csv:3: a quote is not closed"),
        ("\na\n1\n", "bad.csv:1: the first line must have the name of the column"),
    ],
)
def test_csv_that_cannot_be_read(text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.csv").write_text(text)
    assert refusal("bad.csv") == message


def test_damaged_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 999)[:40])
    packed = bytearray(gzip.compress(b"a,b\n" + random.Random(1).randbytes(9999).hex().encode()))
    packed[5000:6000] = bytes(1000)
    (tmp_path / "bad.csv.gz").write_bytes(packed)
    assert refusal("bad.csv.gz").startswith("bad.csv.gz: cannot be read: ")
    (tmp_path / "not.parquet").write_bytes(b"PAR1")
    assert refusal("cut.csv.gz").startswith("cut.csv.gz: cannot be read: ")
    assert refusal("not.parquet").startswith("not.parquet: cannot be read: ")


def test_files_of_a_directory_that_differ(tmp_path):
    folder = write(ROWS, tmp_path / "d", "parquet", parts=2)
    pq.write_table(ROWS.set_column(1, "x", pa.array([1, 2])), folder / "z.parquet")
    message = "columns must be window int64, x double, as in part-00000.parquet"
    assert refusal(folder) == f"{folder / 'z.parquet'}: {message}, not window int64, x int64"


def test_other_columns_and_kinds(tmp_path):
    a = write(ROWS, tmp_path / "a", "parquet")
    b = write(ROWS.rename_columns(["window", "y"]), tmp_path / "b", "csv")
    c = write(ROWS.set_column(1, "x", pa.array([1, 2])), tmp_path / "c", "parquet")
    assert refusal(a, b) == f"{b}: columns must be window, x, as in {a}, not window, y"
    assert refusal(a, c) == f"{c}: column x must be a double, as in {a}, not a number"
    sources = RowFiles.open(a), RowFiles.open(a)
    with pytest.raises(UserError, match=r"column x must be a float, as in the query, not a double"):
        kinds_of(*sources, {"window": "number", "x": "float"})
    with pytest.raises(UserError, match=r"columns must be x, as the query says, not window, x"):
        kinds_of(*sources, {"x": "float"})


def test_kinds_come_from_the_typed_side(tmp_path):
    parquet, csv = (RowFiles.open(write(ROWS, tmp_path / "a", form)) for form in ("parquet", "csv"))
    assert kinds_of(parquet, csv) == kinds_of(csv, parquet) == ["number", "double"]
    assert kinds_of(csv, csv) == ["text", "text"]
    assert kinds_of(csv, csv, {"window": "number", "x": "double"}) == ["number", "double"]


def test_texts_beside_numbers_are_numbers(tmp_path):
    """Golden's rows in parts have texts for numbers of more than 38 digits."""
    texts = ROWS.set_column(1, "x", pa.array(["1.50", "2.5"]))
    numbers = ROWS.set_column(1, "x", pa.array([Decimal("1.5"), Decimal("2.5")]))
    text, number = (
        RowFiles.open(write(table, tmp_path / name, "parquet"))
        for table, name in ((texts, "a"), (numbers, "b"))
    )
    kinds = ["number", "number"]
    assert kinds_of(text, number) == kinds_of(number, text) == kinds
    assert kinds_of(text, text) == ["number", "text"]
    assert kinds_of(text, text, {"window": "number", "x": "number"}) == kinds
    assert compare(text, number).mismatches == 0
    with pytest.raises(UserError, match="column x must be a text, as in the query, not a number"):
        kinds_of(text, number, {"window": "number", "x": "text"})


def test_forms_of_texts_and_files_that_are_compared(tmp_path):
    """Dictionaries and views of texts are texts; names alone, and records of MiBs, are rows."""
    plain = pa.table({"x": ["a", "b"]})
    for number, column in enumerate(
        (plain["x"].dictionary_encode(), plain["x"].cast(pa.string_view()))
    ):
        pq.write_table(pa.table({"x": column}), tmp_path / f"{number}.parquet")
        other = RowFiles.open(tmp_path / f"{number}.parquet")
        source = RowFiles.open(write(plain, tmp_path / "plain", "parquet"))
        assert compare(source, other).mismatches == 0
    (tmp_path / "names.csv").write_text("x")
    assert not list(RowFiles.open(tmp_path / "names.csv").batches())
    (tmp_path / "long.csv").write_text("x\n" + "1\n" * 600_000 + "y" * 3_000_000 + "\n")
    source = RowFiles.open(tmp_path / "long.csv")
    assert sum(table.num_rows for _, table in source.batches()) == 600_001


def test_texts_of_parquet_that_are_not_utf8(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = pa.array([b"\xff\xfe", b"a"]).view(pa.string())
    pq.write_table(pa.table({"x": texts}), "bad.parquet")
    assert refusal("bad.parquet").startswith("bad.parquet: cannot be read: In column 0: Invalid")


def test_gzip_is_known_by_its_first_bytes(tmp_path):
    (tmp_path / "rows.csv").write_bytes(gzip.compress(b'a,b\n1,"x"\n'))
    [(_, table)] = RowFiles.open(tmp_path / "rows.csv").batches()
    assert table.to_pylist() == [{"a": "1", "b": "x"}]


@pytest.mark.parametrize("lines", [3, 5000])
def test_text_that_is_not_utf8(lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good = b"a,b\n" + b"1,2\n" * lines
    (tmp_path / "bad.csv").write_bytes(good + b"5,\xff\n")
    assert refusal("bad.csv") == f"bad.csv:{lines + 2}: the text is not UTF-8"
    (tmp_path / "names.csv").write_bytes(b"a,\xff\n" + b"1,2\n" * lines)
    assert refusal("names.csv") == "names.csv:1: the text is not UTF-8"


def test_types_without_comparison(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(ROWS.set_column(1, "x", pa.array([[1], [2]])), tmp_path / "a", "parquet")
    write(ROWS.set_column(1, "x", pa.array([1, 2], pa.date32())), tmp_path / "b", "parquet")
    write(ROWS, tmp_path / "c", "csv")
    message = "column x cannot be compared: it is a"
    assert refusal("a.parquet", "a.parquet") == (
        f"a.parquet: {message} list<element: int64> in a.parquet, a list<element: int64> here"
    )
    assert refusal("b.parquet", "c.csv") == (
        f"c.csv: {message} date32[day] in b.parquet, a string here"
    )


def test_an_empty_line_of_one_column_is_a_row(tmp_path):
    """The row has no value. Of several columns an empty line is none."""
    texts = {"a": "x\n1\n\n2\n", "b": "x\n1\n2\n", "c": "x,y\n1,2\n\n3,4\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
    a, b, c = (RowFiles.open(tmp_path / f"{name}.csv") for name in texts)
    differences = compare(a, b)
    assert (differences.rows_expected, differences.rows, differences.mismatches) == (3, 2, 2)
    assert sum(table.num_rows for _, table in c.batches()) == 2


@pytest.mark.parametrize(
    "names",
    [
        ["part-99998.csv.gz", "part-99999.csv", "part-100000.csv", "part-100001.csv.gz"],
        ["a.csv.gz", "bb.csv", "c.csv", "part-1.csv"],
    ],
)
def test_files_follow_by_the_numbers_of_parts_or_by_their_names(tmp_path, names):
    for number, name in enumerate(names):
        text = f"x\n{number}\n".encode()
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    batches = [batch for _, batch in RowFiles.open(tmp_path).batches()]
    values = [text for batch in batches for text in batch.to_pydict()["x"]]
    assert values == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "values", [[None, 1], [None, 1.5], [None, "a"], [None, Decimal("1.5")], [None, None]]
)
def test_columns_of_parquet_without_a_type(values, tmp_path):
    """pandas and Polars write a column in which all values are NULL with Parquet's type null."""
    nulls = RowFiles.open(
        write(pa.table({"x": pa.nulls(2), "y": [0, 1]}), tmp_path / "a", "parquet")
    )
    rows = pa.table({"x": values, "y": [0, 1]})
    for form in ("csv", "parquet"):
        other = RowFiles.open(write(rows, tmp_path / "b", form))
        for sources in ((nulls, other), (other, nulls)):
            result = compare(*sources)
            assert [row.index for row in result.first] == [i for i in (1,) if values[1] is not None]


def test_a_table_without_columns(tmp_path):
    path = write(pa.table({}), tmp_path / "a", "parquet")
    assert refusal(path) == f"{path}: there is no column"
