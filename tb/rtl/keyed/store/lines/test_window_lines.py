"""Checks the data collector against windows cut out of lists."""

import random

import pytest

from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.window_lines import WindowLines
from tb.bench.unit import run_streams

PLAN = LinePlan(item=16, items=4, word_items=2)


def window_of(rng, number):
    """Returns a window of a key at any place: (command, lines of M3, items)."""
    if rng.random() < 0.1:
        rubbish = {"alone": 1, "tail": [1, 2, 3, 4], "first": 1, "until": 3}
        return rubbish | {"empty": 1, "passenger": number}, [], []
    skipped, size = rng.randrange(8), rng.choice([1, 2, 3, 4, 5, 13, rng.randint(1, 20)])
    items = [rng.randrange(1 << 16) for _ in range(skipped + size)]
    # The tail may be a line without an item.
    until = len(items)
    first_line, tail_line = skipped // 4, (until if rng.random() < 0.5 else until - 1) // 4
    lines = [items[4 * k : 4 * k + 4] for k in range(first_line, tail_line)]
    tail = items[4 * tail_line :]
    window = {
        "alone": int(not lines),
        "tail": tail + [rng.randrange(1 << 16) for _ in range(4 - len(tail))],
        "first": skipped % 4,
        "until": until - 4 * tail_line,
        "empty": 0,
        "passenger": number,
    }
    return window, lines, items[skipped:]


def in_memory(line):
    """Returns the bits of a line of 64 bytes, in slots of 128 bits, with rubbish above each
    item.
    """
    return sum((item | 0xABC << 16) << 128 * k for k, item in enumerate(line))


@pytest.mark.parametrize("last_from_m2", [False, True])
@pytest.mark.parametrize(
    "stalls", [(0, 0), (0.5, 0), (0.2, 0.6), ({"windows": 0, "lines": 0.8}, 0)]
)
def test_windows_are_put_together(stalls, last_from_m2):
    """All lines before the tail are marked as lines of M3, or all but the last of them.

    From a line whose read failed to the tail, the lines of the window have an error.
    """
    rng = random.Random(str(stalls))
    windows, lines, expected = [], [], []
    for number in range(150):
        window, read, items = window_of(rng, number)
        errors = [rng.random() < 0.05 for _ in read]
        windows.append(window)
        lines += [
            {
                "data": in_memory(line),
                "error": int(e),
                "first": int(not k),
                "last": int(k + 1 == len(read)),
            }
            for k, (line, e) in enumerate(zip(read, errors, strict=True))
        ]
        failed = [any(errors[: k + 1]) for k in range(len(read) + 1)]
        expected.append((items, failed, number))
    run = run_streams(
        WindowLines(PLAN, 8, last_from_m2=last_from_m2),
        {"windows": windows, "lines": lines},
        {"o": len(windows) + len(lines)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=7,
    )
    actual = iter(run["o"].payloads)
    for items, failed, number in expected:
        count = len(failed)
        beats = [next(actual) for _ in range(count)]
        collected = [
            beat["tuples"][k] for beat in beats for k in range(4) if beat["valid"] >> k & 1
        ]
        assert collected == items
        assert [beat["last"] for beat in beats] == [0] * (count - 1) + [1]
        read = max(0, count - 2) if last_from_m2 else count - 1
        assert [beat["passenger"]["m3"] for beat in beats] == [1] * read + [0] * (count - read)
        assert [beat["passenger"]["error"] for beat in beats] == failed
        assert {beat["passenger"]["passenger"] for beat in beats} == {number}
    if stalls == (0, 0):  # a line in every cycle, whatever the windows
        assert run["o"].cycles == list(
            range(run["o"].cycles[0], run["o"].cycles[0] + len(run["o"].cycles))
        )
