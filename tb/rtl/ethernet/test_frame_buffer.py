"""Checks the buffer that stores a frame until its end, and forgets bad frames."""

import random

import pytest

from rtl.ethernet.frame_buffer import FrameBuffer
from tb.bench.unit import simulate


def buffered(frames, depth, stall, seed):
    """Sends frames, pairs (items, good), to a buffer; checks ``room`` and ``fits`` in each cycle.

    An item None is a piece that stores nothing. Returns the items that leave the buffer, and for
    each frame whether it has fitted.
    """
    rng, dut = random.Random(seed), FrameBuffer(8, depth)
    sent = [
        {"item": item or 0, "store": item is not None, "last": k == len(items) - 1, "good": good}
        for items, good in frames
        for k, item in enumerate(items)
    ]
    received, fitted = [], []
    committed = written = 0  # items of good frames; the same, and items of the current frame
    lost = False  # an item of the current frame has found no room

    async def testbench(ctx):
        nonlocal committed, written, lost
        index = quiet = 0
        while quiet < 4 * depth + 20:
            offers = index < len(sent) and rng.random() < 0.9
            ctx.set(dut.i.valid, offers)
            if offers:
                ctx.set(dut.i.p, sent[index])
            ctx.set(dut.o.ready, rng.random() >= (stall if index < len(sent) else 0))
            sampled = [dut.fits, dut.o.valid, dut.o.ready, dut.o.p, dut.room]
            _, _, fits, valid, ready, item, room = await ctx.tick().sample(*sampled)
            # The item at ``o`` has left the memory.
            assert room == depth - (written - len(received) - valid)
            if offers:
                lost = lost or (sent[index]["store"] and room == 0)
                assert fits == (not lost)
                lost = lost and not sent[index]["last"]
                written += sent[index]["store"] and fits
            if offers and sent[index]["last"]:
                fitted.append(bool(fits))
                committed = written if fits and sent[index]["good"] else committed
                written = committed
            if valid and ready:
                received.append(item)
            index, quiet = index + offers, quiet + 1 if index == len(sent) else 0

    simulate(dut, testbench, streams={"o": dut.o})
    return received, fitted


def some_frames(rng, count, longest):
    """Returns random frames; a tenth of the pieces store nothing, also at the end of a frame."""
    return [
        (
            [
                rng.randrange(256) if rng.random() < 0.9 else None
                for _ in range(rng.randrange(1, longest + 1))
            ],
            rng.random() < 0.6,
        )
        for _ in range(count)
    ]


@pytest.mark.in_turn(5)
def test_a_bad_frame_leaves_nothing():
    frames = some_frames(random.Random(3), 300, 8)
    received, fitted = buffered(frames, 2048, 0.2, 3)
    assert all(fitted)
    assert received == [
        item for items, good in frames if good for item in items if item is not None
    ]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stall", [0.5, 0.7, 0.9])
def test_a_frame_comes_whole_or_not_at_all(stall):
    frames = some_frames(random.Random(4), 400, 12)
    received, fitted = buffered(frames, 16, stall, 4)
    assert len(fitted) == 400
    assert 10 < fitted.count(False) < 380
    complete = [items for (items, good), fits in zip(frames, fitted, strict=True) if good and fits]
    assert received == [item for items in complete for item in items if item is not None]


def test_as_much_as_there_is_room_for():
    """The output is stalled, so one item leaves the memory, and 17 items fit in all.

    Bad frames between the good frames leave no item.
    """
    frames = [([k] * 3, k % 2 == 0) for k in range(20)]
    received, fitted = buffered(frames, 16, 1.0, 5)
    # Five good frames are 15 items, which leaves room for two: a bad frame of three does not fit.
    assert fitted == [True] * 9 + [False] * 11
    assert received == [k for k in range(0, 10, 2) for _ in range(3)]


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^depth must be a power of two of at least 2, not 12$"):
        FrameBuffer(8, 12)
