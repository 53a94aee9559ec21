"""Checks lines of windows of time: items of the window's slide and of later slides."""

import random

import pytest
from amaranth.lib import data

from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.time_lines import TimeLines
from rtl.keyed.windows.key_times import KeyTimes
from tb.bench.unit import run_streams

TIMES = KeyTimes(time=10, overlap=4, places=32, items=4, number_bits=6)
PLAN = LinePlan(item=TIMES.stamped(16), items=4, word_items=2)
WINDOW_INFO = data.StructLayout({"window": 6, "more": 3})


def slides_of(rng, window):
    """Returns slides that may be read for a window: up to 3 * 4 before it, less than 4 after it."""
    return [max(0, window + rng.randint(-12, 3)) for _ in range(rng.randint(1, 13))]


@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.5)])
def test_windows_have_the_items_of_their_slides(stalls):
    """With stalls, the last line of a window before its tail comes from M2, not from M3."""
    rng, last_from_m2 = random.Random(str(stalls)), stalls != (0, 0)
    windows, lines, expected, m3 = [], [], [], []
    for number in range(120):
        window, skipped = rng.randrange(200), rng.randrange(4)
        slides = slides_of(rng, window)
        items = [(rng.randrange(1 << 16), slide) for slide in [window] * skipped + slides]
        stamped = [{"item": item, "stamp": slide % 16} for item, slide in items]
        # Some items of the first line are skipped, and the last line may still grow.
        *full, tail = [stamped[k : k + 4] for k in range(0, len(items) + 1, 4)]
        window_info = {"window": window % 64, "more": number % 8}
        rubbish = [{"item": 9, "stamp": window % 16}] * (4 - len(tail))
        windows.append(
            {"alone": int(not full), "tail": tail + rubbish, "first": skipped, "until": len(tail)}
            | {"empty": 0, "passenger": window_info}
        )
        if not full and skipped >= len(tail):
            windows.pop()
            continue
        for k, line in enumerate(full):
            bits = sum((i["item"] | i["stamp"] << 16) << 128 * n for n, i in enumerate(line))
            marks = {"first": int(not k), "last": int(k + 1 == len(full))}
            lines.append({"data": bits, "error": number % 3 == 0, **marks})
        values = [item for item, slide in items[skipped:] if slide >= window]
        expected.append((values, window_info, bool(full) and number % 3 == 0))
        m3_lines = max(0, len(full) - last_from_m2)
        m3 += [1] * m3_lines + [0] * (len(full) + 1 - m3_lines)
    run = run_streams(
        TimeLines(TIMES, PLAN, WINDOW_INFO, last_from_m2=last_from_m2),
        {"windows": windows, "lines": lines},
        {"o": len(windows) + len(lines)},
        stall_in=stalls[0],
        stall_out=stalls[1],
    )
    actual, collected = [], []
    for beat in run["o"].payloads:
        collected += [beat["tuples"][k] for k in range(4) if beat["valid"] >> k & 1]
        if beat["last"]:
            carried = beat["passenger"]
            actual.append((collected, carried["passenger"], bool(carried["error"])))
            collected = []
    assert actual == expected
    assert [beat["passenger"]["m3"] for beat in run["o"].payloads] == m3
    if stalls == (0, 0):
        assert run["o"].cycles == [TimeLines.latency + k for k in range(len(run["o"]))]
