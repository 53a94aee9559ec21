"""gen.feed and the figures of a simulation: packets become the rows of windows."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from amaranth.hdl import signed, unsigned

from gen import feed
from gen.simulation import Simulation
from golden.answer import row_types
from golden.tuples import Tuples
from query.parser import parse
from rtl.bus.packing import Packing
from tb.harness.beats import Beats, pack_fields
from tb.harness.result import RunResult

LANES = 2
SCHEMA = "CREATE INPUT STREAM S (g uint(12), v int(8));"
QUERY = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S [ROWS 4 SLIDE 2] GROUP BY g;")
WINDOWS = [[(7, -3, 1), (9, 2, 3)], [(9, 2, 4)], [(1, 0, 1), (2, -1, 2), (4000, -128, 1)]]


def engine(query=QUERY, functions=()):
    """As much of an engine's parameters as the feed looks at."""
    shapes = (signed(8), unsigned(3))
    names = (("result", signed(8)),) if functions else (("min(v)", shapes[0]), ("n", shapes[1]))
    return SimpleNamespace(
        query=query,
        lanes=LANES,
        functions=functions,
        distinct=(),
        input_fields=(("g", unsigned(12)), ("v", signed(8))),
        row_fields=(("g", unsigned(12)), *names),
        result_shapes=shapes,
    )


def beats(parameters, packets):
    packing = Packing(parameters.row_fields)
    columns = [[list(column) for column in zip(*packet, strict=True)] for packet in packets]
    return Beats.from_streams([pack_fields(c, packing.fields) for c in columns], LANES)


def expected(windows):
    rows = [(j, *row) for j, window in enumerate(windows) for row in window]
    kinds = row_types(QUERY)
    columns = zip(*rows, strict=True) if rows else [[]] * len(kinds)
    return pa.table(
        [pa.array(c, k) for c, (_, k) in zip(columns, kinds, strict=True)], pa.schema(kinds)
    )


def test_a_packet_is_a_window():
    assert feed.rows(engine(), beats(engine(), WINDOWS)).equals(expected(WINDOWS))
    assert feed.packets(engine(), expected(WINDOWS)) == 3


def test_no_window_was_filled():
    none = beats(engine(), WINDOWS)[:0]
    assert feed.rows(engine(), none).equals(expected([]))
    assert feed.packets(engine(), expected([])) == 0


def test_without_a_window_there_is_always_one_packet():
    query = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S GROUP BY g;")
    assert feed.packets(engine(query), expected([])) == 1


SELECTED = [[(g, least) for g, least, _ in w] for w in WINDOWS]
SELECTED += [[(g, count) for g, _, count in w] for w in WINDOWS]


def test_selected_results_are_joined():
    parameters = engine(functions=("min(v)", "count(*)"))
    assert feed.rows(parameters, beats(parameters, SELECTED)).equals(expected(WINDOWS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p[:-1], "packets must be a multiple of the 2 streams, not 5"),
        (lambda p: [*p[:3], p[3][:1], [*p[3][1:], *p[4]], p[5]], "windows must be the same"),
        (lambda p: [*p[:5], [(1, 0), (3, 0), (4000, 0)]], "groups must be the same"),
    ],
)
def test_selected_results_that_do_not_fit_together(change, message):
    parameters = engine(functions=("min(v)", "count(*)"))
    with pytest.raises(ValueError, match=message):
        feed.rows(parameters, beats(parameters, change(SELECTED)))


def test_tuples_of_windows_stay_in_their_order():
    table = pa.table({"g": [3, 1, 2, 1, 3], "v": [1, -2, 3, -4, 5]})
    fed = feed.beats(engine(), Tuples(QUERY.schema, table))
    (stream,) = fed.streams(3)
    assert stream[:, 0].tolist() == [3, 1, 2, 1, 3]
    assert stream[:, 2].view(np.int8).tolist() == [1, -2, 3, -4, 5]


def simulation(taken, last, *, streams=1, packets, slide=8):
    count = len(taken)
    empty = np.zeros((count, 1), np.uint8)
    result = RunResult(
        beats=Beats(empty, empty.astype(bool), np.array(last, bool)),
        taken=np.array(taken, np.int64),
        cycles=1000,
        input_stalled=0,
        output_stalled=0,
        first_input=0,
        last_input=900,
        first_output=taken[0] if taken else None,
        last_output=taken[-1] if taken else None,
        seconds=1.0,
    )
    rows = expected([])
    return Simulation(
        run=result,
        streams=streams,
        packets=packets,
        slide=slide,
        tuples=40,
        rows=rows,
        expected=rows,
        counters=dict.fromkeys(("late", "overrun", "nan", "collision", "filtered"), 0),
        problems=(),
        mismatches=0,
    )


def test_the_sustained_rate_is_from_the_first_windows_end_to_the_last():
    """Windows end at 50, 60 and 90: two slides of 8 tuples in 40 cycles."""
    taken, last = [48, 50, 60, 89, 90], [0, 1, 1, 0, 1]
    found = simulation(taken, last, packets=3).figures()
    assert found["sustained_tuples_per_cycle"] == 16 / 40
    assert found["first_result_cycles"] == 48
    twice = simulation(
        [*taken, *(900 + 2 * t for t in taken)], [*last, *last], streams=2, packets=3
    )
    assert twice.sustained == 32 / 120


def test_no_sustained_rate():
    for taken, last, packets, slide in (
        ([48, 50], [0, 1], 1, 8),
        ([], [], 0, 8),
        ([48, 50], [0, 1], 2, 8),
        ([48, 50], [1, 1], 2, None),
    ):
        assert simulation(taken, last, packets=packets, slide=slide).sustained is None
