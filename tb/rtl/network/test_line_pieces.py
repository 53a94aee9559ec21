"""Checks the pieces of lines against lists."""

import random

import pytest

from rtl.network.line_pieces import LinePieces
from tb.bench.unit import run_streams

SIZES = [(8, 4), (16, 2), (4, 4), (8, 1)]


def random_line(rng, lanes):
    """Draws a line with random valid lanes: any, neighbours, one, all or none."""
    first = rng.randrange(lanes)
    neighbours = (1 << rng.randrange(1, lanes - first + 1)) - 1 << first
    valid = rng.choice((rng.getrandbits(lanes), neighbours, 1 << first, (1 << lanes) - 1, 0))
    return {
        "tuples": [rng.getrandbits(6) for _ in range(lanes)],
        "valid": valid,
        "last": rng.randrange(2),
        "passenger": rng.getrandbits(5),
    }


def pieces_of(line, fewer):
    """Returns (values by lane, None for an invalid lane; last; passenger) of each piece."""
    values = [x if line["valid"] >> k & 1 else None for k, x in enumerate(line["tuples"])]
    pieces = [values[k : k + fewer] for k in range(0, len(values), fewer)]
    expected = [piece for piece in pieces if piece != [None] * fewer] or [[None] * fewer]
    ends = [0] * (len(expected) - 1) + [line["last"]]
    return [(piece, end, line["passenger"]) for piece, end in zip(expected, ends, strict=True)]


@pytest.mark.parametrize(("lanes", "fewer"), SIZES)
@pytest.mark.parametrize("stall", [0, 0.4])
def test_pieces_are_those_of_the_lines(lanes, fewer, stall):
    rng = random.Random(f"{lanes} {fewer}")
    lines = [random_line(rng, lanes) for _ in range(150)]
    expected = [piece for line in lines for piece in pieces_of(line, fewer)]
    dut = LinePieces(6, lanes, fewer, 5)
    run = run_streams(
        dut, {"i": lines}, {"o": len(expected)}, stall_in=stall, stall_out=stall, seed=5
    )
    for piece, (values, last, passenger) in zip(run["o"].payloads, expected, strict=True):
        valid = [piece["valid"] >> lane & 1 for lane in range(fewer)]
        assert valid == [x is not None for x in values]
        assert [x for x, is_valid in zip(piece["tuples"], valid, strict=True) if is_valid] == [
            x for x in values if x is not None
        ]
        assert (piece["last"], piece["passenger"]) == (last, passenger)
    if not stall:  # one piece per cycle
        assert run["o"].cycles == list(range(dut.latency, len(expected) + dut.latency))


def test_more_lanes_than_there_are():
    with pytest.raises(ValueError, match="fewer must be at most lanes, 4, not 8"):
        LinePieces(6, 4, 8)
