"""Tests that the widths of the pins bound a prediction."""

import pyarrow as pa
import pytest

from gen.prediction.expected_rate import foretell, gaps_of
from query.parser import parse
from rtl.contract.face import Face
from rtl.engine import ENGINES
from tb.gen.prediction.keyed_tuples import tuples_of

SCHEMA = "CREATE INPUT STREAM S (k uint(8), t int(16), v int(8));"
EACH = f"{SCHEMA} SELECT sum(v), max(v), count(*) FROM S [ROWS 4 SLIDE 1];"
GROUPS = f"{SCHEMA} SELECT k, max(v) FROM S [ROWS 8 SLIDE 8] GROUP BY k;"


def rows_of(*windows):
    return pa.table({"window": pa.array(windows, pa.int64())})


def test_rows_of_a_window_fill_beats_of_their_own():
    """Windows of 6 and 1 rows take 2 beats and 1 of 4 lanes."""
    design = ENGINES["swag"](query=parse(GROUPS), lanes=4)
    assert gaps_of(design, rows_of(0, 0, 0, 0, 0, 0, 1), (0, 0)) == (1 / 4, 3 / 7)
    assert gaps_of(design, rows_of(), (0.5, 0)) == (1 / 2, 1 / 4)


def test_a_row_over_a_narrow_bus_takes_several_cycles():
    """A tuple has 5 bytes; a row has 12, 6 of sum(v), 5 of max(v) and 1 of the count.

    So over 4 bytes a row takes 3 cycles, or 6 if the output stalls in half of the cycles.
    """
    wide = EACH.replace("v int(8)", "v int(40)")
    design = ENGINES["two-stacks"](query=parse(wide)).with_face(Face(bus_bits=32))
    assert gaps_of(design, rows_of(0, 1, 2), (0, 0.5)) == (5 / 4, 2 * 3)


@pytest.mark.parametrize(("stalls", "rate"), [((0, 0), 1), ((0.5, 0), 1 / 2), ((0, 0.75), 1 / 4)])
def test_stalls_bound_the_rate(stalls, rate):
    """A row for nearly every tuple: 997 of 1,000."""
    query = parse(EACH)
    tuples = tuples_of(query, [1] * 1000, [1] * 1000)
    design = ENGINES["two-stacks"](query=query)
    rows = rows_of(*range(997))
    prediction, why = foretell(design, tuples, None, "ideal", None, rows, stalls)
    assert prediction.tuples_per_cycle == pytest.approx(rate, rel=0.01)
    assert why is None


def test_rows_of_half_of_the_tuples_bound_the_rate_half_as_much():
    """500 rows of 4 cycles each take 2,000 cycles, in which 1,000 tuples enter."""
    query = parse(EACH)
    tuples = tuples_of(query, [1] * 1000, [1] * 1000)
    design, rows = ENGINES["two-stacks"](query=query), rows_of(*range(500))
    prediction, why = foretell(design, tuples, None, "ideal", None, rows, (0, 0.75))
    assert (prediction.tuples_per_cycle, why) == (pytest.approx(1 / 2), None)


def test_an_answer_without_rows_does_not_bound_the_rate():
    query = parse(EACH)
    tuples, design = tuples_of(query, [1] * 3, [1] * 3), ENGINES["two-stacks"](query=query)
    prediction, why = foretell(design, tuples, None, "ideal", None, rows_of(), (0.5, 0.75))
    assert (prediction and prediction.tuples_per_cycle, why) == (1 / 2, None)
