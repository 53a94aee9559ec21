"""The figures in docs are what is predicted now, and what was measured is near that."""

import pytest

from tb.figures.figure import FOLDER, figures
from tb.figures.figure18 import DESIGNS, WINDOWS
from tb.figures.figure18 import FIGURE as FIGURE18
from tb.figures.key_rates import KeyRates

NEAR = 0.1
RATES = [name for name, figure in figures().items() if isinstance(figure, KeyRates)]
TEXTS = ("WA (tuples)", "throughput (MT/s)", "latency (microseconds)", "seed 000: line rate")
RATIO_TEXTS = ("WS (tuples)", "compression ratio", "made, of windows", "seed 000")
GAIN_TEXTS = ("gain over dram-only, WA = 1", "throughput (MT/s)", "xor, measured", "up to 5.7")


@pytest.mark.parametrize("name", figures())
def test_what_is_kept_is_what_is_predicted(name):
    """If it is meant to differ: `make figures`."""
    kept, told = figures()[name].kept(), figures()[name].predicted()
    assert [
        {column: row[column] for column in new} for row, new in zip(kept, told, strict=True)
    ] == told


@pytest.mark.parametrize("name", RATES)
def test_what_is_measured_is_near(name):
    """Of rates; each curve has at least four points, the ends among them."""
    measured = [row for row in figures()[name].kept() if row["measured MT/s"]]
    assert [
        row for row in measured if abs(row["measured MT/s"] / row["predicted MT/s"] - 1) > NEAR
    ] == []
    curves = {}
    for row in measured:
        curves.setdefault((row["memory"], row["ws"]), []).append(row["wa"])
    assert len(curves) == 4
    for (_, ws), slides in curves.items():
        assert len(slides) >= 4
        assert (slides[0], slides[-1]) == (1, ws)


def test_what_is_measured_of_gains_is_near():
    """Each design's rate; and the best gain of each codec is at least the seed's."""
    rows = [row for row in FIGURE18.kept() if row["measured MT/s"]]
    assert [
        row for row in rows if abs(row["measured MT/s"] / row["predicted MT/s"] - 1) > NEAR
    ] == []
    found = {(row["design"], row["ws"], row["wa"]): row["measured MT/s"] for row in rows}
    assert len(found) == len(rows) == 3 * len(DESIGNS) * len(WINDOWS)
    for name, (*_, seed, _) in DESIGNS.items():
        gains = [found[name, ws, 1] / found["dram-only", ws, 1] for ws in WINDOWS]
        assert max(gains) >= (seed or 1)


@pytest.mark.parametrize("name", figures())
def test_pictures_are_drawn_the_same_each_time(name, tmp_path):
    figure, drawn = figures()[name], []
    for _ in range(2):
        figure.draw(figure.kept(), tmp_path)
        drawn.append((tmp_path / f"{name}.svg").read_bytes())
    assert drawn[0] == drawn[1]
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    for text in {"ratios": RATIO_TEXTS, "figure18": GAIN_TEXTS}.get(name, TEXTS):
        assert text in kept
        assert text in drawn[0].decode()
