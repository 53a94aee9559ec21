"""Checks that the operator of docs/aggregates.md sums squares."""

import random
import re
from pathlib import Path

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.network.reduction import Reduction
from tb.bench.unit import run_stream

DOCUMENT = Path(__file__).parents[3] / "docs" / "aggregates.md"


def test_the_example_sums_squares():
    (text,) = re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    names = {}
    exec(text, names)
    x, rng = signed(5), random.Random(1)
    dut = Reduction(names["SumOfSquares"]("x", x, 4), data.StructLayout({"x": x}), 2, tuples=15)
    windows = [[-16] * 15, *([rng.randrange(-16, 16) for _ in range(n)] for n in (1, 2, 7, 15))]
    lines = []
    for window in windows:
        for k in range(0, len(window), 2):
            pair = window[k : k + 2]
            tuples = [{"x": v} for v in [*pair, 7][:2]]
            last = k + 2 >= len(window)
            lines.append({"tuples": tuples, "valid": (1 << len(pair)) - 1, "last": last})
    run = run_stream(dut, lines, expected=len(windows))
    sums = [payload["state"]["value"] for payload in run.payloads]
    assert sums == [sum(v * v for v in window) for window in windows]
