"""Checks that frames without their headers begin at the first byte of a piece."""

import random

import pytest

from rtl.ethernet.realign import Realign
from tb.bench.unit import run_streams
from tb.rtl.ethernet.pins import joined, pieces


def test_realign():
    """Sends frames of any length with skipped pieces; both shifts occur, and ends without bytes.

    The end of each frame leaves 2 cycles after it came.
    """
    rng = random.Random(2)
    shifts = (6, 3)
    sent, expected = [], []
    for _ in range(200):
        frame, skip, choice = (
            rng.randbytes(rng.randrange(1, 40)),
            rng.randrange(3),
            rng.randrange(2),
        )
        pieces_ = pieces(frame, choice=choice, tag=rng.randrange(16))
        for k, piece in enumerate(pieces_):
            piece["skip"] = k < skip
        if len(pieces_) > 1 and rng.random() < 0.3:  # the end is a piece without bytes
            pieces_[-1]["last"] = False
            pieces_.append(
                {**pieces_[-1], "data": 0, "size": 0, "first": False, "last": True, "skip": 0}
            )
        sent += pieces_
        expected.append((frame[8 * skip + shifts[choice] :], pieces_[-1]["tag"]))
    for stall in (0, 0.4):
        dut = Realign(shifts, {"tag": 4})
        run = run_streams(dut, {"i": sent}, {"o": None}, stall_in=stall, max_cycles=4000)
        frames = joined(run["o"].payloads)
        assert [(data, piece["tag"]) for data, piece in frames] == expected
        ends = [c for c, p in zip(run["o"].cycles, run["o"].payloads, strict=True) if p["last"]]
        input_ends = [
            c for c, p in zip(run["i"].cycles, run["i"].payloads, strict=True) if p["last"]
        ]
        assert [o - i for o, i in zip(ends, input_ends, strict=True)] == [Realign.latency] * 200


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^shifts must be two of 0 to 7, not \(6, 8\)$"):
        Realign((6, 8), {})
