"""Checks sums in ones' complement: by hand, and of random frames against scapy."""

import random

import pytest
from scapy.utils import checksum

from rtl.ethernet.ones_sum import OnesSum
from tb.bench.unit import run_streams
from tb.rtl.ethernet.pins import pieces


def sums(frames, stall=0.0):
    """Returns the sum of each frame, as two bytes; ``stall`` is the probability of a gap."""
    sent = [
        {name: piece[name] for name in ("data", "first", "last")}
        for frame in frames
        for piece in pieces(frame)
    ]
    run = run_streams(OnesSum(), {"i": sent}, {"o": len(frames)}, stall_in=stall)
    last = [k for k, piece in enumerate(sent) if piece["last"]]
    assert [o - run["i"].cycles[k] for k, o in zip(last, run["o"].cycles, strict=True)] == [
        OnesSum.latency
    ] * len(frames)
    return [sum_.to_bytes(2, "little") for sum_ in run["o"].payloads]


def test_a_sum_by_hand():
    """The first is in RFC 1071: 0001 + f203 + f4f5 + f6f7 = 2ddf0, and ddf0 + 2 = ddf2.

    In the second, lower bytes first, ffff + ffff + 0001 = 1ffff; ffff + 1 = 10000; 0000 + 1 = 0001.
    """
    frames = [bytes.fromhex(text) for text in ("0001f203f4f5f6f7", "ffffffff0100")]
    assert sums(frames) == [bytes.fromhex("ddf2"), bytes.fromhex("0100")]


@pytest.mark.in_turn(5)
def test_a_sum_of_the_longest_frame():
    """32,767 words ffff and one word 00ff: 7ffe8001 + ff = 7ffe8100.

    The first fold is 8100 + 7ffe = 100fe, the second fold is 00fe + 1 = 00ff.
    """
    frame = b"\xff" * 65535
    assert sums([frame[:-1], frame, b"\1"]) == [b"\xff\xff", b"\xff\0", b"\1\0"]


def compare_with_scapy(stall):
    rng = random.Random(1)
    frames = [rng.randbytes(rng.randrange(1, 60)) for _ in range(100)] + [b"\xff" * 3000]
    assert [int.from_bytes(s, "big") ^ 0xFFFF for s in sums(frames, stall)] == [
        checksum(frame) for frame in frames
    ]


def test_sums_one_behind_the_other():
    compare_with_scapy(stall=0.0)


def test_gaps_between_pieces_add_nothing():
    compare_with_scapy(stall=0.5)
