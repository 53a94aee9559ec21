"""Compares answers over frames with `golden.answer` on the two published traces, as a whole."""

from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from golden.answer import answer as answer_in_memory
from golden.frames.answer import answer
from golden.order import arrival
from golden.readers import read
from query.parser import parse
from tb.golden.data_files import shared
from tb.golden.frames.split_frames import raw_rows

pytestmark = pytest.mark.spark

#: Name of the file, its format, the schema, and the columns of time, key and value.
TRACES = {
    "Google": (
        "google_cluster_task_events.txt.gz",
        "google-task-events-excerpt",
        "CREATE INPUT STREAM T (time uint(64), job uint(32), cpu fixed(8,24));",
        ("time", "job", "cpu"),
    ),
    "DEBS": (
        "debs2012_manufacturing.txt.gz",
        "debs2012",
        "CREATE INPUT STREAM T (ts uint(64), mf03 int(32), mf01 int(32));",
        ("ts", "mf03", "mf01"),
    ),
}
#: SLIDE of windows of time, in units of the trace's time: ten seconds, and half a second.
SLIDE = {"Google": 10, "DEBS": 500_000_000}
QUERIES = {
    "groups": "SELECT {k}, count(*), sum({v}) FROM T GROUP BY {k};",
    "rows": "SELECT {k}, max({v}) FROM T [ROWS 1000 SLIDE 250] GROUP BY {k};",
    "range": "SELECT count(*), avg({v}) FROM T [RANGE {size} SLIDE {slide} WATTR {t}];",
    "keys": "SELECT {k}, min({v}), median({v}) FROM T [PARTITION BY {k} ROWS 64 SLIDE 16];",
    "times": "SELECT {k}, sum({v}) FROM T [PARTITION BY {k} RANGE {size} SLIDE {slide} WATTR {t}];",
}


def _query(trace, name):
    _, _, schema, (time, key, value) = TRACES[trace]
    slide = SLIDE[trace]
    text = QUERIES[name].format(t=time, k=key, v=value, size=6 * slide, slide=slide)
    return parse(f"{schema} {text}")


@cache
def _tuples(trace):
    """Returns the tuples of a trace, with the columns of time, key and value."""
    file, form, *_ = TRACES[trace]
    return read(shared(file), _query(trace, "times"), form)


def _write(folder, tuples, parts):
    """Writes tuples to files, in order of their names; a fixed point becomes a double, exactly."""
    columns = {}
    for column in tuples.schema.columns:
        values, bits = tuples.table[column.name], column.type.fraction
        if bits:
            values = pa.array(values.to_numpy() / 2**bits)
        columns[column.name] = values
    table = pa.table(columns)
    step = -(-len(tuples) // parts)
    for part in range(parts):
        pq.write_table(table.slice(part * step, step), folder / f"{part}.parquet")


@pytest.mark.in_turn
@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("trace", TRACES)
def test_rows_are_those_of_the_answer_in_memory(spark, tmp_path, monkeypatch, trace, name, parts):
    monkeypatch.setattr(arrival, "SMALL", 0)  # the frame is scanned as a large one
    query, tuples = _query(trace, name), _tuples(trace)
    expected = answer_in_memory(query, spark, tuples)
    assert expected.num_rows > 20
    _write(tmp_path, tuples, parts)
    rows = raw_rows(query, answer(query, spark.read.parquet(str(tmp_path))))
    assert rows.equals(expected)
