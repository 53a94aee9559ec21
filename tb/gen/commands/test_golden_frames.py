"""`sluice golden` on data that Spark reads and writes: the bytes of a small CSV file's rows."""

import gzip
import json
import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gen.commands import golden_frames
from golden.frames import sink, source
from golden.spark.session import session
from query.errors import UserError

pytestmark = pytest.mark.spark

SCHEMA = (
    "CREATE INPUT STREAM S (t int(40) seconds, g string(3), x float, y fixed(4,4), i int(7));\n"
)
QUERIES = {
    "range": "SELECT g, count(*), sum(y), max(x), avg(i) AS mean "
    "FROM S [RANGE 20 seconds SLIDE 5 seconds WATTR t SLACK 1] GROUP BY g;",
    "empty windows": "SELECT count(*), avg(y) FROM S [RANGE 2 SLIDE 2 WATTR t] WHERE i > 20;",
}
TUPLES = 240
MASTER = "local[2]"  # of the other tests, which share the session
#: Setting of Spark that compiles plans, which takes longer than the answers of a small file.
COMPILING = "spark.sql.codegen.wholeStage"


@pytest.fixture(autouse=True)
def interpreted():
    spark = session(MASTER)
    spark.conf.set(COMPILING, "false")
    yield
    spark.conf.unset(COMPILING)


@pytest.fixture
def data(tmp_path):
    """Writes the same tuples as one CSV file, and as parts of Parquet; returns the folder."""
    rng, time, rows = random.Random(7), 50, []
    for number in range(TUPLES):
        time += rng.choice((0, 0, 1, 3))
        x = rng.choice((float("nan"), -0.0, 0.0, float("inf"), 1e-45, 0.1, -7.25))
        y, i = rng.randrange(-128, 128) / 16, rng.randrange(-64, 64)
        name = rng.choice(("a", 'q"', "c,d", "é", ""))
        rows.append((time - rng.randrange(4), name, x, y, i, number))
    names = ("t", "g", "x", "y", "i", "number")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    table = pa.table(columns).set_column(2, "x", pa.array(columns["x"], pa.float32()))
    quoted = ['{},"{}",{},{},{}'.format(t, g.replace('"', '""'), *rest) for t, g, *rest, _ in rows]
    (tmp_path / "data.csv").write_text("\n".join(["t,g,x,y,i", *quoted]) + "\n")
    (tmp_path / "parts").mkdir()
    for part, (begin, end) in enumerate(((0, 20), (20, 180), (180, TUPLES))):
        pq.write_table(table[begin:end], tmp_path / "parts" / f"part{part}.parquet")
    (tmp_path / "csv").mkdir()
    names_of_csv = "number,t,g,x,y,i"  # in another order, with another column
    for part, (begin, end) in enumerate(((0, 100), (100, TUPLES))):
        lines = [f"{number},{quoted[number]}" for number in range(begin, end)]
        text = "\r\n".join([names_of_csv, "", *lines])
        (tmp_path / "csv" / f"{part}.csv").write_text(text)
    order = list(range(TUPLES))
    rng.shuffle(order)
    pq.write_table(table.take(order), tmp_path / "shuffled.parquet")
    lines = [dict(zip(names[1:], row[1:], strict=True)) | {"t": str(row[0])} for row in rows]
    text = "\n".join(json.dumps(line).replace("NaN", '"nan"') for line in lines)
    (tmp_path / "data.jsonl").write_text(text.replace("Infinity", '"inf"') + "\n")
    return tmp_path


def run(sluice, folder, query, data, *options, rows="rows.csv"):
    """Runs the command, which must succeed, and returns the printed JSON."""
    (folder / "q.cql").write_text(SCHEMA + query)
    arguments = (folder / "q.cql", "--input", folder / data, "-o", folder / rows, "--json")
    code, out, err = sluice("golden", *arguments, "--master", MASTER, *options)
    assert code == 0, err
    return json.loads(out)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "source", "options"),
    [
        ("range", "shuffled.parquet", ("--order", "number")),
        ("empty windows", "data.jsonl", ()),
        ("range", "csv", ()),
        pytest.param("range", "parts", (), marks=pytest.mark.regress),
    ],
)
def test_the_same_bytes(sluice, data, name, source, options):
    expected = run(sluice, data, QUERIES[name], "data.csv", rows="expected.csv")
    output = run(sluice, data, QUERIES[name], source, *options)
    assert (data / "rows.csv").read_bytes() == (data / "expected.csv").read_bytes()
    differing = {key for key in expected if output[key] != expected[key]}
    assert differing <= {"rows_file", "files"}


@pytest.mark.in_turn
@pytest.mark.parametrize("runs", [1, pytest.param(2, marks=pytest.mark.regress)])
def test_parts_in_order(sluice, data, runs):
    """A directory of parts behind a link is replaced; the new parts are the rows in order."""
    run(sluice, data, QUERIES["range"], "data.csv", rows="expected.csv")
    header, *expected = (data / "expected.csv").read_text().splitlines()
    (data / "real").mkdir()
    (data / "rows.csv").symlink_to(data / "real")
    for name in ("part-00000-old.csv", "_SUCCESS", "._SUCCESS.crc"):
        (data / "rows.csv" / name).write_text("old")
    for _ in range(runs):
        output = run(sluice, data, QUERIES["range"], "parts", "--parts", rows="rows.csv")
        lines = []
        for part in sorted((data / "rows.csv").glob("part-*")):
            first, *part_rows = part.read_text().splitlines()
            assert first == header
            lines += part_rows
        assert lines == expected
        assert output["rows"] == len(expected)
    assert (data / "rows.csv").is_symlink()


@pytest.mark.in_turn
def test_parts_without_a_row_have_the_names(sluice, data):
    (data / "none.csv").write_text("t,g,x,y,i\n")
    run(sluice, data, QUERIES["range"], "data.csv", rows="expected.csv")
    output = run(sluice, data, QUERIES["range"], "none.csv", "--parts", rows="rows.csv")
    assert output["rows"] == 0
    [part] = (data / "rows.csv").glob("part-*")
    assert part.read_text().splitlines() == (data / "expected.csv").read_text().splitlines()[:1]


@pytest.mark.in_turn
def test_an_unused_column_of_nanoseconds(sluice, data):
    """Spark has no such type; the column may also be the order."""
    expected = run(sluice, data, QUERIES["empty windows"], "shuffled.parquet", "--order", "number")
    table = pq.read_table(data / "shuffled.parquet")
    times = table["number"].cast(pa.timestamp("ns"))
    pq.write_table(table.append_column("at", times), data / "at.parquet")
    for order in ("number", "at"):
        output = run(sluice, data, QUERIES["empty windows"], "at.parquet", "--order", order)
        assert output == expected


@pytest.mark.in_turn
def test_files_that_differ_in_the_order(sluice, data):
    table = pq.read_table(data / "parts" / "part1.parquet")
    texts = table.set_column(table.column_names.index("number"), "number", table["g"])
    pq.write_table(texts, data / "parts" / "part1.parquet")
    line = error_line(sluice, data, "parts", "--order", "number")
    reason = "in /parts/part0.parquet: all files of a stream must have the same columns"
    assert line == f"/parts/part1.parquet: number is string, and int64 {reason}"
    pq.write_table(table.drop_columns(["number"]), data / "parts" / "part1.parquet")
    line = error_line(sluice, data, "parts", "--order", "number")
    assert line == "/parts/part1.parquet: there is no column number, only: t, g, x, y, i"


@pytest.mark.in_turn
def test_gzipped_lines_that_are_cut(sluice, data):
    packed = gzip.compress((data / "data.jsonl").read_bytes())
    (data / "cut.json.gz").write_bytes(packed[: len(packed) // 2])
    line = error_line(sluice, data, "cut.json.gz")
    assert line == "/cut.json.gz: cannot be read: Unexpected end of input stream"


def error_line(sluice, folder, data, *options, rows="rows.parquet"):
    (folder / "q.cql").write_text(SCHEMA + QUERIES["range"])
    arguments = (folder / "q.cql", "--input", folder / data, "-o", folder / rows)
    names_at_start = {path.name for path in folder.iterdir()}
    code, out, err = sluice("golden", *arguments, "--master", MASTER, *options)
    assert (code, out) == (2, "")
    assert {path.name for path in folder.iterdir()} == names_at_start
    [line] = [line for line in err.splitlines() if line.startswith("sluice: ")]
    return line.replace(str(folder), "").removeprefix("sluice: ")


@pytest.mark.in_turn
def test_mistakes_are_one_line(sluice, data, monkeypatch):
    assert error_line(sluice, data, "none*.parquet") == "/none*.parquet: there is no such file"
    line = error_line(sluice, data, "parts", "--order", "numbr")
    assert line == (
        "/parts: order: there is no column numbr, only: t, g, x, y, i, number; did you mean number?"
    )
    pq.write_table(
        pa.table({"t": [1], "g": ["a"], "x": [1.0], "y": [1.0]}), data / "parts/z.parquet"
    )
    line = error_line(sluice, data, "parts")
    assert line == "/parts/z.parquet: there is no column i, only: t, g, x, y"
    good = pq.read_table(data / "shuffled.parquet")
    pq.write_table(good.set_column(0, "t", good["t"].cast(pa.string())), data / "parts/z.parquet")
    line = error_line(sluice, data, "parts")
    assert line == (
        "/parts/z.parquet: t is string, and int64 in /parts/part0.parquet: all files of a stream "
        "must have the same columns"
    )
    monkeypatch.setattr(golden_frames, "LARGE", 0)
    bad = good.set_column(4, "i", pa.array([*range(50), 64, *[0] * (TUPLES - 51)]))
    pq.write_table(bad, data / "bad.parquet")
    assert error_line(sluice, data, "bad.parquet") == "/bad.parquet:51: i: 64 does not fit int(7)"
    twice = good.set_column(5, "number", pa.array([5] * TUPLES))
    pq.write_table(twice, data / "twice.parquet")
    line = error_line(sluice, data, "twice.parquet", "--order", "number")
    assert line.startswith("/twice.parquet: two tuples have the value 5 in the column of the order")
    trace = ("--format", "google-task-events")
    for name, options in [("data.csv", ("--parts", *trace)), ("parts", trace)]:
        assert error_line(sluice, data, name, *options) == (
            f"/{name}: with --order, --parts, a directory or a pattern Spark reads csv, json, "
            "orc and parquet only; google-task-events must be one file without these options"
        )
    line = error_line(sluice, data, "parts", "--format", "xls")
    assert line == "/parts: Spark reads csv, json, orc and parquet, and not xls"
    (data / "rows").mkdir()
    (data / "rows" / "mine.txt").write_text("")
    line = error_line(sluice, data, "parts", "--parts", rows="rows")
    assert "is in the way" in line


def test_names_that_spark_takes_for_no_data(sluice, data):
    """Spark would read no tuple of such a file, without an error."""
    (data / "data.csv").rename(data / "_data.csv")
    line = error_line(sluice, data, "_data.csv", "--parts", rows="rows.csv")
    assert line == (
        "/_data.csv: Spark reads no file whose name begins with _ or .; give it another name"
    )
    assert error_line(sluice, data, "_d*.csv") == (
        "/_d*.csv: there is no such file, but names that begin with _ or ., which are no data"
    )
    pq.write_table(pa.table({"x": [1]}), data / "_data.parquet")
    actual = source.files_of(data / "*ata*")
    assert actual == [data / "data.jsonl"]


RECORDS = {
    "two records": '{"k": "b", "x": 2}{"k": "c", "x": 3}',
    "text behind a record": '{"k": "b", "x": 2} oops',
    "a record with a comma": '{"k": "b", "x": 2},{"k": "c", "x": 3}',
    "no end": '{"k": "b", "x": 2',
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", RECORDS)
def test_a_line_that_is_not_one_json_record(sluice, tmp_path, name):
    """Spark takes the first record of a line, and ignores the rest."""
    (tmp_path / "q.cql").write_text(
        "CREATE INPUT STREAM S (k string(4), x int); SELECT k, max(x) FROM S GROUP BY k;"
    )
    good = '{"k": "a", "x": 1}\n\n \n{"x": 7, "k": "]{", "y": [{"z": NaN}]}\n'
    (tmp_path / "d.jsonl").write_text(good)
    arguments = (tmp_path / "q.cql", "--input", tmp_path / "d.jsonl", "-o", tmp_path / "rows.csv")
    code, _, err = sluice("golden", *arguments, "--master", MASTER)
    assert code == 0, err
    assert (tmp_path / "rows.csv").read_text().splitlines()[1:] == ["0,]{,7", "0,a,1"]
    (tmp_path / "d.jsonl").write_text(f"{good}{RECORDS[name]}\n")
    code, _, err = sluice("golden", *arguments, "--master", MASTER)
    assert code == 2
    assert f"d.jsonl: a line is not one JSON record: {RECORDS[name]}" in err


@pytest.mark.parametrize("name", [".git", "_mine", ".part-0", "part-0/x"])
def test_only_parts_of_spark_are_replaced(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match="is in the way: it is no directory of part files"):
        sink.check_directory(tmp_path)


@pytest.mark.in_turn
def test_parts_stay_if_new_ones_cannot_take_their_place(sluice, data, monkeypatch):
    run(sluice, data, QUERIES["empty windows"], "parts", "--parts", rows="rows.csv")
    old_parts = {path.name: path.read_bytes() for path in (data / "rows.csv").iterdir()}
    rename = os.rename

    def fail(old, new):
        if Path(old).name == "rows":
            raise OSError(28, "No space left on device")
        rename(old, new)

    monkeypatch.setattr(os, "rename", fail)
    line = error_line(sluice, data, "parts", "--parts", rows="rows.csv")
    assert line == "/rows.csv: cannot be written: No space left on device"
    assert {path.name: path.read_bytes() for path in (data / "rows.csv").iterdir()} == old_parts


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ("rows.csv", ("--parts",)),
        ("rows.csv", ()),
        ("rows.parquet", ("--parts",)),
        ("rows.parquet", ()),
    ],
)
@pytest.mark.parametrize("lost", [1, None])
def test_rows_that_a_worker_wrote_elsewhere(sluice, data, monkeypatch, rows, options, lost):
    """The file system of a worker is not the one of this machine: some or all parts are missing."""
    run(sluice, data, QUERIES["empty windows"], "parts", *options, rows=rows)
    write = sink._write

    def write_and_lose(answer, is_csv, header, place):
        lines = write(answer, is_csv, header, place)
        for file in [part for part in sorted(place.glob("part-*")) if part.stat().st_size][:lost]:
            file.unlink()
        return lines

    monkeypatch.setattr(sink, "_write", write_and_lose)
    old_contents = contents(data / rows)
    line = error_line(sluice, data, "parts", *options, rows=rows)
    assert "its workers must write to a file system that this machine shares" in line
    assert contents(data / rows) == old_contents


def contents(path):
    """Returns the bytes of a file, or of each file of a directory."""
    if path.is_file():
        return path.read_bytes()
    return {file.name: file.read_bytes() for file in path.iterdir()}
