"""Packets become the rows of windows, and the figures of a simulation."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from amaranth.hdl import signed, unsigned

from gen import results
from gen.simulation import Simulation
from golden.answer import row_types
from query.parser import parse
from rtl.contract.packing import Packing
from tb.harness.beats import Beats, pack_fields
from tb.harness.result import RunResult

LANES = 2
SCHEMA = "CREATE INPUT STREAM S (g uint(12), v int(8));"
QUERY = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S [ROWS 4 SLIDE 2] GROUP BY g;")
WINDOWS = [[(7, -3, 1), (9, 2, 3)], [(9, 2, 4)], [(1, 0, 1), (2, -1, 2), (4000, -128, 1)]]


def engine(query=QUERY, functions=()):
    """As much of an engine's parameters as the feed looks at."""
    shapes = (signed(8), unsigned(3))
    names = (
        (("result", signed(8)),) if functions else (("min(v)", shapes[0]), ("count(*)", shapes[1]))
    )
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
    assert results.rows(engine(), beats(engine(), WINDOWS)).equals(expected(WINDOWS))
    assert results.packets(engine(), expected(WINDOWS)) == 3


def test_no_window_was_filled():
    none = beats(engine(), WINDOWS)[:0]
    assert results.rows(engine(), none).equals(expected([]))
    assert results.packets(engine(), expected([])) == 0


def test_without_a_window_there_is_always_one_packet():
    query = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S GROUP BY g;")
    assert results.packets(engine(query), expected([])) == 1


SELECTED = [[(g, least) for g, least, _ in w] for w in WINDOWS]
SELECTED += [[(g, count) for g, _, count in w] for w in WINDOWS]


def test_selected_results_are_joined():
    parameters = engine(functions=("min(v)", "count(*)"))
    assert results.rows(parameters, beats(parameters, SELECTED)).equals(expected(WINDOWS))


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
        results.rows(parameters, beats(parameters, change(SELECTED)))


SIX = "min(v), count(*), avg(x), max(f), sum(v), min(u)"
OVER_TIME = parse(
    "CREATE INPUT STREAM S (t uint(64), v int(8), x fixed(4,4), f float, u uint(64)); "
    f"SELECT {SIX} FROM S [RANGE 10 SLIDE 5 WATTR t SLACK 3];"
)
OVER_ROWS = parse(str(OVER_TIME.schema) + f" SELECT {SIX} FROM S [ROWS 2 SLIDE 1];")


def ungrouped(query, timed):
    """As much of the parameters of an engine with a row for each window."""
    end = (("window_end", signed(66)),) if timed else ()
    fields = []
    shapes = (signed(8), unsigned(33), signed(8), unsigned(32), signed(41), unsigned(64))
    for item, shape in zip(query.items, shapes, strict=True):
        null = item.name not in ("count(*)", "sum(v)")
        fields += [(f"valid({item.name})", unsigned(1))] if timed and null else []
        fields.append((item.name, shape))
    return SimpleNamespace(query=query, lanes=1, functions=(), row_fields=(*end, *fields))


HALF = 0x3F000000  # 0.5 as binary32
ALL_ONES = (1 << 64) - 1
WINDOW_ROWS = [
    (-5, 1, -128, 7, 1, -3, 1, HALF, -1000, 1, ALL_ONES),
    (0, 0, 99, 0, 0, 55, 0, HALF, 0, 0, 1),  # an empty window: what stands there is no value
    (1 << 64, 1, 127, (1 << 33) - 1, 1, 0, 1, 1 << 31, 1 << 39, 1, 0),
]


def one_lane(parameters, packets):
    packing = Packing(parameters.row_fields)
    columns = [[list(column) for column in zip(*packet, strict=True)] for packet in packets]
    return Beats.from_streams([pack_fields(c, packing.fields) for c in columns], 1)


def test_each_packet_of_one_row_is_a_window_of_time():
    parameters = ungrouped(OVER_TIME, timed=True)
    found = results.rows(parameters, one_lane(parameters, [[row] for row in WINDOW_ROWS]))
    assert found.schema == pa.schema(row_types(OVER_TIME))
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        (0, -5, -128, 7, -3, 0.5, -1000, ALL_ONES),
        (1, 0, None, 0, None, None, 0, None),
        (2, 1 << 64, 127, (1 << 33) - 1, 0, -0.0, 1 << 39, 0),
    ]
    assert str(found["max(f)"][2]) == "-0.0"
    assert results.packets(parameters, found) == 3


def test_windows_of_rows_have_neither_end_nor_null():
    parameters = ungrouped(OVER_ROWS, timed=False)
    packets = [[tuple(row[k] for k in (2, 3, 5, 7, 8, 10))] for row in WINDOW_ROWS[::2]]
    found = results.rows(parameters, one_lane(parameters, packets))
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        (0, -128, 7, -3, 0.5, -1000, ALL_ONES),
        (1, 127, (1 << 33) - 1, 0, -0.0, 1 << 39, 0),
    ]


def test_no_window_no_packet():
    parameters = ungrouped(OVER_TIME, timed=True)
    found = results.rows(parameters, one_lane(parameters, [[WINDOW_ROWS[0]]])[:0])
    assert (found.num_rows, found.schema) == (0, pa.schema(row_types(OVER_TIME)))
    assert results.packets(parameters, found) == 0


def test_an_end_that_no_time_can_be():
    query = parse(
        "CREATE INPUT STREAM S (t int(64)); SELECT count(*) FROM S [RANGE 1 SLIDE 1 WATTR t];"
    )
    fields = (("window_end", signed(66)), ("count(*)", unsigned(32)))
    parameters = SimpleNamespace(query=query, lanes=1, functions=(), row_fields=fields)
    with pytest.raises(ValueError, match="window_end must fit int64"):
        results.rows(parameters, one_lane(parameters, [[(1 << 63, 1)]]))


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
        start=None,
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
