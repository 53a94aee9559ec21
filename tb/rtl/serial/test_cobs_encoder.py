"""Frames to the line: COBS equals the package cobs, with zeros around each frame."""

import random

import pytest
from cobs import cobs

from rtl.serial.cobs_encoder import CobsEncoder
from tb.bench.unit import run_stream
from tb.rtl.serial.lines import SPECIAL_FRAMES, frame


def items(frames):
    return [
        {"data": byte, "last": k == len(body) - 1} for body in frames for k, byte in enumerate(body)
    ]


def encoded(frames, **options):
    expected = b"".join(b"\0" + cobs.encode(body) + b"\0" for body in frames)
    run = run_stream(CobsEncoder(), items(frames), expected=len(expected), **options)
    return bytes(run.payloads), expected, run


def test_the_example_by_hand():
    line, _, _ = encoded([b"\x11\x22\x00\x33"])
    assert line == bytes.fromhex("00031122023300")


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.3)])
def test_special_frames(stalls):
    line, expected, _ = encoded(SPECIAL_FRAMES, stall_in=stalls[0], stall_out=stalls[1])
    assert line == expected


def test_random_frames():
    rng = random.Random(1)
    frames = [frame(rng, rng.choice([1, 2, 5, 60, 253, 254, 255, 600])) for _ in range(10)]
    line, expected, _ = encoded(frames, stall_in=0.1, stall_out=0.2, seed=2)
    assert line == expected


def test_cycles_of_a_frame():
    """No frame takes longer than the formula of the docstring says."""
    for body in SPECIAL_FRAMES:
        _, _, run = encoded([body])
        size, zeros = len(body), body.count(0)
        # The first 0 leaves in the cycle in which the first byte is offered.
        cycles = run.cycles[-1] - run.cycles[0] + 1
        assert cycles <= 2 * size + 2 * (size // 254 + 1) + 2 * zeros + 4
