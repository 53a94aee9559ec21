"""Checks windows of few values in long blocks, of which a window needs only the last values."""

import pytest

from tb.rtl.engine.key_bench import Stream, point
from tb.rtl.engine.streamzip.row_points import check

REGRESS = pytest.mark.regress


@pytest.mark.hdl
@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("codec", "size", "value"),
    [
        ("xor", 1, "int(24)"),
        pytest.param("xor", 2, "int(24)", marks=REGRESS),
        pytest.param("grid", 1, "uint(32)", marks=REGRESS),
        pytest.param("sz", 1, "double", marks=REGRESS),
        pytest.param("base-delta", 1, "int(24)", marks=REGRESS),
    ],
)
def test_windows_of_few_values(codec, size, value):
    """A block has up to 511 equal values, so a window of 1 value may lie 510 values behind the
    first value of its block."""
    decoders = {} if codec == "base-delta" else {"decoders": 1}
    design = point(size, 1, value, "max(x), count(*)", window_max=size, codec=codec, **decoders)
    events = [{"k": 3 if number % 7 else 5, "x": 1234, "y": 0} for number in range(1400)]
    run, answers = check(design, [Stream(size=size, slide=1, events=events)])
    assert answers.tally["rows"] == 1400 - 2 * (size - 1)
    assert run.counters["overrun"] == 0
