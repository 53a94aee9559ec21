"""Checks that windows are cut at their bound, against lists."""

import random

import pytest
from amaranth.lib import data

from rtl.keyed.store.blocks.bounded_lines import BoundedLines
from tb.bench.unit import run_streams


def window(rng, lanes, most):
    """Returns the lines of a window with a bound, which half of all windows exceed."""
    bound, lines, full = rng.randint(1, most), rng.randint(1, 7), (1 << lanes) - 1
    kinds = (full, full) if most > lanes else (full, 0, 0, 0, 0, 1)
    window_info = {"bound": bound, "key": rng.randrange(8)}
    return [
        {
            "tuples": [rng.getrandbits(6) for _ in range(lanes)],
            "valid": rng.choice((0, *kinds, rng.getrandbits(lanes))),
            "last": line == lines - 1,
            "passenger": {"passenger": window_info, "error": 0, "m3": rng.randrange(2)},
        }
        for line in range(lines)
    ]


def bounded(lines):
    """Returns (valid, error) of each line."""
    seen, is_wrong, result = 0, lines[-1]["passenger"]["error"], []
    for line in lines:
        count = line["valid"].bit_count()
        fits = seen + count <= line["passenger"]["passenger"]["bound"]
        seen, is_wrong = seen + count * fits, is_wrong or not fits
        result.append((line["valid"] * fits, int(is_wrong and line["last"])))
    return result


@pytest.mark.parametrize(
    ("lanes", "most", "stall"), [(4, 20, 0), (4, 20, 0.4), (16, 2, 0), (16, 4, 0), (8, 1, 0.4)]
)
def test_no_window_has_more_values_than_its_bound(lanes, most, stall):
    """Windows may be smaller than a line, which then may have more values than ``bound`` can be."""
    rng = random.Random(6)
    windows = [window(rng, lanes, most) for _ in range(120)]
    for lines in windows[::5]:
        lines[-1]["passenger"]["error"] = 1
    expected = [pair for lines in windows for pair in bounded(lines)]
    inputs = [line for lines in windows for line in lines]
    window_info = data.StructLayout({"bound": range(most + 1), "key": 3})
    dut = BoundedLines(6, lanes, window_info)
    run = run_streams(
        dut, {"i": inputs}, {"o": len(inputs)}, stall_in=stall, stall_out=stall, seed=7
    )
    cut = 0
    for actual, line, (valid, error) in zip(run["o"].payloads, inputs, expected, strict=True):
        assert (actual["valid"], actual["passenger"]["error"]) == (valid, error)
        assert (actual["tuples"], actual["last"]) == (line["tuples"], line["last"])
        assert actual["passenger"]["m3"] == line["passenger"]["m3"]
        assert dict(actual["passenger"]["passenger"]) == line["passenger"]["passenger"]
        cut += error
    assert 30 < cut < 100
    if not stall:
        assert run["o"].cycles == [cycle + 1 for cycle in run["i"].cycles]
