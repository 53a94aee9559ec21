"""Checks that each window's line from M2 follows its lines from M3, against lists."""

import random

import pytest

from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.window_parts import LineAppender
from tb.bench.unit import run_streams

PLAN = LinePlan(item=16, items=4, word_items=2)


def in_memory(line):
    """Returns the bits of a line of 64 bytes, in slots of 128 bits."""
    return sum(item << 128 * k for k, item in enumerate(line))


def marked(line, error, first, last):
    return {"data": line, "error": int(error), "first": int(first), "last": int(last)}


@pytest.mark.parametrize(
    "stalls",
    [(0, 0), (0.5, 0), (0.2, 0.6), ({"m2_lines": 0, "lines": 0.8}, 0), ({"m2_lines": 0.8}, 0.1)],
)
def test_a_line_behind_those_of_its_window(stalls):
    rng = random.Random(str(stalls))
    m2_lines, lines, expected = [], [], []
    for _ in range(200):
        read = [rng.getrandbits(512) for _ in range(rng.choice([0, 0, 1, 2, rng.randint(3, 9)]))]
        errors = [rng.random() < 0.2 for _ in read]
        line = [rng.randrange(1 << 16) for _ in range(4)]
        m2_lines.append({"line": line, "alone": int(not read)})
        both = [(*one, not k) for k, one in enumerate(zip(read, errors, strict=True))]
        lines += [marked(*one, k + 1 == len(both)) for k, one in enumerate(both)]
        expected += [marked(*one, False) for one in both]
        expected.append(marked(in_memory(line), False, not read, True))
    run = run_streams(
        LineAppender(PLAN, 4),
        {"m2_lines": m2_lines, "lines": lines},
        {"o": len(expected)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=7,
    )
    assert run["o"].payloads == expected
    if stalls == (0, 0):
        assert run["o"].cycles == list(range(1, len(expected) + 1))
        assert run["m2_lines"].cycles[0] == 0
