"""The delay of a stream: order and cycles."""

import pytest

from rtl.ethernet.delay import Delay
from tb.bench.unit import run_streams


def test_delay():
    run = run_streams(Delay(8, 3), {"i": list(range(50))}, {"o": 50}, stall_in=0.5)
    assert run["o"].payloads == list(range(50))
    assert [o - i for o, i in zip(run["o"].cycles, run["i"].cycles, strict=True)] == [3] * 50


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^cycles must be an integer of at least 1, not 0$"):
        Delay(8, 0)
