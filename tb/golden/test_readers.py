"""Checks the readers of CSV and Parquet: exact values, and one line for each kind of bad file."""

import gzip
import os
import sys
import time
from fractions import Fraction
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.readers import read
from golden.readers.delimited import arrow_stream
from query.parser import parse
from tb.golden.data_files import QUERY, ROOT, file, query_of, refused


class TestCsv:
    TEXT = 'cpu, job ,extra,name,time\n0.5,7,x,"a,b",1\n-0.25,4294967295,,,2\n'

    def test_columns_by_name_in_arrival_order(self, tmp_path):
        tuples = read(file(tmp_path, self.TEXT), QUERY)
        assert tuples.table.to_pydict() == {
            "job": [7, 4294967295],
            "cpu": [1 << 23, -(1 << 22)],
            "name": ["a,b", ""],
        }
        assert len(tuples) == 2
        assert tuples.mappings == {}

    @pytest.mark.parametrize("text", [TEXT, "\ufeff" + TEXT, TEXT.replace("\n", "\r\n"), TEXT[:-1]])
    def test_spellings_of_the_same_file(self, tmp_path, text):
        packed = file(tmp_path, gzip.compress(text.encode()), "data.csv.gz")
        expected = read(file(tmp_path, self.TEXT), QUERY).table
        assert read(file(tmp_path, text), QUERY).table.equals(expected)
        assert read(packed, QUERY).table.equals(expected)

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_a_pipe_is_read_completely(self, tmp_path, pack):
        """A pipe gives its bytes only once, and several KiB at a time."""
        text = self.TEXT + '0.5,7,x,"a,b",1\n' * 5000
        os.mkfifo(tmp_path / "pipe.csv")
        writer = Thread(
            target=(tmp_path / "pipe.csv").write_bytes, args=[pack(text.encode())], daemon=True
        )
        writer.start()
        tuples = read(tmp_path / "pipe.csv", QUERY)
        writer.join()
        assert tuples.table.equals(read(file(tmp_path, text), QUERY).table)

    def test_bare_carriage_returns_end_lines(self, tmp_path):
        path = file(tmp_path, "name,cpu,job,time\ra,0.5,7,1\r\rb,1,8,2\r")
        assert read(path, QUERY).table["job"].to_pylist() == [7, 8]
        path = file(tmp_path, "name,cpu,job,time\ra,0.5,7,1\r\rb,x,8,2\r")
        assert refused(path) == "4: cpu: 'x' is not a number for fixed(8,24)"

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_blank_lines_before_the_names(self, tmp_path, end):
        lines = ["", "", "name,cpu,job,time", "", "a,0.5,7,1", "b,1,8,2"]
        assert read(file(tmp_path, end.join(lines)), QUERY).table["job"].to_pylist() == [7, 8]
        lines[-1] = "b,1,-8,2"
        assert refused(file(tmp_path, end.join(lines))) == "6: job: -8 does not fit uint(32)"

    def test_a_record_of_more_than_a_block(self, tmp_path):
        """Arrow parses a MiB at a time, and a record may be longer."""
        (tmp_path / "t.csv").write_text("k,u\n" + "1,a\n" * 300_000 + f"2,{'x' * 2_500_000}\n")
        query = parse("CREATE INPUT STREAM S (k int); SELECT k, count(*) FROM S GROUP BY k;")
        assert read(tmp_path / "t.csv", query).table["k"].to_pylist()[-2:] == [1, 2]

    def test_a_name_in_quotes_may_hold_an_end_of_line(self, tmp_path):
        path = file(tmp_path, 'name,"a\nb",cpu,job,time\na,?,0.5,7,1\n')
        assert read(path, QUERY).table["job"].to_pylist() == [7]

    @pytest.mark.parametrize("text", ["1_0", "\u0661", "0x1", "1\u00a0", "infinite"])
    @pytest.mark.parametrize("type_", ["float", "double", "int", "fixed(8,8)"])
    def test_number_spellings_of_python_alone(self, tmp_path, text, type_):
        path = file(tmp_path, f"a\n1\n{text}\n")
        assert (
            refused(path, query_of(f"a {type_}")) == f"3: a: {text!r} is not a number for {type_}"
        )

    def test_floats_are_rounded_once(self, tmp_path):
        # 1 + 2**-24 is midway between two floats; the second text is a little more.
        texts = ["1.000000059604644775390625", "1.000000059604644775390625000001", "1e-60"]
        table = read(file(tmp_path, "\n".join(["a", *texts])), query_of("a float")).table
        assert table["a"].to_pylist() == [1.0, 1 + 2**-23, 0.0]

    def test_a_field_longer_than_pythons_reader_takes(self, tmp_path):
        long = "y" * 200_000
        text = f"time,job,cpu,name,extra\n1,2,3,a,{long}\n1,2,x,a,\n"
        assert refused(file(tmp_path, text)) == "3: cpu: 'x' is not a number for fixed(8,24)"
        message = refused(file(tmp_path, f"time,job,cpu,name\n1,2,{long},a\n"))
        assert message.endswith("... (200002 characters) is not a number for fixed(8,24)")
        assert len(message) < 200

    def test_empty_data_is_no_tuples(self, tmp_path):
        for text in ("time,job,cpu,name\n", "time,job,cpu,name", "time,job,cpu,name\n\n"):
            tuples = read(file(tmp_path, text), QUERY)
            assert len(tuples) == 0
            assert tuples.table.schema.types == [pa.int64(), pa.int64(), pa.string()]

    def test_a_query_of_no_column_counts_its_tuples(self, tmp_path):
        query = parse("CREATE INPUT STREAM S (a int); SELECT count(*) FROM S [ROWS 2 SLIDE 1];")
        assert len(read(file(tmp_path, "a\n1\n2\n3\n"), query)) == 3

    def test_values_wider_than_63_bits(self, tmp_path):
        query = query_of("a uint(64)", "b int(64)", "c fixed(4,60)")
        text = f"a,b,c\n{2**64 - 1},{-(2**63)},-8\n0,{2**63 - 1},0.1\n"
        table = read(file(tmp_path, text), query).table
        assert [int(v) for v in table["a"].to_pylist()] == [2**64 - 1, 0]
        assert table["b"].to_pylist() == [-(2**63), 2**63 - 1]
        assert table["c"].to_pylist() == [-8 << 60, round(Fraction(1, 10) * 2**60)]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("time,job,cp,name\n",
             " there is no column cpu, only: time, job, cp, name; did you mean cp?"),
            ("job,cpu,name\n", " there is no column time, only: job, cpu, name"),
            ("time,job,job,cpu,name\n", " there is more than one column job"),
            ("", "1: there is no line of column names"),
            ("\n\n", "1: there is no line of column names"),
            (b"\n\xff,a\n", "2: the line of column names is no text"),
        ],
    )  # fmt: skip
    def test_bad_columns(self, tmp_path, text, message):
        assert refused(file(tmp_path, text)) == message

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            ("1,2,0.5,a\n1,2,abc,a\n1,x,0,a\n", "3: cpu: 'abc' is not a number for fixed(8,24)"),
            ("1,2,0.5,a\n1,2,128,a\n", "3: cpu: 128 does not fit fixed(8,24)"),
            ("1,2,0.5,a\n1,2,-128.1,a\n", "3: cpu: -128.1 does not fit fixed(8,24)"),
            ("1,4294967296,0.5,a\n", "2: job: 4294967296 does not fit uint(32)"),
            ("1,-1,0.5,a\n", "2: job: -1 does not fit uint(32)"),
            ("1,1.5,0.5,a\n", "2: job: '1.5' is not a whole number for uint(32)"),
            ("1,0x1F,0.5,a\n", "2: job: '0x1F' is not a number for uint(32)"),
            ("1,,0.5,a\n", "2: job: '' is not a number for uint(32)"),
            ("\n\n1,2,0.5,abcd\n", "4: name: 'abcd' does not fit string(3)"),
            ('1,2,0.5,"a\n"\n1,2,x,a\n', "4: cpu: 'x' is not a number for fixed(8,24)"),
            ('1,2,0.5,a\n1,2,0.5,"a\n1,2,0.5,b\n', "3: a quote is not closed"),
            (
                '1,2,0.5,"a"\n1,2,0.5,"a"b\n',
                '3: text follows the closing quote of a value, as in "a"b',
            ),
            (
                '1,2,0.5,"a\n"\n1,2,0.5,"a""b"c\n',
                '4: text follows the closing quote of a value, as in "a"b',
            ),
            ("1,2,0.5\n", "2: there must be 4 fields, not 3"),
            (b"1,2,0.5,a\n1,2,0.5,\xff\n", "3: the text is not UTF-8"),
        ],
    )
    def test_bad_lines(self, tmp_path, lines, message):
        lines = lines if isinstance(lines, bytes) else lines.encode()
        assert refused(file(tmp_path, b"time,job,cpu,name\n" + lines)) == message

    def test_the_first_bad_line_of_many(self, tmp_path):
        lines = [f"{i},{i % 9},0.5,a" for i in range(50_000)]
        lines[31_234] = "31234,1,0.5x,a"
        lines[40_000] = "40000,-1,0.5,a"
        path = file(tmp_path, "\n".join(["time,job,cpu,name", *lines]))
        assert refused(path) == "31236: cpu: '0.5x' is not a number for fixed(8,24)"

    def test_files_that_cannot_be_read(self, tmp_path):
        assert refused(tmp_path / "none.csv") == " there is no such file"
        assert refused(tmp_path, format="csv") == " is a directory, and must be one file"
        cut = file(tmp_path, gzip.compress(self.TEXT.encode())[:-9], "cut.csv.gz")
        assert "cannot be read" in refused(cut)

    def test_formats(self, tmp_path):
        path = file(tmp_path, self.TEXT, "data.txt")
        assert "the format must be named for this suffix" in refused(path)
        assert "did you mean parquet?" in refused(path, format="parqet")
        assert len(read(path, QUERY, "csv")) == 2


class TestParquet:
    def write(self, tmp_path, **columns):
        path = tmp_path / "data.parquet"
        pq.write_table(pa.table(columns), path)
        return path

    def test_numbers_are_taken_exactly(self, tmp_path):
        path = self.write(
            tmp_path,
            a=pa.array([3, 4], pa.uint8()),
            b=pa.array([0.1, -2.5], pa.float64()),
            c=pa.array(["0.1", "-2.5"], pa.string()),
            d=pa.array([7.0, 8.0], pa.float32()),
            e=pa.array([0.1, np.float32(0.1)], pa.float64()),
        )
        query = query_of("a uint(8)", "b fixed(4,60)", "c fixed(4,60)", "d int", "e float")
        table = read(path, query).table
        exactly = [round(Fraction(v) * 2**60) for v in (0.1, -2.5)]
        assert table["a"].to_pylist() == [3, 4]
        assert table["b"].to_pylist() == exactly
        assert table["c"].to_pylist() == [round(Fraction(1, 10) * 2**60), -5 << 59]
        assert table["c"].to_pylist() != exactly
        assert table["d"].to_pylist() == [7, 8]
        assert table["e"].to_pylist() == [float(np.float32(0.1))] * 2

    def test_numbers_to_floats_are_rounded_once(self, tmp_path):
        # The shortest text of a double is a little more or less than its value.
        midway = [1 + 2**-24, 1 + 3 * 2**-24, float("-inf"), -0.0]
        integers = [2**24 + 1, 2**24 + 3, (1 << 62) + (1 << 38), 0]
        path = self.write(tmp_path, a=pa.array(midway), b=pa.array(integers))
        table = read(path, query_of("a float", "b float")).table
        assert [str(v) for v in table["a"].to_pylist()] == [
            "1.0", str(1 + 2**-22), "-inf", "-0.0"
        ]  # fmt: skip
        assert table["b"].to_pylist() == [2**24, 2**24 + 4, 1 << 62, 0]

    def test_bad_values(self, tmp_path):
        query = query_of("a uint(8)")
        path = self.write(tmp_path, a=pa.array([1, 300]))
        assert refused(path, query) == "2: a: 300 does not fit uint(8)"
        path = self.write(tmp_path, a=pa.array([1, None]))
        assert refused(path, query) == "2: a: there is no value"
        path = self.write(tmp_path, b=pa.array([1]))
        assert refused(path, query) == " there is no column a, only: b"
        path = self.write(tmp_path, a=pa.array([1.0, 3.5e38]))
        assert refused(path, query_of("a float")) == "2: a: 3.5e+38 does not fit float"
        broken = pa.Array.from_buffers(
            pa.string(), 2, [None, *pa.array([b"ab", b"c\xff"], pa.binary()).buffers()[1:]]
        )
        path = self.write(tmp_path, a=broken)
        assert refused(path, query_of("a int")) == "2: a: the text is not UTF-8"
        path = self.write(tmp_path, a=pa.array([[1]]))
        assert "is no value for uint(8)" in refused(path, query)
        assert "cannot be read as Parquet" in refused(file(tmp_path, "a\n1\n"), query, "parquet")


def test_a_million_tuples_in_seconds(tmp_path):
    """200,000 tuples are read in less than 5 seconds."""
    path = tmp_path / "trace.csv"
    write_csv(cluster(200_000, 1), path)
    query = parse((ROOT / "examples" / "cluster_groupby.cql").read_text())
    start = time.monotonic()
    assert len(read(path, query)) == 200_000
    assert time.monotonic() - start < 5


def test_arrow_owns_the_memory_that_it_reads():
    data = b"t,x\n1,2\n"
    references = sys.getrefcount(data)
    stream = arrow_stream(data)
    assert stream.read() == data
    assert sys.getrefcount(data) == references
