"""Checks the group-by engine with wide beats and long streams, and its growth with the lanes."""

import math
import random
import time

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from gen.verilog.shipped_verilog import convert
from golden.readers import read
from query.parser import load, parse
from rtl.bus.top import AxiTop
from rtl.engine import ENGINES
from tb.golden.data_files import shared
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.group_bench import AGGREGATES, point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = [pytest.mark.hdl, pytest.mark.regress]


@pytest.mark.parametrize("results", ["all", "select"])
@pytest.mark.parametrize("lanes", [32, 64])
def test_wide_beats(lanes, results):
    select = "min(x), sum(x), count(distinct x), count(*)"
    design = point("uint(9)", "int(7)", select, lanes=lanes, results=results)
    rng = random.Random(lanes)
    streams = streams_of(design, rng, [0, 1, lanes, 3 * lanes + 1, 500, 7])
    expected = [group_rows(design.query, stream) for stream in streams]
    if results == "select":
        expected = [[(row[0], row[1]) for row in rows] for rows in expected]
    for stalls in ({}, HALF):
        assert shipped(design).run(streams, seed=lanes, **stalls).packets == expected


def test_a_million_tuples_of_every_kind_of_group():
    design = point("uint(20)", "int(32)", AGGREGATES, lanes=4)
    rng = random.Random(4)
    groups = sorted(int(rng.paretovariate(0.2)) % (1 << 20) for _ in range(1_000_000))
    pairs = sorted((group, rng.randrange(-9, 9)) for group in groups)
    stream = [{"g": group, "x": value} for group, value in pairs]
    run = shipped(design).run([stream, stream[:9]])
    assert run.packets == [group_rows(design.query, part) for part in (stream, stream[:9])]
    assert run.outcome.input_stalled == 0


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_real_trace_in_both_simulators(request, simulator):
    root = request.config.rootpath
    path = shared("google_cluster_task_events.txt.gz")
    query = load(root / "examples" / "cluster_groupby.cql")
    table = read(path, query, "google-task-events").table.slice(0, 4_000)
    names = [column.name for column in query.columns]
    columns = [table[name].to_pylist() for name in names]
    stream = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    stream.sort(key=lambda t: (t["job"], t["cpu"]))
    run = shipped(ENGINES["group-by"](query=query), simulator).run([stream], **HALF)
    assert run.packets == [group_rows(query, stream)]


def test_verilog_of_64_lanes_within_a_minute():
    query = parse(
        "CREATE INPUT STREAM S (g uint(32), x int(32));"
        "SELECT g, min(x), max(x), sum(x), count(*), count(distinct x) FROM S GROUP BY g"
    )
    start = time.process_time()
    convert(AxiTop(ENGINES["group-by"](query=query, lanes=64)), "wide")
    assert time.process_time() - start < 60


def test_area_grows_no_faster_than_p_log_p(request):
    """LUT and FF over P log2 P never grow by more than 2 percent, the noise of the mapper."""
    query = load(request.config.rootpath / "examples" / "cluster_groupby.cql")
    previous = {"lut": math.inf, "ff": math.inf}
    for lanes in (2, 4, 8, 16, 32, 64):
        design = ENGINES["group-by"](query=query, lanes=lanes, results="select")
        figures = synthesise(core_rtlil(design, ".cache"), "xcup", ".cache")
        share = {name: getattr(figures, name) / (lanes * math.log2(lanes)) for name in previous}
        for name, value in share.items():
            assert value <= 1.02 * previous[name]
        previous = share
