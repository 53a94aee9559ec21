"""Checks rings too small for windows of time: exactly the windows that do not fit are marked."""

import random

import pytest

from golden.codecs import base_delta as model
from golden.codecs.blocks import BlockWriter
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from tb.rtl.keyed.key_windows_bench import MEMORIES, separate_keys
from tb.rtl.keyed.small_rings import with_small_rings
from tb.rtl.keyed.time_bench import Answer, TimeBench, plan_of

REGRESS = pytest.mark.regress
RANGE, SLIDE = 6, 2


def marks_of(plan, tuples):
    """Returns whether each window must be marked: its values are in more blocks than are retained.

    The tuples are in order of time. A window with values from block b on needs the closed blocks
    from b to the one before the growing block, at the tuple that closes the window. Marks of the
    table are exact here, so no window is read from before its first value.
    """
    retained, keys, marks = plan.store.ring.blocks - 1, {}, []
    for key, time, value in tuples:
        writer, slides, blocks, closed = keys.setdefault(
            key, (BlockWriter(model.BaseDelta(32), plan.store.ring.format.stamp_bits), [], [], [0])
        )
        first = max(0, (time - RANGE) // SLIDE + 1)
        for window in range(closed[0], first):
            members = [k for k, slide in enumerate(slides) if slide >= window]
            if members:
                marks.append(blocks[-1] - blocks[members[0]] > retained)
        closed[0] = max(closed[0], first)
        full = writer.take(value % (1 << 32), time // SLIDE) is not None
        blocks.append((blocks[-1] if blocks else 0) + full)
        slides.append(time // SLIDE)
    return [*marks, False]


def tuples_of(rng, keys):
    """Returns tuples of three keys, mostly of two; the first key has noise for a while."""
    tuples, time, value = [], 0, 0
    for k in range(600):
        key = rng.choice(keys[:2]) if rng.random() < 0.9 else keys[2]
        time += rng.random() < 0.05
        value = (value + rng.randint(0, 9)) % (1 << 30)
        noisy = key == keys[0] and 100 <= k < 400
        tuples.append((key, time, rng.getrandbits(31) if noisy else value))
    return tuples


@pytest.mark.parametrize(
    ("memory", "blocks", "ports"),
    [("restless", 5, 1), ("late", 4, 1), ("quick", 6, 2)],
)
@REGRESS
def test_windows_that_do_not_fit_are_marked(memory, blocks, ports):
    rng = random.Random(memory)
    plan = plan_of(codec=BaseDelta(32), time=10, ring_lines=64, ports=ports, items=4)
    plan = with_small_rings(plan, blocks)
    tuples = tuples_of(rng, separate_keys(plan, 3))
    streams = [({"range": RANGE, "slide": SLIDE, "start": 0}, tuples)]
    answer, marks = Answer(plan, streams), marks_of(plan, tuples)
    bench = TimeBench(plan, memory, **MEMORIES[memory]).run(streams, len(answer.windows))
    assert (answer.late, answer.overrun) == (0, 0)
    assert [bool(w and w[3]) for w in bench.windows] == marks
    assert any(marks)
    assert not all(marks[:-1])
    for actual, expected, is_marked in zip(bench.windows, answer.windows, marks, strict=True):
        assert is_marked or (actual and actual[:3]) == expected
        assert (actual and actual[:2]) == (expected and expected[:2])
    assert bench.overflowed == marks
