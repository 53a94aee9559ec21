"""Compares the tuples that the engine holds in front of a slow memory with the prediction."""

from dataclasses import replace

import numpy as np
import pytest

from gen.prediction.key_streams import key_stream
from rtl.keyed.dram.dram_model import DRAMS, Ideal
from sim.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_values import windows_of

#: Cycles from an address to the first beat. A window takes hundreds of cycles, so the tuples that
#: the engine holds determine its latency.
ANSWER = 3000
KEYS, SIZE, TUPLES = 32, 64, 300

pytestmark = [pytest.mark.hdl, pytest.mark.in_turn]


@pytest.mark.parametrize(
    "options",
    [{}, {"ports": 1}, {"memory": "dram-only"}, {"m2_lines": 2}, {"m2_kind": "external"}],
    ids=str,
)
def test_the_latency_is_that_of_the_tuples_inside(options, monkeypatch):
    """A window after each tuple: all queues before the memory are full of tuples."""
    options = {"entries": 2 * KEYS, "ports": 4} | options
    if options.get("m2_kind"):
        options["m2_lines"] = 2
    design = point(SIZE, 1, "int(64)", "max(x)", "uint(32)", **options)
    rng = np.random.default_rng(1)
    first = rng.permutation(np.repeat(np.arange(KEYS), SIZE))
    keys = np.concatenate([first, rng.integers(0, KEYS, TUPLES)])
    values = rng.integers(0, 1000, len(keys))
    events = [{"k": k, "x": x, "y": 0} for k, x in zip(keys.tolist(), values.tolist(), strict=True)]
    settings = design.settings.values | {"size": SIZE, "slide": 1}
    memory = Memory(latency=ANSWER)
    run = shipped(design).run([events], [settings], memory=memory, idle_timeout=20 * ANSWER)
    assert run.errors == set()
    (into,) = run.outcome.inputs.values()
    closers, _ = windows_of(keys, values, SIZE, 1, False)
    rows = np.array(run.outcome.outputs["m_axis"].beat_cycles[: len(closers)])
    waited = rows - np.array(into.beat_cycles)[closers]
    monkeypatch.setitem(DRAMS, "slow", Ideal(answer=ANSWER))
    stream = key_stream(design, {"k": keys, "x": values}, np.ones(len(keys), bool), None)
    stream = replace(stream, measured_from=len(first) + TUPLES // 3)
    predicted = design.predict(size=SIZE, slide=1, dram="slow", stream=stream)
    measured = np.median(waited[closers >= stream.measured_from])
    assert predicted.latencies[1].cycles == pytest.approx(measured, rel=0.02)
