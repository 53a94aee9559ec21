"""The line to frames: COBS of the package cobs, cut blocks, noise, bytes with errors."""

import random

import pytest
from cobs import cobs

from rtl.serial.cobs_decoder import CobsDecoder
from tb.bench.unit import run_stream
from tb.rtl.serial.lines import SPECIAL_FRAMES, frame


def decoded(line, errors=(), stall=0.0):
    """Returns (bytes, bad) of each frame; ``errors`` are the places of bytes with an error."""
    items = [{"data": byte, "error": k in errors} for k, byte in enumerate(line)]
    cycles = 50 + int(len(items) * (1.2 / (1 - stall) ** 2 if stall else 1))
    options = {"stall_in": stall, "stall_out": stall, "max_cycles": cycles}
    run = run_stream(CobsDecoder(), items, **options)
    frames, current = [], bytearray()
    for item in run.payloads:
        if item["end"]:
            frames.append((bytes(current), bool(item["bad"])))
            current = bytearray()
        else:
            current.append(item["data"])
    assert not current
    return frames


def line_of(frames):
    return b"".join(b"\0" + cobs.encode(body) + b"\0" for body in frames)


def test_the_example_by_hand():
    assert decoded(bytes.fromhex("00031122023300")) == [(bytes.fromhex("11220033"), False)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_good_frames(stall):
    rng = random.Random(3)
    frames = [*SPECIAL_FRAMES, *(frame(rng, rng.randrange(1, 300)) for _ in range(6))]
    assert decoded(line_of(frames), stall=stall) == [(body, False) for body in frames]


def test_one_zero_between_frames_is_enough():
    frames = [b"abc", b"\0", b"d"]
    line = b"\0" + b"\0".join(cobs.encode(body) for body in frames) + b"\0"
    assert decoded(line) == [(body, False) for body in frames]


def test_bytes_before_the_first_zero_are_ignored():
    line = cobs.encode(b"rest of a frame") + line_of([b"next"])
    assert decoded(line) == [(b"next", False)]


def test_a_damaged_zero_before_the_first_frame_is_no_end():
    """For instance a break on the line in the middle of a frame, after a reset."""
    line = b"\0" + cobs.encode(b"rest") + line_of([b"next"])
    assert decoded(line, {0}) == [(b"next", False)]


def test_a_cut_block_is_bad():
    assert decoded(b"\0\5ab\0" + line_of([b"next"])) == [(b"ab", True), (b"next", False)]
    assert decoded(b"\0\5\0\0" + line_of([b"next"])) == [(b"", True), (b"next", False)]


@pytest.mark.parametrize(
    ("place", "remainder"),
    [(1, b"\4efg"), (2, b"\4\0fg"), (3, b"d\0fg"), (6, b"d\0ef"), (7, b"d\0efg")],
)
@pytest.mark.parametrize("stall", [0.0, 0.3])
def test_a_byte_with_an_error_damages_its_frame_only(place, remainder, stall):
    """The byte is a code, another byte or the end of a frame between two others.

    Its place in the line is ignored, so the decoder takes the next byte in its place.
    """
    first, second, third = (line_of([body]) for body in (b"abc", b"d\0efg", b"hi"))
    frames = decoded(first + second + third, {len(first) + place}, stall)
    assert frames == [(b"abc", False), (remainder, True), (b"hi", False)]


def test_noise_between_frames():
    """Noise ends at the 0 before the next frame, which is good."""
    line = line_of([b"one"]) + b"\x81\x7e" + line_of([b"two"])
    assert decoded(line) == [(b"one", False), (b"\x7e", True), (b"two", False)]
    error = len(line_of([b"one"]))
    assert decoded(line, {error, error + 1}) == [(b"one", False), (b"", True), (b"two", False)]


def test_a_lost_zero_joins_two_frames():
    line = b"\0" + cobs.encode(b"one") + cobs.encode(b"two") + b"\0" + line_of([b"three"])
    assert decoded(line) == [(b"one\0two", False), (b"three", False)]
