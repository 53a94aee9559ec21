"""Checks that the arbiter of frames passes complete frames, from its sources in turn."""

import random

import pytest

from rtl.ethernet.frame_arbiter import FrameArbiter
from tb.bench.unit import run_streams


@pytest.mark.parametrize("ways", [2, 3])
def test_arbiter(ways):
    """Frames are complete and in the order of their source.

    Sources that always offer a frame take turns, without a gap between two frames.
    """
    rng = random.Random(ways)
    inputs = {f"i{k}": [] for k in range(ways)}
    for name, beats_ in inputs.items():
        for frame in range(30):
            size = rng.randrange(1, 5)
            tag = int(name[1:]) << 16 | frame << 8
            beats_ += [{"data": tag | k, "keep": 255, "last": k == size - 1} for k in range(size)]
    count = sum(map(len, inputs.values()))
    run = run_streams(FrameArbiter(ways), inputs, {"o": count}, stall_in=0.2, stall_out=0.2)
    frames, frame = [], []
    for beat in run["o"].payloads:
        frame.append(beat)
        if beat["last"]:
            frames.append(frame)
            frame = []
    assert frame == []
    for k in range(ways):
        from_source = [beat for frame in frames if frame[0]["data"] >> 16 == k for beat in frame]
        assert from_source == inputs[f"i{k}"]
    full = run_streams(FrameArbiter(ways), inputs, {"o": count})["o"]
    turns = [beat["data"] >> 16 for beat in full.payloads if beat["data"] & 0xFF == 0]
    assert turns == [*range(1, ways), 0] * 30
    # The first piece waits for a cycle. The last frame is offered before the frame before ends.
    assert full.cycles == [FrameArbiter.latency + k for k in range(count)]


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^ways must be an integer of at least 2, not 1$"):
        FrameArbiter(1)
