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
    wide = EACH.replace("v int(8)", "v int(40)")
    design = ENGINES["two-stacks"](query=parse(wide)).with_face(Face(bus_bits=32))
    cycles = -(-8 * design.rows.packing.bytes // 32)
    assert cycles > 1
    into, out = gaps_of(design, rows_of(0, 1, 2), (0, 0.5))
    assert (into, out) == (8 * design.input.packing.bytes / 32, 2 * cycles)


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
