"""Tests the expected counters and the figures of a run."""

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from gen.simulate.run import SIMULATORS, _has_stream_windows, _run
from gen.simulate.run_counters import memory_figures, miscounted, overruns
from gen.simulate.run_result import Simulation
from gen.simulate.steady_part import Stretch
from golden.answer import Answer
from golden.tuples import Tuples
from query.parser import parse
from rtl.contract.shape import Shape
from sim.beats import Beats
from sim.outcome import InputStream, Outcome, OutputStream

QUERY = parse(
    "CREATE INPUT STREAM S (t fixed(8,4), v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t] WHERE v > 0;"
)


def test_counters_that_are_wrong_are_told():
    """WHERE drops 2 of 4 tuples, golden drops 1 as late, and 2 streams are sent."""
    table = pa.table({"t": [0, 16, 32, 1], "v": [1, 0, 5, -1]})
    tuples, rows = Tuples(QUERY.schema, table), pa.table({"window": [0, 1, 2]})
    answer = Answer(rows=rows, start=0, late=1)
    right = {"tuples": 8, "streams": 2, "filtered": 4, "late": 2, "rows": 6}
    assert miscounted(QUERY, tuples, answer.late, rows, right, 2, evictions=0) == []
    right |= {"overrun": 0, "nan": 0, "collision": 0}
    assert miscounted(QUERY, tuples, answer.late, rows, right, 2, evictions=0) == []
    for name in ("tuples", "streams", "filtered", "late", "rows", "nan", "collision"):
        problems = right | {name: right[name] + 1}
        expected = [f"counter {name} must be {right[name]}, not {right[name] + 1}"]
        assert miscounted(QUERY, tuples, answer.late, rows, problems, 2, evictions=0) == expected
    evicted = miscounted(QUERY, tuples, answer.late, rows, right, 2, evictions=3)
    assert evicted == ["counter collision must be 6, not 0"]  # 3 keys of each stream
    assert (
        miscounted(QUERY, tuples, answer.late, rows, right | {"collision": 6}, 2, evictions=3) == []
    )
    none = {name: count for name, count in right.items() if name != "filtered"}
    expected = ["counter filtered must be 4, not 0"]  # a design that does not count it at all
    assert miscounted(QUERY, tuples, answer.late, rows, none, 2, evictions=0) == expected


def test_overruns_are_a_problem_with_a_way_out():
    """Windows of keys can be given more room by options, but no slide has a number from 2^32 on."""
    no_tuples = Tuples(QUERY.schema, pa.table({"t": pa.array([], pa.int64())}))
    text = "counter overrun must be 0, not 2: these tuples had no room in their windows, and are "
    text += "missing in rows"
    assert overruns(QUERY, no_tuples, None, {"overrun": 2}) == [text]
    assert (
        overruns(QUERY, no_tuples, None, {"overrun": 0})
        == overruns(QUERY, no_tuples, None, {})
        == []
    )
    keyed = parse(
        "CREATE INPUT STREAM S (k int(40), t int(40)); "
        "SELECT count(*) FROM S [PARTITION BY k RANGE 2 SLIDE 1 WATTR t];"
    )
    way_out = ": set a greater window_max, or more marks"
    tuples = Tuples(keyed.schema, pa.table({"k": [1, 1], "t": [5, (1 << 32) + 4]}))
    assert overruns(keyed, tuples, 5, {"overrun": 2}) == [text + way_out]
    (far,) = overruns(keyed, tuples, 4, {"overrun": 2})
    assert "4,294,967,296 or more slides after the start 4" in far
    fast = parse(str(keyed).replace("RANGE 2 SLIDE 1", "RANGE 4 SLIDE 2"))
    assert overruns(fast, tuples, 4, {"overrun": 2}) == [text + way_out]  # half as many slides
    (far,) = overruns(fast, tuples, 4 - (1 << 32), {"overrun": 2})
    assert "4,294,967,296 or more slides after the start -4294967292" in far
    fixed = parse(str(keyed).replace("t int(40)", "t fixed(40,1)"))
    (far,) = overruns(fixed, tuples, 3 - (1 << 33), {"overrun": 2})
    assert "4,294,967,296 or more slides after the start -4294967294.5" in far
    passed_early = parse(str(keyed).replace(" WATTR t]", " WATTR t] WHERE t < 9"))
    assert overruns(passed_early, tuples, 4, {"overrun": 2}) == [text + way_out]


def simulation(cycles, *, streams=1, over=None, has_windows=True, fed=None, rows=(0,)):
    """Returns a run whose packets, of a row each, leave in ``cycles``.

    The input takes 40 tuples of each stream in beats of 4, in the cycles ``fed``.
    """
    count = len(cycles)
    beats = Beats(np.zeros((count, 1), np.uint8), np.ones((count, 1), bool), np.ones(count, bool))
    outcome = Outcome(
        inputs={"s_axis": InputStream(accepted=40, stalled=0, first=0, last=900, beat_cycles=fed)},
        outputs={
            "m_axis": OutputStream(beats=beats, beat_cycles=np.array(cycles, np.int64), stalled=7)
        },
        cycles=1000,
        seconds=1.0,
    )
    rows = pa.table({"window": pa.array(rows, pa.int64())})
    return Simulation(
        run=outcome,
        streams=streams,
        lanes=4,
        stretch=over,
        has_stream_windows=has_windows,
        predicted=2 / 3,
        tuples=40,
        start=None,
        rows=rows,
        expected=rows,
        counters={"overrun": 6, "filtered": 4},
        problems=(),
        mismatches=0,
    )


def test_figures_of_cycles():
    result = simulation([48, 60, 90], rows=(0, 1, 2)).figures()
    assert result["predicted_tuples_per_cycle"] == 0.666667
    assert result["first_result_cycles"] == 48
    assert (result["cycles"], result["output_stalled_cycles"]) == (91, 7)


def test_the_end_of_a_stream_without_rows_is_no_result():
    assert simulation([48], rows=()).figures()["first_result_cycles"] is None


@pytest.mark.parametrize(
    ("window", "has_windows"),
    [
        ("[ROWS 4 SLIDE 2]", True),
        ("[RANGE 4 SLIDE 2 WATTR t]", True),
        ("[PARTITION BY k ROWS 4 SLIDE 2]", False),
        ("[PARTITION BY k RANGE 4 SLIDE 2 WATTR t]", False),
        ("GROUP BY k", False),
    ],
)
def test_windows_between_which_a_rate_can_be_measured(window, has_windows):
    """With windows of keys, and without windows, the rate is measured at the input."""
    keys = "k, " if "k" in window else ""
    query = parse(
        f"CREATE INPUT STREAM S (k int, t int, v int); SELECT {keys}sum(v) FROM S {window};"
    )
    assert _has_stream_windows(query.window) is has_windows
    fed = np.array([5, 6, 7, 8, 9, 10, 11, 12, 13, 24])
    part = Stretch(first=0, last=1, shape=Shape(window_ends=((8, 1),)))
    result = simulation([50, 90], over=part, has_windows=has_windows, fed=fed, rows=(0, 1))
    assert result.sustained == (8 / 40 if has_windows else 36 / 19)
    assert replace(result, network={}).sustained is None  # a beat is part of a frame
    assert replace(result, rows=None).sustained == (None if has_windows else 36 / 19)
    assert replace(result, stretch=None).sustained == (None if has_windows else 36 / 19)


def test_lines_of_a_memory_are_told_for_each_time_that_the_tuples_were_fed():
    with_memory, without = (SimpleNamespace(memories=m, parameters={}) for m in (("m_axi",), ()))
    on_chip = SimpleNamespace(memories=(), parameters={"m3_kind": "block"})
    counters = {"m3_lines_read": 14, "m3_lines_written": 6, "rows": 3}
    reported = {"m3_lines_read": 7, "m3_lines_written": 3, "m3_read_modify_writes": None}
    reported |= {"window_values": None, "m3_window_values": None, "on_chip_share": None}
    assert memory_figures(with_memory, "ddr3", counters, 2) == {"back_end": "ddr3"} | reported
    searched = memory_figures(with_memory, "ddr3", counters | {"passes": 10}, 2)
    assert searched == {"back_end": "ddr3"} | reported | {"passes": 5}
    assert memory_figures(on_chip, "ideal", counters, 2) == {"back_end": "on chip"} | reported
    assert memory_figures(without, "ideal", counters, 2) is None
    assert simulation([]).figures()["memory"] is None


@pytest.mark.parametrize(
    ("values", "read", "share"), [(0, 0, None), (128, 112, 0.125), (64, 0, 1), (3, 1, 0.666667)]
)
def test_the_share_of_windows_that_was_on_the_chip(values, read, share):
    """Of two windows of 64 values 112 values were read: 8 of each window were on the chip."""
    counters = {"window_values": values * 2, "m3_window_values": read * 2, "rows": 4}
    reported = memory_figures(
        SimpleNamespace(memories=("m_axi",), parameters={}), "ideal", counters, 2
    )
    assert (reported["window_values"], reported["m3_window_values"]) == (values, read)
    assert reported["on_chip_share"] == share


def test_counters_are_told_for_each_time_that_the_tuples_were_fed():
    """A counter that the design lacks is 0."""
    result = simulation([48, 50], streams=2).figures()
    assert result["dropped"] == {"late": 0, "overrun": 3, "nan": 0, "collision": 0}
    assert result["filtered"] == 2


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_steps_name_the_simulator_as_a_user_does(simulator):
    """The bench has other names for the simulators."""
    steps, reported = [], []

    @contextmanager
    def step(text):
        steps.append(text)
        yield reported.append

    def run(fed, *, progress, packets):
        progress(100, 1_500, 2_000)
        return fed, packets

    bench = SimpleNamespace(simulator=SIMULATORS[simulator], build=lambda: None, run=run)
    assert _run(bench, "beats", {"packets": 3}, step, simulator) == ("beats", 3)
    assert steps == ["building the model", f"simulating in {simulator}"]
    assert reported == ["1,500 of 2,000 beats"]
