"""Tests that the widths of the pins bound a prediction."""

import pyarrow as pa
import pytest

from gen.prediction.expected_rate import foretell, gaps_of
from gen.prediction.rate_bound import RateBound
from gen.simulate.steady_part import stretch_of
from query.parser import parse
from rtl.contract.face import Face
from rtl.engine import ENGINES
from rtl.window.window_id import WindowModules
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


@pytest.mark.parametrize(("burst", "measured"), [(8, 1.0), (16, 0.8197), (500, 0.6559)])
def test_tuples_wait_while_rows_leave_in_bursts(burst, measured):
    """A row of 2 cycles for each tuple of a burst, and as many tuples without a row.

    ``measured`` is the rate of `sluice simulate` of these tuples. The mean of 1 row of 2 cycles for
    2 tuples would allow a tuple per cycle.
    """
    text = f"{SCHEMA} SELECT min(v), max(v), count(*) FROM S [ROWS 4 SLIDE 1] WHERE k = 0;"
    query = parse(text.replace("v int(8)", "v int(56)"))
    keys = [k // burst % 2 for k in range(8000)]
    tuples = tuples_of(query, keys, [1] * 8000)
    design = ENGINES["two-stacks"](query=query).with_face(Face(bus_bits=64))
    rows = rows_of(*range(keys.count(0) - 3))
    stretch = stretch_of(query, tuples, None)
    prediction, why = foretell(design, tuples, stretch, "ideal", None, rows, (0, 0))
    assert (prediction and prediction.tuples_per_cycle, why) == (
        pytest.approx(measured, rel=0.01),
        None,
    )
    assert prediction.waits_for_rows == (measured < 1)
    bound = RateBound.of_run(design, prediction, 8000, stretch, rows, (0, 0))
    assert bound.name == "rows"  # with bursts of 8 they bound as much as the engine


def test_tuples_of_a_great_group_come_after_rows_of_small_groups():
    """4,000 groups of one tuple, whose rows take 2 cycles each, and then a group of 4,000 tuples.

    The mean of 1 row for 2 tuples would allow a tuple per cycle, as many as the bus carries.
    """
    text = f"{SCHEMA} SELECT k, sum(v) FROM S GROUP BY k;"
    query = parse(text.replace("k uint(8)", "k uint(16)").replace("v int(8)", "v int(16)"))
    keys = [*range(4000), *[9999] * 4000]
    tuples = tuples_of(query, keys, [1] * 8000)
    design = ENGINES["group-by"](query=query).with_face(Face(bus_bits=32))
    assert design.rows.packing.bytes == 8
    prediction, why = foretell(design, tuples, None, "ideal", None, rows_of(*[0] * 4001), (0, 0))
    assert why is None
    assert prediction.tuples_per_cycle == pytest.approx(8000 / (4000 * 2 + 4000), rel=0.01)


def test_groups_without_a_tuple_that_passes_have_no_row():
    """2,000 groups of a tuple with a row of 4 cycles, and 2,000 groups that WHERE drops."""
    text = f"{SCHEMA} SELECT k, sum(v) FROM S WHERE v > 0 GROUP BY k;"
    query = parse(text.replace("k uint(8)", "k uint(16)"))
    tuples = tuples_of(query, range(4000), [1] * 2000 + [0] * 2000)
    design, rows = ENGINES["group-by"](query=query, lanes=1), rows_of(*[0] * 2000)
    prediction, why = foretell(design, tuples, None, "ideal", None, rows, (0, 0.75))
    assert why is None
    assert prediction.tuples_per_cycle == pytest.approx(4000 / (2000 * 4 + 2000), rel=0.01)


def test_an_answer_without_rows_does_not_bound_the_rate():
    query = parse(EACH)
    tuples, design = tuples_of(query, [1] * 3, [1] * 3), ENGINES["two-stacks"](query=query)
    prediction, why = foretell(design, tuples, None, "ideal", None, rows_of(), (0.5, 0.75))
    assert (prediction and prediction.tuples_per_cycle, why) == (1 / 2, None)


@pytest.mark.parametrize("face", [Face(), Face(network=True), Face(packets="stream")])
def test_only_tuples_after_the_first_window_bring_rows(face):
    """The last 600 of 1,000 tuples have a row of 4 cycles each, and the first 400 a single row.

    The rate is measured from the first row to the last, for every kind of packets.
    """
    query = parse(EACH.replace("ROWS 4", "ROWS 400"))
    tuples = tuples_of(query, [1] * 1000, [1] * 1000)
    design, rows = ENGINES["two-stacks"](query=query).with_face(face), rows_of(*range(601))
    stretch = stretch_of(query, tuples, None)
    stalls = (0, 1 - gaps_of(design, rows, (0, 0))[1] / 4)
    prediction, why = foretell(design, tuples, stretch, "ideal", None, rows, stalls)
    assert (prediction.tuples_per_cycle, why) == (pytest.approx(1 / 4), None)
    bound = RateBound.of_run(design, prediction, len(tuples), stretch, rows, stalls)
    assert (bound.name, bound.leaving) == ("rows", pytest.approx(1 / 4))


@pytest.mark.parametrize(
    ("capacity", "cycles"),
    [
        (8, 64 + 4 * (64 - 8)),
        (64, 4 * 64),  # a window of one chunk has no second pass
    ],
)
def test_rows_hold_up_the_next_window_of_a_sorter_with_one_tree(capacity, cycles):
    """Windows of 64 groups: 4 cycles for each row except those of 8 beats, and a pass of 64."""
    query = parse(GROUPS.replace("ROWS 8 SLIDE 8", "ROWS 64 SLIDE 64"))
    design = ENGINES["swag"](query=query, lanes=1, capacity=capacity, window_max=64)
    tuples = tuples_of(query, range(64 * 10), [1] * 640)
    rows = rows_of(*(window for window in range(10) for _ in range(64)))
    stretch = stretch_of(query, tuples, None)
    prediction, why = foretell(design, tuples, stretch, "ideal", None, rows, (0, 0.75))
    assert why is None
    assert prediction.tuples_per_cycle == pytest.approx(64 / cycles, rel=0.02)


def test_rows_of_a_few_windows_leave_while_tuples_of_the_next_enter():
    """Three windows of 64 rows of 2 cycles each: 128 cycles from the end of one to the next."""
    query = parse(GROUPS.replace("ROWS 8 SLIDE 8", "ROWS 64 SLIDE 64"))
    design = ENGINES["swag"](query=query, lanes=1, capacity=64, window_max=64)
    tuples = tuples_of(query, range(64 * 3), [1] * 192)
    rows, stretch = rows_of(*[0] * 64, *[1] * 64, *[2] * 64), stretch_of(query, tuples, None)
    prediction, why = foretell(design, tuples, stretch, "ideal", None, rows, (0, 0.5))
    assert (prediction.tuples_per_cycle, why) == (pytest.approx(1 / 2), None)
    assert not prediction.waits_for_rows


@pytest.mark.parametrize("stall", [0.4, 0.95])
def test_stalls_add_no_beat_to_a_window(stall):
    """Windows of 7 rows in 7 beats, in floating point, too: 7 / 0.6 * 0.6 is above 7."""
    query = parse(GROUPS)
    design = ENGINES["swag"](query=query, lanes=1, capacity=8, window_max=8)
    tuples = tuples_of(query, [k % 7 for k in range(800)], [1] * 800)
    rows = rows_of(*(window for window in range(100) for _ in range(7)))
    stretch = stretch_of(query, tuples, None)
    prediction, why = foretell(design, tuples, stretch, "ideal", None, rows, (0, stall))
    assert (prediction.tuples_per_cycle, why) == (pytest.approx(8 * (1 - stall) / 7), None)


@pytest.mark.parametrize(
    ("engine", "tail", "options", "waiting"),
    [
        ("two-stacks", "[ROWS 4 SLIDE 1]", {}, 4),
        ("group-by", "GROUP BY k", {"lanes": 4}, 4 * 4),
        ("window-id", "[RANGE 8 SLIDE 4 WATTR t]", {}, WindowModules.DEPTH // 2 + 4),
        # Windows that wait in the queue have two panes for each slide.
        ("pane", "[RANGE 9 SLIDE 6 WATTR t]", {}, WindowModules.DEPTH // 2 // 2 + 4),
        # A replay buffer of two windows, less the window that is read, and one in the sorter.
        ("swag", "[ROWS 16 SLIDE 16] GROUP BY k", {"window_max": 64}, 7 + 1),
    ],
)
def test_windows_whose_rows_wait_in_an_engine(engine, tail, options, waiting):
    key = "k, " if "GROUP" in tail else ""
    query = parse(f"{SCHEMA} SELECT {key}sum(v) FROM S {tail};")
    assert ENGINES[engine](query=query, **options).prediction.pace.window_backlog == waiting


def test_rows_wait_in_half_of_the_stages_of_a_division():
    queries = [parse(EACH), parse(EACH.replace("max(v)", "avg(v)"))]
    plain, divided = (ENGINES["two-stacks"](query=query).prediction for query in queries)
    stages = divided.latencies[0].cycles - plain.latencies[0].cycles
    assert stages > 2
    assert divided.pace.window_backlog == plain.pace.window_backlog + stages // 2
