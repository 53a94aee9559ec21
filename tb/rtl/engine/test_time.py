"""Checks the Verilog of the engines with windows of time against the plain model."""

import random

import pytest

from tb.rtl.engine.bench import HALF, joined
from tb.rtl.engine.time_bench import answer, run
from tb.rtl.engine.time_streams import ENGINES, passes_of, random_streams

pytestmark = pytest.mark.hdl


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ENGINES)
def test_streams_with_settings_of_their_own(name, seed, stalls):
    """Streams follow each other without a gap, each with its settings, and all are answered."""
    rng = random.Random(f"{name} {seed} {stalls}")
    design = ENGINES[name]
    streams = random_streams(rng, design, [0, 1, 40, 7, 120, 0, 60, 3, 200, 30])
    expected, tally = joined(answer(design, stream, passes_of(stream)) for stream in streams)
    result = run(design, streams, len(expected), seed=seed, **stalls)
    assert result.rows == expected
    assert result.tally == tally
    assert result.errors == set()
