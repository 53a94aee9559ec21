"""Window-ID, pane with both window levels, and PySpark: the same rows for any stream over time."""

import random

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.spark.session import session
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from tb.rtl.engine.bench import HALF
from tb.rtl.engine.time_bench import run
from tb.rtl.engine.time_streams import ENGINES, random_streams

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

THREE = ("window-id", "sequential", "two-stacks")


def golden(stream, query):
    """PySpark's rows of a stream, as tuples of raw integers and None, and how many are late."""
    limit = stream.constants["where0"]
    parsed = parse(str(stream.query(query)).replace("y < 9", f"y < {limit}"))
    columns = {
        c.name: pa.array([t[c.name] for t in stream.events], arrow_type(c.type))
        for c in parsed.columns
    }
    answer = full_answer(
        parsed, session("local[2]"), Tuples(parsed.schema, pa.table(columns)), stream.start
    )
    names = parsed.row_names[1:]
    return [tuple(row[n] for n in names) for row in answer.rows.to_pylist()], answer.late


def compare(seed, combinations):
    """Streams back to back, each with settings, start, disorder and gaps of its own; in stalls."""
    rng = random.Random(seed)
    design = ENGINES[THREE[0]]
    streams = random_streams(rng, design, [rng.randint(1, 90) for _ in range(combinations)])
    saved = [s for s in streams if s.events]
    assert len(saved) > combinations - 3
    uneven = sum(stream.range % stream.slide > 0 for stream in saved)
    assert uneven > combinations // 10
    answers = [golden(stream, design.query) for stream in saved]
    expected = [row for rows, _ in answers for row in rows]
    for name in THREE:
        finished = run(ENGINES[name], saved, len(expected), seed=rng.getrandbits(32), **HALF)
        assert finished.rows == expected, name
        assert finished.counters["late"] == sum(late for _, late in answers)
        assert (finished.counters["overrun"], finished.errors) == (0, set())


@pytest.mark.regress
def test_the_same_rows():
    compare(1, 6)


@pytest.mark.regress
def test_two_hundred_streams():
    compare(2, 220)
