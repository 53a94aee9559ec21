"""Windows of more values than were told, against lists."""

import random

import pytest
from amaranth.lib import data

from rtl.keyed.store.blocks.bounded_lines import BoundedLines
from tb.bench.unit import run_streams

LANES = 4
TOLD = data.StructLayout({"bound": range(20 + 1), "key": 3})


def window(rng):
    """Lines of a window, and its bound, which one in two of them keeps."""
    bound, lines = rng.randint(1, 20), rng.randint(1, 7)
    told = {"bound": bound, "key": rng.randrange(8)}
    return [
        {
            "tuples": [rng.getrandbits(6) for _ in range(LANES)],
            "valid": rng.choice((0, 15, 15, rng.getrandbits(LANES))),
            "last": line == lines - 1,
            "passenger": {"passenger": told, "error": 0, "m3": rng.randrange(2)},
        }
        for line in range(lines)
    ]


def bounded(lines):
    """(valid, error) of each line."""
    seen, wrong, found = 0, lines[-1]["passenger"]["error"], []
    for line in lines:
        count = line["valid"].bit_count()
        fits = seen + count <= line["passenger"]["passenger"]["bound"]
        seen, wrong = seen + count * fits, wrong or not fits
        found.append((line["valid"] * fits, int(wrong and line["last"])))
    return found


@pytest.mark.parametrize("stall", [0, 0.4])
def test_no_window_has_more_values_than_its_bound(stall):
    rng = random.Random(6)
    windows = [window(rng) for _ in range(120)]
    for lines in windows[::5]:
        lines[-1]["passenger"]["error"] = 1
    wanted = [told for lines in windows for told in bounded(lines)]
    inputs = [line for lines in windows for line in lines]
    dut = BoundedLines(6, LANES, TOLD)
    run = run_streams(
        dut, {"i": inputs}, {"o": len(inputs)}, stall_in=stall, stall_out=stall, seed=7
    )
    cut = 0
    for got, line, (valid, error) in zip(run["o"].payloads, inputs, wanted, strict=True):
        assert (got["valid"], got["passenger"]["error"]) == (valid, error)
        assert (got["tuples"], got["last"]) == (line["tuples"], line["last"])
        assert got["passenger"]["m3"] == line["passenger"]["m3"]
        assert dict(got["passenger"]["passenger"]) == line["passenger"]["passenger"]
        cut += error
    assert 30 < cut < 100
    if not stall:
        assert run["o"].cycles == [cycle + 1 for cycle in run["i"].cycles]
