"""Tests how a run ends: by the number of packets, and by the longest silence."""

import json
import random

import numpy as np
import pyarrow as pa
import pytest

from gen.design.network import Wire
from gen.simulate import result_rows as results
from gen.simulate.input_beats import input_beats
from gen.simulate.run import _end_conditions
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from rtl.contract.face import Face
from rtl.engine import ENGINES
from sim.beats import Beats
from sim.job import ANY, Job
from sim.outcome import Outcome, OutputStream
from tb.rtl.engine.points import DESIGNS

ROWS = pa.table({"window": [0, 0, 1, 2, 2]})


def ends(name, streams=1, **face):
    design = DESIGNS[name].with_face(Face(**face))
    return design, _end_conditions(design, streams, ROWS, None)


@pytest.mark.parametrize("face", [{"packets": "beats:2"}, {"packets": "beats:1", "bus_bits": 32}])
def test_packets_of_an_engine_that_evicts_keys_are_not_counted_before(face):
    """Their number depends on the rows, and the rows depend on later evictions."""
    design, result = ends("streamzip", **face)
    assert result["packets"] == {"m_axis_evicted": 1, "m_axis": "any"}
    _, plain = ends("streamzip")
    assert plain["packets"] == {"m_axis_evicted": 1, "m_axis": 1}
    assert result["drain"] >= plain["idle_timeout"] > plain["drain"]
    assert result["idle_timeout"] > result["drain"]
    job = Job.of(
        design.streams,
        {},
        **result,
        writes=(),
        reads=(),
        background_reads=(),
        reset=None,
        stall_input=0,
        stall_output=0,
        hold_output=0,
        seed=0,
        early=False,
        background_rate=0,
        limit=None,
        memory=None,
    )
    assert job.packets == {"m_axis": ANY, "m_axis_evicted": 1}


@pytest.mark.parametrize(
    ("name", "packets"),
    [("streamzip", {"m_axis_evicted": 1, "m_axis_tx": "any"}), ("window-id", {"m_axis_tx": "any"})],
)
def test_datagrams_are_not_counted_before(name, packets):
    """If datagrams of tuples are lost, rows are missing.

    A run that waited for the datagrams of these rows would end as a hang, after which no counter is
    read, not even the counter of lost datagrams.
    """
    design = DESIGNS[name].with_face(Face(network=True))
    wire = Wire(
        sent=(),
        beats=Beats.from_streams([np.zeros((9, 1), np.uint8)], 8),
        datagrams=7,
        design=design,
    )
    result = _end_conditions(design, 1, ROWS, wire)
    assert result["packets"] == packets


@pytest.mark.parametrize(
    ("name", "face", "packets"),
    [
        ("group-by", {}, 1),
        ("window-id", {}, 3),
        ("window-id", {"packets": "stream"}, 1),
        ("window-id", {"end_marker": True}, 4),
    ],
)
def test_packets_of_other_engines_are_counted(name, face, packets):
    """Their number follows from golden's rows, which the hardware cannot change."""
    _, result = ends(name, **face)
    assert result["packets"] == {"m_axis": packets}


def test_packets_of_every_time_that_the_tuples_are_sent_are_counted():
    _, result = ends("window-id", streams=3)
    assert result["packets"] == {"m_axis": 3 * 3}
    _, result = ends("streamzip", streams=3)
    assert result["packets"] == {"m_axis_evicted": 3, "m_axis": 3}


def test_packets_of_so_many_transfers_are_not_counted_before():
    """The last packet may be full, and an empty one may follow."""
    _, result = ends("group-by", packets="beats:3")
    assert result["packets"] == {"m_axis": "any"}


@pytest.mark.parametrize(
    ("face", "rows", "numbers"),
    [
        # Rows of streamzip are of one lane: a transfer each without a converter.
        ({"packets": "beats:3"}, 6, [2, 3]),
        ({"packets": "beats:3"}, 7, [3]),
        ({"packets": "beats:3"}, 0, [1]),
        ({"packets": "beats:1"}, 5, [5, 6]),
        ({}, 5, [1]),
    ],
)
def test_a_stream_whose_rows_fill_its_packets_may_have_one_more(face, rows, numbers):
    design = DESIGNS["streamzip"].with_face(Face(**face))
    table = pa.table({"window": [0] * rows})
    assert list(results.allowed_packet_counts(design, table)) == numbers


def test_a_search_of_percentiles_is_no_hang():
    """A search may take a pass for each bit, and more; other designs go through a window once.

    A pass through a window of 32,768 values takes 2,048 lines, and a value has 32 bits.
    """
    with_median, without = _tumbling("median(x)"), _tumbling("max(x)")
    hang = _end_conditions(with_median, 1, ROWS, None)["idle_timeout"]
    assert hang > 2 * 32 * 2048
    assert _end_conditions(without, 1, ROWS, None)["idle_timeout"] < 30_000


def _tumbling(items):
    query = parse(
        "CREATE INPUT STREAM S (k uint(6), x uint(32));"
        f"SELECT k, {items} FROM S [PARTITION BY k ROWS 32768 SLIDE 32768];"
    )
    return ENGINES["streamzip"](query=query, percentiles="pivot", entries=8, ways=1)


@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.in_turn
def test_a_run_waits_for_the_search_of_its_last_window(sluice, tmp_path):
    """The only window closes with the last tuple, and takes 15 passes of 2,048 cycles."""
    rng, query, data = random.Random(3), tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (k uint(6), x uint(32));"
        "SELECT k, median(x) FROM S [PARTITION BY k ROWS 32768 SLIDE 32768];"
    )
    data.write_text("k,x\n" + "".join(f"5,{rng.getrandbits(32)}\n" for _ in range(32768)))
    sets = [t for o in ("percentiles=pivot", "entries=8", "ways=1") for t in ("--set", o)]
    code, out, err = sluice("simulate", query, "--input", data, *sets, "--json")
    result = json.loads(out)
    assert (code, result["mismatches"], result["rows"]) == (0, 0, 1), err
    assert result["memory"]["passes"] >= 10


def test_a_number_of_packets_below_0_is_refused():
    query = parse("CREATE INPUT STREAM S (v int); SELECT sum(v) FROM S [ROWS 4 SLIDE 2];")
    design = ENGINES["two-stacks"](query=query)
    with pytest.raises(ValueError, match="packets must be at least 0, not -1"):
        Job.of(
            design.streams, {}, packets=-1, writes=(), reads=(), background_reads=(), reset=None,
            stall_input=0, stall_output=0,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "face"),
    [("swag", {}), ("window-id", {"packets": "window"}), ("two-stacks", {"packets": "window"})],
)
def test_a_network_behind_which_there_is_no_window(name, face):
    """The design sends no frame, and the answer without a row agrees."""
    design = DESIGNS[name].with_face(Face(network=True, **face))
    query = design.query
    empty = pa.table({c.name: pa.array([], arrow_type(c.type)) for c in query.columns})
    fed = input_beats(design, Tuples(query.schema, empty), 0)
    wire = Wire.of(design, fed, ROWS[:0], 1.0)
    assert wire.datagrams == 0
    assert _end_conditions(design, 1, ROWS[:0], wire)["packets"] == {"m_axis_tx": "any"}
    nothing = np.zeros((0, 8), np.uint8)
    beats = Beats(nothing, nothing.astype(bool), np.zeros(0, bool))
    stream = OutputStream(beats=beats, beat_cycles=np.zeros(0, np.int64), stalled=0)
    outcome = Outcome(inputs={}, outputs={"m_axis_tx": stream}, cycles=1)
    rows = results.rows(design, wire.received(outcome))
    assert (rows.num_rows, tuple(rows.column_names)) == (0, query.row_names)
    assert wire.miscounted({"datagrams": 1}, rows) == []
    assert wire.miscounted({"datagrams": 1, "sent": 1}, rows) == ["counter sent must be 0, not 1"]
