"""Lines of windows of time: the items that are in a slide of the window or a later one."""

import random

import pytest
from amaranth.lib import data

from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.time_lines import TimeLines
from rtl.keyed.windows.key_times import KeyTimes
from tb.bench.unit import run_streams

TIMES = KeyTimes(time=10, overlap=4, places=32, items=4, numbers=6)
PLAN = LinePlan(item=TIMES.stamped(16), items=4, word_items=2)
TOLD = data.StructLayout({"window": 6, "more": 3})


def slides_of(rng, window):
    """Slides of what may be read for a window: up to 3 * 4 before it, and less than 4 behind."""
    return [max(0, window + rng.randint(-12, 3)) for _ in range(rng.randint(1, 13))]


@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.5)])
def test_windows_have_the_items_of_their_slides(stalls):
    rng = random.Random(str(stalls))
    windows, lines, wanted = [], [], []
    for more in range(120):
        window, before = rng.randrange(200), rng.randrange(4)
        slides = slides_of(rng, window)
        items = [(rng.randrange(1 << 16), slide) for slide in [window] * before + slides]
        stamped = [{"item": item, "stamp": slide % 16} for item, slide in items]
        # Of the first line some are not read, and the last is one to which more may come.
        *full, tail = [stamped[k : k + 4] for k in range(0, len(items) + 1, 4)]
        told = {"window": window % 64, "more": more % 8}
        rubbish = [{"item": 9, "stamp": window % 16}] * (4 - len(tail))
        windows.append(
            {"alone": int(not full), "tail": tail + rubbish, "first": before, "until": len(tail)}
            | {"empty": 0, "passenger": told}
        )
        if not full and before >= len(tail):
            windows.pop()
            continue
        for k, line in enumerate(full):
            bits = sum((i["item"] | i["stamp"] << 16) << 128 * n for n, i in enumerate(line))
            marks = {"first": int(not k), "last": int(k + 1 == len(full))}
            lines.append({"data": bits, "error": more % 3 == 0, **marks})
        kept = [item for item, slide in items[before:] if slide >= window]
        wanted.append((kept, told, bool(full) and more % 3 == 0))
    run = run_streams(
        TimeLines(TIMES, PLAN, TOLD),
        {"windows": windows, "lines": lines},
        {"o": len(windows) + len(lines)},
        stall_in=stalls[0],
        stall_out=stalls[1],
    )
    got, found = [], []
    for beat in run["o"].payloads:
        found += [beat["tuples"][k] for k in range(4) if beat["valid"] >> k & 1]
        if beat["last"]:
            carried = beat["passenger"]
            got.append((found, carried["passenger"], bool(carried["error"])))
            found = []
    assert got == wanted
    if stalls == (0, 0):
        assert run["o"].cycles == [TimeLines.latency + k for k in range(len(run["o"]))]
