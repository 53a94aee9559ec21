"""Tests what Spark would read wrongly, or could not read, in files of JSON lines and Parquet."""

import os
from datetime import time
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden.frames.source import files_of, frame_of, spark_places
from query.errors import UserError
from query.parser import parse

pytestmark = pytest.mark.spark

QUERY = parse("CREATE INPUT STREAM S (k string(8)); SELECT k, count(*) FROM S GROUP BY k;")
GOOD = [
    '{"k":"\\ud83d\\ude00"}',
    '{"k":"\\\\ud800"}',
    '{"k":"a","x":{"k":1,"x":2}}',
    '  {"k":"b"} ',
    '\t{"k":"c"}\t',
    *("", "  ", "\t", " \t "),  # lines of blanks, which Spark skips
    '{"k":"d"}',
]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"k":"a"} {"k":"b"}', "a line is not one JSON record"),
        ('{"k":"a"}], [{"k":"b"}', "a line is not one JSON record"),
        ('[{"k":"a"},{"k":"b"}]', "a line is not one JSON record"),
        ("[]", "a line is not one JSON record"),
        ('{"k":"a","x":1,"k":"b"}', "a line has a name twice"),
        ('{"k":"\\ud800"}', "a line has half of a surrogate pair"),
        ('{"k":"a\\udc00"}', "a line has half of a surrogate pair"),
        ('{"k":"\\ud83d\\ud83d\\ude00"}', "a line has half of a surrogate pair"),
    ],
)
def test_lines_that_spark_would_change(spark, tmp_path, line, message):
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(GOOD))
    assert [row.k for row in frame_of(spark, path, QUERY).collect()] == [
        *("😀", "\\ud800", "a", "b", "c", "d")
    ]
    path.write_text("\n".join([*GOOD, line]))
    with pytest.raises(UserError, match=message):
        frame_of(spark, path, QUERY)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([Decimal("1.5")], pa.decimal256(50, 2)),
        pa.array([time(1, 2)], pa.time64("ns")),
        pa.array([time(1, 2)], pa.time32("ms")),
    ],
)
def test_an_unused_column_of_a_type_that_spark_lacks(spark, tmp_path, column):
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"k": ["a"], "other": column}), path)
    with pytest.raises(UserError, match="other: Spark reads no file with a column of type"):
        frame_of(spark, path, QUERY)


@pytest.mark.parametrize("kind", [pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.duration("ns")])
def test_times_that_spark_reads_as_plain_integers(spark, tmp_path, kind):
    query = parse("CREATE INPUT STREAM S (t int(64)); SELECT count(*) FROM S [ROWS 1 SLIDE 1];")
    pq.write_table(pa.table({"t": pa.array([1, 2], kind)}), tmp_path / "a.parquet")
    with pytest.raises(UserError, match=r"t: a .* is no value for int"):
        frame_of(spark, tmp_path / "a.parquet", query)


def test_texts_of_all_layouts_in_one_directory(spark, tmp_path):
    """Polars writes large strings and pandas categories; a whole number is no text."""
    kinds = [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
    ]
    for number, kind in enumerate(kinds):
        texts = pa.array(["a", f"b{number}"]).cast(kind)
        pq.write_table(pa.table({"k": texts}), tmp_path / f"{number}.parquet")
    rows = [row.k for row in frame_of(spark, tmp_path, QUERY).collect()]
    assert sorted(rows) == ["a", "a", "a", "a", "b0", "b1", "b2", "b3"]
    pq.write_table(pa.table({"k": pa.array([1])}), tmp_path / "4.parquet")
    with pytest.raises(UserError, match=r"k is int64, and string in .*: all files of a stream"):
        frame_of(spark, tmp_path, QUERY)


def test_two_columns_of_the_order_in_csv(spark, tmp_path):
    """The frame renames both columns n of the file, so the order n would find no column."""
    path = tmp_path / "a.csv"
    path.write_text("k,n,n\n1,2,3\n")
    message = r"a\.csv: order: there is more than one column n; rename one"
    with pytest.raises(UserError, match=message):
        frame_of(spark, path, QUERY, order="n")


def test_a_name_that_is_not_utf8(tmp_path):
    (tmp_path / os.fsdecode(b"\xff.csv")).write_text("k\na\n")
    with pytest.raises(UserError, match=r"\\udcff.csv': Spark reads no file whose path is not UTF"):
        spark_places(files_of(tmp_path))


@pytest.mark.parametrize("packed", ["lz4", "snappy", "bz2", "zst", "deflate", "LZ4"])
@pytest.mark.parametrize("format", ["csv", "json"])
def test_files_that_spark_unpacks_in_its_own_way(spark, tmp_path, format, packed):
    """Spark takes LZ4 and Snappy of other programs, and texts with such a suffix, for no data."""
    (tmp_path / f"a.{format}.{packed}").write_text("k\na\n")
    message = rf"a\.{format}\.{packed}: a file of texts must not be packed as \.{packed}: unpack it"
    for name in (format, None):
        with pytest.raises(UserError, match=message):
            frame_of(spark, tmp_path, QUERY, name)


def test_a_gzipped_file_of_parquet(spark, tmp_path):
    (tmp_path / "a.parquet.gz").write_bytes(b"")
    with pytest.raises(UserError, match=r"a\.parquet\.gz: Spark reads no gzipped file of parquet;"):
        frame_of(spark, tmp_path, QUERY)


def test_files_of_several_formats(spark, tmp_path):
    for name in ("a.csv", "b.json"):
        (tmp_path / name).write_text("")
    with pytest.raises(UserError, match=r"several formats: their suffixes are \.csv, \.json"):
        frame_of(spark, tmp_path, QUERY)
    (tmp_path / "b.json").rename(tmp_path / "b")
    with pytest.raises(UserError, match=r"must be named by --format .* for suffix \.csv, none"):
        frame_of(spark, tmp_path, QUERY)


def test_a_pattern_for_any_depth(spark, tmp_path):
    with pytest.raises(UserError, match=r"a pattern must not have \*\*"):
        frame_of(spark, tmp_path / "**" / "*.parquet", QUERY)


def test_links_and_folders_of_a_directory(tmp_path):
    """Links lead to files and folders; hidden names are no data, at any depth."""
    data, other = tmp_path / "data", tmp_path / "other"
    names = ["data/b.csv", "data/c/d.csv", "data/_e/f.csv", "data/.g.csv", "other/h.csv"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("k\n")
    (data / "a").symlink_to(other)
    (data / "z.csv").symlink_to(other / "h.csv")
    expected = [data / name for name in ("a/h.csv", "b.csv", "c/d.csv", "z.csv")]
    assert files_of(data) == files_of(tmp_path / "dat?") == files_of(data / "*") == expected


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("nowhere", "data/x.csv: cannot be read: it is a link to a place without a file"),
        (".", "data/x.csv: cannot be read: links lead in a circle"),
        ("pipe", "data/x.csv: cannot be read: it is no regular file"),
    ],
)
def test_no_entry_of_a_directory_is_left_out(tmp_path, entry, message):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "d.csv").write_text("k\n")
    if entry == "pipe":
        os.mkfifo(tmp_path / "data" / "x.csv")
    else:
        (tmp_path / "data" / "x.csv").symlink_to(entry)
    with pytest.raises(UserError) as error:
        files_of(tmp_path / "data")
    assert str(error.value) == f"{tmp_path}/{message}"
