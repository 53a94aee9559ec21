"""A command that is run again elaborates, converts, compiles and synthesises nothing."""

import random
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

import numpy as np
import pytest

import gen.report.synthesis
import gen.verilog.elaboration
import gen.verilog.shipped_verilog
import golden.cache
import sim.verilator
from gen.design.build import resolve
from gen.verilog.shipped_verilog import verilog_of
from sim.beats import Beats
from sim.bench import Bench

QUERY = "CREATE INPUT STREAM S (g uint(8), v int(9)); SELECT g, min(v) FROM S GROUP BY g;"
STEPS = (  # functions that take long
    (gen.verilog.elaboration, "to_rtlil"),
    (gen.verilog.shipped_verilog, "run"),
    (gen.report.synthesis, "run"),
    (sim.verilator, "run_logged"),
    (golden.cache, "session"),
)
LIMIT = 8  # seconds of processor time for a second simulation of swag with 40,000 tuples
COLD = 60  # seconds of processor time from the Verilog of swag to a model that has run


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.hdl
def test_nothing_is_made_again(sluice, tmp_path, monkeypatch):
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(QUERY)
    data.write_text("g,v\n7,5\n9,1\n7,-3\n9,1\n")
    small = ("--lanes", 1, "--json")
    commands = (
        ("simulate", query, "--input", data, *small),
        ("generate", query, *small, "-o", tmp_path / "out", "--bench"),
        ("report", query, *small, "--target", "xcup"),
        ("report", query, *small, "--target", "xcup", "--wrapper"),
    )
    first = [sluice(*command)[0] for command in commands]
    for module, name in STEPS:
        monkeypatch.setattr(module, name, lambda *_, step=name, **__: pytest.fail(f"{step} again"))
    assert first == [sluice(*command)[0] for command in commands] == [0, 0, 0, 0]


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
def test_a_second_simulation_of_swag_is_quick(cache, examples, tmp_path):
    rng = random.Random(10)
    lines = (f"{rng.randrange(20)},{rng.getrandbits(30)}\n" for _ in range(40_000))
    data = tmp_path / "data.csv"
    data.write_text("grp,val\n" + "".join(lines))
    program = "import sys; from gen.cli import main; main(sys.argv[1:])"
    arguments = ("simulate", examples / "rows_median.toml", "--input", data, "--cache", cache)
    for _ in range(2):
        usage_before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", program, *arguments], check=True, cwd=examples.parent)
        later = getrusage(RUSAGE_CHILDREN)
    assert later.ru_utime + later.ru_stime - usage_before.ru_utime - usage_before.ru_stime < LIMIT


@pytest.mark.regress
@pytest.mark.hdl
def test_a_cold_build_of_swag(cache, examples, tmp_path):
    build = resolve(examples / "rows_median.toml")
    text, streams = verilog_of(build.design, build.name, cache), build.design.streams
    one = Beats.from_streams([np.zeros((1, streams[0].packing.bytes), np.uint8)], streams[0].lanes)
    usage_before = getrusage(RUSAGE_CHILDREN)
    bench = Bench(top=build.name, streams=streams, verilog=text, cache=tmp_path)
    assert bench.run(one, packets=0).checked().input_stalled == 0
    later = getrusage(RUSAGE_CHILDREN)
    assert later.ru_utime + later.ru_stime - usage_before.ru_utime - usage_before.ru_stime < COLD
