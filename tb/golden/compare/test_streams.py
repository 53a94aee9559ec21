"""Compares random rows in random files, in this process: equal to a loop over all rows."""

import random
from pathlib import Path

import pyarrow as pa
import pytest

from golden.compare import sources
from golden.compare.sources import RowFiles
from golden.compare.streams import compare
from query.errors import UserError
from tb.golden.compare.row_files import changed, differing, random_rows, write

FORMS = ("csv", "csv.gz", "parquet")


@pytest.mark.parametrize("seed", range(30))
def test_equal_to_a_loop(seed, tmp_path, monkeypatch):
    """Batches of Parquet have a few rows, so their borders differ between the two sources."""
    rng = random.Random(seed)
    monkeypatch.setattr(sources, "BATCH", rng.randrange(1, 9))
    a = random_rows(rng, rng.randrange(1, 40))
    b = changed(rng, a, rng.randrange(4))
    b = b[: rng.choice((b.num_rows, b.num_rows, rng.randrange(b.num_rows)))]
    a, b = (a, b) if rng.random() < 0.5 else (b, a)
    paths = [
        write(table, tmp_path / name, rng.choice(FORMS), rng.choice((1, 2, 7)), seed)
        for name, table in (("a", a), ("b", b))
    ]
    kinds = {field.name: sources.kind_of(field.type) for field in a.schema}
    result = compare(*map(RowFiles.open, paths), kinds, shown=3)
    expected = differing(a, b)
    assert (result.rows_expected, result.rows) == (a.num_rows, b.num_rows)
    assert result.mismatches == len(expected)
    assert [difference.index for difference in result.first] == expected[:3]
    for difference in result.first:
        for row, table in ((difference.expected, a), (difference.actual, b)):
            assert (row is None) == (difference.index >= table.num_rows)
            if row is not None:
                window = table["window"][difference.index].as_py()
                assert str(row["window"]) == str(window)


def test_the_row_of_a_text_that_is_no_value(tmp_path):
    good = pa.table({"window": list(range(9)), "x": [1.5] * 9})
    bad = good.set_column(1, "x", pa.array(["1.5"] * 6 + ["1,5"] + ["1.5"] * 2))
    parquet = RowFiles.open(write(good, tmp_path / "a", "parquet"))
    texts = RowFiles.open(write(bad, tmp_path / "b", "csv", parts=2, seed=4))
    with pytest.raises(UserError, match=r"part-0000\d.csv: row \d: x: '1,5' is no double") as error:
        compare(parquet, texts)
    number = int(error.value.message.split()[1].rstrip(":"))
    lines = Path(error.value.file).read_text().splitlines()
    assert '"1,5"' in lines[number]


def test_a_directory_without_rows(tmp_path):
    rows = random_rows(random.Random(1), 5)
    empty = RowFiles.open(write(rows[:0], tmp_path / "a", "csv", parts=3))
    assert compare(empty, empty, None).mismatches == 0
    result = compare(RowFiles.open(write(rows, tmp_path / "b", "csv")), empty, None, shown=0)
    assert (result.rows_expected, result.rows, result.mismatches, result.first) == (5, 0, 5, [])
