"""Checks engines whose input may have beats with gaps, and beats without a tuple, anywhere."""

import numpy as np
import pytest

from golden.compare.tables import first_difference
from host import Engine
from query.window import Range
from sim.beats import Beats
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: Designs whose input may have gaps, and settings.
POINTS = {
    "group-by, constants": {},
    "swag, select": {"ws": 8, "wa": 4},
    "window-id": {},
    "pane": {},
    "two-stacks, constants": {"ws": 5, "wa": 2},
    "streamzip, constants": {"ws": 4, "wa": 2},
}
DAILY = {"group-by, constants", "window-id"}


def beats_with_gaps(stream, tuples, rng):
    """Returns the beats of one stream; each beat has tuples in some lanes, or in none.

    Bytes without a tuple are random. The last beat has no tuple.
    """
    lanes, size = stream.lanes, stream.bytes
    counts = []
    while sum(counts) < len(tuples):
        counts.append(min(rng.integers(0, lanes + 1), len(tuples) - sum(counts)))
    counts.append(0)
    keep = np.zeros((len(counts), lanes), np.bool_)
    for beat, count in enumerate(counts):
        keep[beat, rng.permutation(lanes)[:count]] = True
    data = rng.integers(0, 256, (len(counts), lanes, size), np.uint8)
    data[keep] = tuples
    last = np.zeros(len(counts), np.bool_)
    last[-1] = True
    return Beats(data.reshape(len(counts), -1), np.repeat(keep, size, axis=1), last)


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.3])
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in POINTS]
)
def test_rows_are_those_of_the_tuples(generated, cache, monkeypatch, name, stall):
    design, directory = generated(name)
    assert design.input.gaps
    rng = np.random.default_rng(1)
    monkeypatch.setattr(
        "sim.host_simulation.stream_beats",
        lambda stream, tuples, _=None: beats_with_gaps(stream, tuples, rng),
    )
    settings = dict(design.settings.values)
    terms = {"ws": "size", "wa": "slide"}
    settings |= {terms.get(name, name): value for name, value in POINTS[name].items()}
    with Engine.open(
        directory, "simulation", cache=cache / "bench", stall_input=stall, stall_output=stall
    ) as engine:
        for seed in range(2):
            tuples = random_tuples(design, 150, seed)
            answer = expected(design, tuples, settings, cache)
            is_selected = isinstance(design.query.window, Range) and design.query.where is not None
            start = {"start": answer.start} if is_selected else {}
            rows = engine.configure(**POINTS[name], **start).run(tuples.table, raw=True)
            assert first_difference(answer.rows, same_kinds(rows, answer.rows)) is None
            assert engine.last.tuples == len(tuples)
            assert rows.num_rows > 2
