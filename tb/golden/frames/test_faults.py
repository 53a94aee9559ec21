"""Places of bad values in JSON lines and ORC."""

import gzip

import pyarrow as pa
import pytest
from pyarrow import orc

from golden.frames import faults
from golden.frames.faults import refuse_value
from query.errors import UserError
from query.parser import parse

QUERY = parse("CREATE INPUT STREAM S (k string(4), x int); SELECT k, max(x) FROM S GROUP BY k;")
GOOD = '{"k": "a", "x": 1}\n\n \t\n{"x": "7", "k": "]{", "y": [{"z": NaN}]}\n'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"k": "a", "x": "q"}', "x: 'q' is not a number for int"),
        ('{"k": "a", "x": 2147483648}', "x: 2147483648 does not fit int"),
        ('{"k": "abcde", "x": 1}', "k: "),
        ('{"k": "a"}', "x: there is no value"),
        ('{"k": "a", "x": null}', "x: there is no value"),
        ('{"k": "a", "x": true}', "x: 'true' is not a number"),
        ('{"k": "\udcff", "x": 1}', "the line is not UTF-8"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("lines", [100_000, 2])
def test_the_line_of_a_value(tmp_path, monkeypatch, line, message, packed, lines):
    monkeypatch.setattr(faults, "_LINES", lines)
    file = tmp_path / ("a.json.gz" if packed else "a.json")
    data = f"{GOOD}{line}\n{GOOD}".encode(errors="surrogateescape")
    file.write_bytes(gzip.compress(data) if packed else data)
    with pytest.raises(UserError) as caught:
        refuse_value(file, QUERY, "json")
    assert str(caught.value).startswith(f"{file}:5: {message}")


def test_bytes_that_are_not_utf8(tmp_path):
    """An earlier fault comes first, and a column that the query does not use may have any bytes."""
    file, bad_line = tmp_path / "a.json", b'{"k": "\xff", "x": 1}\n'
    file.write_bytes(b'{"k": "a", "x": "q"}\n' + bad_line)
    with pytest.raises(UserError, match="json:1: x: 'q' is not a number"):
        refuse_value(file, QUERY, "json")
    file.write_bytes(b'{"k": "a", "y": "\xff", "x": 1}\n' + bad_line)
    with pytest.raises(UserError, match="json:2: the line is not UTF-8"):
        refuse_value(file, QUERY, "json")


def test_a_query_without_columns(tmp_path):
    query = parse("CREATE INPUT STREAM S (x int); SELECT count(*) FROM S [ROWS 4 SLIDE 4];")
    for format in ("json", "orc"):
        refuse_value(tmp_path / "none", query, format)


def test_the_row_of_a_value(tmp_path):
    table = pa.table({"x": pa.array([1, 2, None, 4]), "k": ["a"] * 4, "z": [1.5] * 4})
    orc.write_table(table, tmp_path / "a.orc")
    with pytest.raises(UserError, match=r"a\.orc:3: x: there is no value"):
        refuse_value(tmp_path / "a.orc", QUERY, "orc")


@pytest.mark.parametrize("line", ["{'k': 'a', 'x': 1}", "[1]", "oops", '{"k": "a", "x": [1]}'])
def test_the_search_ends_before_a_line_that_is_no_record_for_python(tmp_path, line):
    """Spark takes single quotes, too, and has an error of its own for the others."""
    (tmp_path / "a.json").write_text(f'{GOOD}{line}\n{{"k": "a", "x": "q"}}\n')
    refuse_value(tmp_path / "a.json", QUERY, "json")
    (tmp_path / "b.json").write_text(f'{{"k": "a", "x": "q"}}\n{line}\n')
    with pytest.raises(UserError, match=r"b\.json:1: x: 'q' is not a number"):
        refuse_value(tmp_path / "b.json", QUERY, "json")


def test_files_that_cannot_be_read(tmp_path):
    """Spark's own error names the fault of the file."""
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(GOOD.encode())[:-12])
    refuse_value(tmp_path / "a.json.gz", QUERY, "json")
    (tmp_path / "a.orc").write_bytes(b"ORC")
    refuse_value(tmp_path / "a.orc", QUERY, "orc")
    refuse_value(tmp_path / "none.orc", QUERY, "orc")


def test_good_files(tmp_path):
    (tmp_path / "a.json").write_text(GOOD)
    refuse_value(tmp_path / "a.json", QUERY, "json")
    orc.write_table(pa.table({"x": [1], "k": ["a"]}), tmp_path / "a.orc")
    refuse_value(tmp_path / "a.orc", QUERY, "orc")
