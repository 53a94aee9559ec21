"""The compiled runner, cocotb in Verilator and cocotb in Icarus agree on the engine."""

import random

import numpy as np
import pytest

from tb.harness.simulators import cocotb_run
from tb.rtl.engine.bench import CACHE, HALF, design, point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = pytest.mark.hdl

PARAMETERS = point("uint(6)", "int(10)", "min(x), sum(x), count(distinct x)", lanes=4)


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_beat_for_beat_and_cycle_for_cycle(simulator):
    dut = design(PARAMETERS)
    streams = streams_of(PARAMETERS, random.Random(1), [30, 0, 1, 57, 4])
    beats = dut.beats(streams)
    compiled = dut.model.run(beats).checked()
    other = cocotb_run(dut.text, dut.top.name, simulator, beats, cache_dir=CACHE).checked()
    assert other.beats.same(compiled.beats)
    lag = other.first_input - compiled.first_input
    assert np.array_equal(other.taken - lag, compiled.taken)


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_rows_under_stalls(simulator):
    dut = design(PARAMETERS)
    streams = streams_of(PARAMETERS, random.Random(2), [9, 64, 0, 23])
    reads = [dut.top.registers["tuples_low"].address]
    result = cocotb_run(
        dut.text,
        dut.top.name,
        simulator,
        dut.beats(streams),
        cache_dir=CACHE,
        reads=reads,
        seed=3,
        **HALF,
    ).checked()
    assert dut.rows(result.beats) == [group_rows(PARAMETERS.query, s) for s in streams]
    assert result.reads == (96,)
