"""Compares as a job of Spark: the same result as in one process."""

import random
from datetime import date

import pyarrow as pa
import pytest

from golden.compare import spark as jobs
from golden.compare import streams
from golden.compare.sources import RowFiles
from query.errors import UserError
from tb.golden.compare.row_files import changed, random_rows, write

pytestmark = pytest.mark.spark


@pytest.mark.in_turn
@pytest.mark.parametrize(("seed", "form"), [(1, "csv"), (2, "parquet")])
def test_equal_to_streams(seed, form, spark, tmp_path):
    rng = random.Random(seed)
    a = random_rows(rng, 300)
    b = changed(rng, a, 9)[: 295 if seed == 1 else 300]
    sources = [
        RowFiles.open(write(a, tmp_path / "a", "parquet", parts=3, seed=seed)),
        RowFiles.open(write(b, tmp_path / "b", form, parts=2, seed=seed)),
    ]
    expected = streams.compare(*sources, shown=5)
    assert expected.mismatches > 5
    assert jobs.compare(spark, *sources, shown=5) == expected
    swapped = jobs.compare(spark, *reversed(sources), shown=0)
    assert (swapped.rows, swapped.mismatches) == (300, expected.mismatches)


@pytest.mark.in_turn
def test_errors_of_workers_are_one_line(spark, tmp_path):
    rows = pa.table({"window": [0, 1], "x": [1.5, 2.5]})
    parquet = RowFiles.open(write(rows, tmp_path / "a", "parquet"))
    bad = write(rows.set_column(1, "x", pa.array(["1.5", "y"])), tmp_path / "b", "csv")
    with pytest.raises(UserError) as caught:
        jobs.compare(spark, parquet, RowFiles.open(bad))
    assert str(caught.value) == f"{bad}: row 2: x: 'y' is no double"
    bad.write_text("window,x\n0,1.5\n1\n")
    with pytest.raises(UserError) as caught:
        jobs.compare(spark, parquet, RowFiles.open(bad))
    assert str(caught.value) == f"{bad}:3: there must be 2 fields, not 1"


@pytest.mark.in_turn
def test_texts_of_parquet_that_are_not_utf8(spark, tmp_path):
    texts = pa.array([b"a", b"\xff\xfe"]).view(pa.string())
    bad, good = (
        RowFiles.open(write(pa.table({"window": [0, 1], "x": column}), tmp_path / name, "parquet"))
        for name, column in (("bad", texts), ("good", pa.array(["a", "b"])))
    )
    for sources in ((bad, good), (good, bad)):
        with pytest.raises(UserError) as caught:
            jobs.compare(spark, *sources)
        assert str(caught.value) == f"{bad.path}: row 2: x: the text is not UTF-8"


@pytest.mark.in_turn
def test_the_first_row_of_many_files_with_a_text_that_is_no_value(spark, tmp_path):
    good = pa.table({"window": list(range(9)), "x": [1.5] * 9})
    bad = good.set_column(1, "x", pa.array(["1.5"] * 4 + ["a", "1.5", "b", "c", "1.5"]))
    parquet = RowFiles.open(write(good, tmp_path / "a", "parquet"))
    texts = RowFiles.open(write(bad, tmp_path / "b", "csv", parts=3, seed=4))
    for sources in ((parquet, texts), (texts, parquet)):
        with pytest.raises(UserError) as caught:
            jobs.compare(spark, *sources)
        assert str(caught.value) == f"{texts.path}: row 5 of all files: x: 'a' is no double"


@pytest.mark.in_turn
def test_names_with_special_characters(spark, tmp_path):
    """Spark encodes a name as in a URL, and reads brackets as a pattern."""
    rows = pa.table({"x": [0, 1]})
    folder = tmp_path / "a"
    folder.mkdir()
    for name in ("a b", "a%20b", "a+b", "a[1]"):
        file = RowFiles.open(write(rows, folder / name, "parquet"))
        assert jobs.compare(spark, file, file).rows == 2
    source = RowFiles.open(folder)
    assert jobs.compare(spark, source, source) == streams.compare(source, source)
    hidden = RowFiles.open(write(rows, tmp_path / "_a", "parquet"))
    with pytest.raises(UserError, match=r"_a\.parquet: Spark reads no file whose name begins with"):
        jobs.compare(spark, hidden, hidden)


@pytest.mark.in_turn
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_columns_of_any_name(form, spark, tmp_path):
    """Spark has a column of its own, _metadata, and `numbered` makes #file, #index and x1."""
    names = ["a`b", "a.b", "#file", "#index", "_metadata", "x1"]
    rows = pa.table({name: [0, number] for number, name in enumerate(names)})
    other = rows.set_column(4, "_metadata", pa.array([0, 7]))
    sources = [
        RowFiles.open(write(table, tmp_path / name, form))
        for name, table in (("a", rows), ("b", other))
    ]
    assert jobs.compare(spark, *sources) == streams.compare(*sources)
    assert streams.compare(*sources).mismatches == 1


@pytest.mark.in_turn
def test_columns_of_parquet_without_a_type(spark, tmp_path):
    columns = dict.fromkeys("xydb", pa.nulls(2))
    nulls = pa.table({**columns, "z": [0, 1]})
    dates, booleans = [None, date(2020, 1, 1)], [None, True]
    columns = {"x": [None, 1.5], "y": pa.array([None, None], pa.int64()), "d": dates, "b": booleans}
    rows = pa.table({**columns, "z": [0, 1]})
    sources = [
        RowFiles.open(write(table, tmp_path / name, "parquet"))
        for name, table in (("a", nulls), ("b", rows))
    ]
    assert jobs.compare(spark, *sources) == streams.compare(*sources)
    assert jobs.compare(spark, *sources).mismatches == 1
