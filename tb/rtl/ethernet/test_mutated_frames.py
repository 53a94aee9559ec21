"""Frames with random damage: changed bits, inserted and removed bytes, cut ends, tags anywhere."""

import random
from dataclasses import replace

import pytest
from scapy.utils import checksum

from rtl.ethernet.receive import Receive
from sim.wire.run import beats
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.received import FACE, OVERFLOWS, check, run

pytestmark = pytest.mark.hdl


def one_bit(rng, frame, at):
    return frame[:at] + bytes([frame[at] ^ 1 << rng.randrange(8)]) + frame[at + 1 :]


def meaningful_byte(rng, frame, at):
    """Returns the frame with a byte replaced by a value with a meaning somewhere: versions,
    lengths, types."""
    byte = rng.choice([0, 0xFF, 0x44, 0x45, 0x46, 0x4F, 8, 6, 17, 1])
    return frame[:at] + bytes([byte]) + frame[at + 1 :]


def cut_off(rng, frame, at):
    return frame[: rng.randrange(1, len(frame) + 1)]


def longer(rng, frame, at):
    return frame + rng.randbytes(rng.randrange(40))


def put_in(rng, frame, at):
    return frame[:at] + rng.randbytes(rng.choice([1, 2, 4, 8])) + frame[at:]


def tagged(rng, frame, at):
    return frame[:12] + b"\x81\0" + rng.randbytes(2) + frame[12:]


UNSET = {"other_sender"}  # counts only if a sender is set
MISTAKES = (one_bit, one_bit, one_bit, meaningful_byte, cut_off, longer, put_in, tagged)


def mutated(rng, frame):
    """Returns the frame with up to three mistakes, most of them in the headers."""
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randrange(min(len(frame), rng.choice([20, 40, 64, len(frame)])))
        frame = rng.choice(MISTAKES)(rng, frame, at)
    return summed(frame) if rng.random() < 0.7 else frame


def summed(frame):
    """Returns the frame with the right checksum of the IPv4 header, so that more than the header is
    checked."""
    at = 18 if frame[12:14] == b"\x81\0" else 14
    size = 4 * (frame[at] & 15) if len(frame) > at else 0
    if frame[at - 2 : at] != b"\x08\0" or not 20 <= size <= len(frame) - at:
        return frame
    head = frame[at : at + 10] + b"\0\0" + frame[at + 12 : at + size]
    sums = checksum(head).to_bytes(2, "big")
    return frame[:at] + head[:10] + sums + head[12:] + frame[at + size :]


@pytest.mark.parametrize(
    ("face", "count"),
    [
        (FACE, 800),
        pytest.param(FACE, 20_000, marks=pytest.mark.regress),
        pytest.param(replace(FACE, shortest=14), 20_000, marks=pytest.mark.regress),
        pytest.param(replace(FACE, row_bytes=12), 20_000, marks=pytest.mark.regress),
    ],
)
def test_what_becomes_of_them(wire, face, count):
    """Each frame is treated as in the model; every counter counts, or nearly every counter with few
    frames."""
    rng = random.Random(count)
    generator, frames = Frames(face, rng), []
    for _ in range(count):
        frame, bad_fcs, _ = generator.one(bad=0.2)
        frames.append((mutated(rng, frame), bad_fcs))
    size = len(beats([frame for frame, _ in frames]))
    gaps = [rng.randrange(3) if rng.random() < 0.2 else 0 for _ in range(size)]
    fed, outcome = run(wire, face, frames, gaps)
    counts = check(fed, outcome, face, frames)
    missing = {counter.name for counter in Receive.counters} - set(counts) - OVERFLOWS - UNSET
    assert len(missing) <= (2 if count < 20_000 else 0)
