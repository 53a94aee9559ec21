"""Checks CSV files that Spark reads against golden's own reader, and refusals of bad files."""

import gzip

import pytest

from golden.frames import csv_files
from golden.frames.csv_files import csv_frame
from golden.readers import delimited
from query.errors import UserError
from query.parser import parse

pytestmark = pytest.mark.spark

QUERY = parse("CREATE INPUT STREAM S (k int, s string(8)); SELECT k, count(*) FROM S GROUP BY k;")
GOOD = {
    "plain": b"k,s\n1,a\n2,b\n",
    "ends of lines": b"k,s\r\n1,a\r\n\r\n2,b\r3,c",
    "mark and blanks": b"\xef\xbb\xbf k , s\n 1, a \n",
    "empty fields": b'\n\nk,s\n,\n1,""\n2,\n',
    "quotes": b'k,"s"\n"1","a,""b"""\n2,x"y""z\n3,\\\n',
    "a line break in quotes": b'k,s\n1,"a\nb,c"\n2,"\n\n"\n3,d\n',
    "a line break in quotes, and others outside": b'k,s\r\n1,"a\nb"\r\n2,x"y\r\n3,z\r\n',
    "more columns": "s,x,k,y\né,1,2,3\n日本,4,5,\n".encode(),
    "another name twice": b"x,k,s,x\n5,1,a,6\n7,2,b,8\n",
    "a name twice, and names with #": b"#1,x,k,s,x,##0\n5,1,1,a,6,8\n7,2,2,b,8,9\n",
    "no tuples": b"k,s\n",
    "the names again": b"k,s\nk,s\n1,2\n",
}
BAD = {
    "another order of names": (b"s,k\na,1\n", "b.csv: the columns are s, k, and in"),
    "a missing column": (b"k,t\n1,2\n", "b.csv: there is no column s, only: k, t"),
    "a name twice": (b"k,s,k\n1,2,3\n", "b.csv: there is more than one column k"),
    "long names": (
        b"k,s," + 70_000 * b"x" + b"\n1,a,2\n",
        "b.csv: the line of column names has more than 65,536 bytes",
    ),
    "no names": (b"\n", "b.csv:1: there is no line of column names"),
    "an open quote": (b'k,s\n1,"a\nb"\n1,"a\n2,b\n', "b.csv:4: a quote is not closed"),
    "text after a quote": (
        b'k,s\n1,"a,""b"\n2,"a"b\n', "b.csv:3: text follows the closing quote of a value"
    ),
    "text after a quote and a line break": (
        b'k,s\n1,"a\nb"c\n', "b.csv:2: text follows the closing quote of a value"
    ),
    "an open quote behind a quote in a field": (
        b'k,s\n1,5" x\n2,"open\n3,c\n4,d\n', "b.csv:3: a quote is not closed"
    ),
    "a carriage return in quotes": (
        b'k,s\r\n1,"a\nb"\r\n2,"a\r\nb"\r\n', "b.csv:4: a value in quotes has a carriage return"
    ),
    "two ends of lines": (
        b'k,s\n1,"a\nb"\n2,b\r\n3,c\n', "b.csv: lines end in LF and in CR LF, which Spark does not "
    ),
    "two ends of lines and a quote in a field": (
        b'k,s\r\n1,5"\r\n2,b"\r\n3,b\r\n4,c\n', "b.csv: lines end in LF and in CR LF, which"
    ),
    "another end of lines beside a carriage return": (
        b'k,s\n1,"a\nb"\n2,b\r3,c\n', "b.csv: lines end in LF and in CR, which Spark does not "
    ),
    "not UTF-8": (b"k,s\n1,\xff\n2,\xfe\n", "b.csv: the text of 2 lines is not UTF-8"),
    "blanks": (b"k,s\n1,a\n  \n", "b.csv: 1 lines have blanks only, and no fields"),
    "tabs": (b"k,s\n1,a\n\t\t\n", "b.csv: 1 lines have blanks only, and no fields"),
    "gzipped, without .gz": (
        gzip.compress(b"k,s\n1,a\n"), "b.csv: is gzipped, so its name must end in .gz",
    ),
}  # fmt: skip


def frame(spark, *files):
    return csv_frame(spark, list(files), [f"file://{file}" for file in files], QUERY)


@pytest.mark.in_turn
@pytest.mark.parametrize("packed", [False, pytest.param(True, marks=pytest.mark.regress)])
def test_the_texts_of_the_other_reader(spark, interpreted, tmp_path, packed):
    for number, (name, data) in enumerate(GOOD.items()):
        file = tmp_path / (f"{number}.csv.gz" if packed else f"{number}.csv")
        file.write_bytes(gzip.compress(data) if packed else data)
        expected = delimited.texts(
            file, delimited.load(file), delimited.Layout(), QUERY.schema.names
        )
        read = [(row["k"], row["s"]) for row in frame(spark, file).collect()]
        columns = [column.to_pylist() for column in expected.values()]
        assert read == list(zip(*columns, strict=True)), name


@pytest.mark.parametrize("name", BAD)
def test_mistakes(spark, interpreted, tmp_path, name):
    data, message = BAD[name]
    (tmp_path / "a.csv").write_bytes(GOOD["plain"])
    (tmp_path / "b.csv").write_bytes(data)
    with pytest.raises(UserError) as caught:
        frame(spark, tmp_path / "a.csv", tmp_path / "b.csv")
    assert message in str(caught.value).replace(f"{tmp_path}/", "")


def test_an_open_quote_in_a_file_that_is_too_large_for_all_checks(
    spark, interpreted, tmp_path, monkeypatch
):
    monkeypatch.setattr(csv_files, "_CHECKED", 0)
    (tmp_path / "a.csv").write_bytes(b'k,s\n1,5" x\n2,"open\n3,c\n4,d\n')
    with pytest.raises(UserError, match=r"a\.csv:3: a quote is not closed"):
        frame(spark, tmp_path / "a.csv")


def test_a_damaged_file(spark, interpreted, tmp_path):
    file = tmp_path / "b.csv.gz"
    file.write_bytes(b"\x1f\x8b\x08" + bytes(6) + b"\x03" + 50 * b"\xff")
    with pytest.raises(UserError, match=r"b\.csv\.gz: cannot be read: Error -3"):
        frame(spark, file)


@pytest.mark.parametrize("line", [b"1", b"1,a,2", b'1,"a\nb",2'])
def test_a_line_with_another_number_of_fields(spark, interpreted, tmp_path, line):
    (tmp_path / "a.csv").write_bytes(b"k,s\n1,a\n" + line + b"\n3,c\n")
    with pytest.raises(Exception, match="MALFORMED_RECORD"):
        frame(spark, tmp_path / "a.csv").select("k").count()


def test_a_file_in_several_tasks(spark, interpreted, tmp_path):
    """Divides a file between three tasks or more; only the first has the line of names."""
    file = tmp_path / "a.csv"
    file.write_text("k,s\n" + "".join(f"{k},{k % 7}\n" for k in range(3000)))
    old_limit = spark.conf.get("spark.sql.files.maxPartitionBytes")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "9000")
    try:
        tuples = frame(spark, file)
        assert tuples.rdd.getNumPartitions() > 2
        assert [int(row["k"]) for row in tuples.select("k").collect()] == list(range(3000))
    finally:
        spark.conf.set("spark.sql.files.maxPartitionBytes", old_limit)
