"""The FCS equals zlib's CRC-32; wrong, cut and very short frames are bad."""

import random
import zlib

import pytest

from rtl.serial.fcs import FcsCheck, FcsWriter
from tb.bench.unit import run_stream
from tb.rtl.serial.lines import with_fcs


def some_frames(seed):
    rng = random.Random(seed)
    return [rng.randbytes(size) for size in [1, 2, 3, 4, 5, 60, 61, *range(100, 106)]]


@pytest.mark.parametrize("stall", [0, 0.4])
def test_frames_that_are_sent(stall):
    frames = some_frames(1)
    items = [{"data": b, "last": k == len(f) - 1} for f in frames for k, b in enumerate(f)]
    expected = [f + zlib.crc32(f).to_bytes(4, "little") for f in frames]
    run = run_stream(
        FcsWriter(), items, expected=sum(map(len, expected)), stall_in=stall, stall_out=stall
    )
    assert bytes(item["data"] for item in run.payloads) == b"".join(expected)
    ends = [k for k, item in enumerate(run.payloads) if item["last"]]
    assert [end + 1 for end in ends] == [
        sum(map(len, expected[: k + 1])) for k in range(len(frames))
    ]


def checked(bodies, bad=(), stall=0.0):
    """Returns (bytes, bad) of each frame; ``bad`` are the indices of frames that are bad before."""
    items = []
    for k, body in enumerate(bodies):
        items += [{"data": byte, "end": 0, "bad": 0} for byte in body]
        items.append({"data": 0x55, "end": 1, "bad": k in bad})
    cycles = 50 + int(len(items) * (1.2 / (1 - stall) ** 2 if stall else 1))
    options = {"stall_in": stall, "stall_out": stall, "max_cycles": cycles}
    frames, current = [], bytearray()
    for item in run_stream(FcsCheck(), items, **options).payloads:
        if item["end"]:
            frames.append((bytes(current), bool(item["bad"])))
            current = bytearray()
        else:
            current.append(item["data"])
    return frames


@pytest.mark.parametrize("stall", [0, 0.4])
def test_frames_that_are_received(stall):
    frames = some_frames(2)
    assert checked(map(with_fcs, frames), stall=stall) == [(frame, False) for frame in frames]


def test_each_flipped_bit_is_noticed():
    body = with_fcs(b"eight by")
    number = int.from_bytes(body, "little")
    damaged_bodies = [
        (number ^ 1 << bit).to_bytes(len(body), "little") for bit in range(8 * len(body))
    ]
    bodies = [*damaged_bodies, body]
    assert checked(bodies) == [(part[:-4], part != body) for part in bodies]


def test_short_and_bad_frames():
    """The FCS of no bytes is four zeros: a frame without a byte, which the face counts as runt."""
    bodies = [b"", b"a", b"abc", bytes(4), with_fcs(b"good"), with_fcs(b"next")]
    assert checked(bodies, bad={4}) == [
        *((b"", True) for _ in range(3)),
        (b"", False),
        (b"good", True),
        (b"next", False),
    ]
