"""Checks the blocks of successive windows, their errors and their numbers, against lists."""

import random

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.blocks.block_numbers import BlockNumbers
from rtl.keyed.store.blocks.ring_plan import RingPlan
from tb.bench.unit import run_streams

RING = RingPlan(codec=BaseDelta(32), entries=8, blocks=8, number_bits=8)


def blocks_of(windows, lines, count, stall, seed):
    """Returns the ``count`` blocks that leave, with random stalls on both sides."""
    return run_streams(
        BlockNumbers(RING, 4),
        {"windows": windows, "lines": lines},
        {"o": count},
        stall_in=stall,
        stall_out=stall,
        seed=seed,
    )["o"].payloads


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_an_error_is_of_the_lines_blocks_and_never_of_the_growing_one(stall):
    """Windows have 0 to 3 lines; lines of the next window arrive while a block grows."""
    rng = random.Random(f"{stall}")
    windows, lines, expected = [], [], []
    for number in range(80):
        growing, count = rng.getrandbits(500), rng.randrange(4)
        window = {"growing": growing, "count": 3, "alone": count == 0, "passenger": number % 16}
        windows.append(window | {"begin": 5, "end": 8, "next": 6, "entry": number % 8})
        for k in range(count):
            line = {"data": rng.getrandbits(500), "error": rng.random() < 0.4}
            lines.append(line | {"first": k == 0, "last": k == count - 1})
            expected.append((line["data"], k == 0, False, line["error"], number % 16))
        expected.append((growing, count == 0, True, False, number % 16))
    blocks = blocks_of(windows, lines, len(expected), stall, seed=7)
    names = ("block", "opens", "last", "error", "passenger")
    assert [tuple(block[name] for name in names) for block in blocks] == expected


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_each_block_begins_with_the_number_after_the_block_before(stall):
    """Raw blocks of 32-bit values hold 16 values; coded blocks hold the count in bits 496 to 504.

    Numbers are modulo 256, and differences from 128 on are negative.
    """
    rng = random.Random(f"numbers {stall}")
    windows, lines, expected = [], [], []
    for entry in range(120):
        line_count = rng.randrange(4)
        counts = [rng.choice((16, rng.randrange(1, 40))) for _ in range(line_count + 1)]
        first, begin, following = (rng.randrange(256) for _ in range(3))
        is_empty, number = line_count == 0 and rng.random() < 0.3, first
        for k, count in enumerate(counts):
            is_growing, is_raw = k == line_count, count == 16
            head = 0 if is_raw else 0b1010010 << 505 | count << 496
            block, m3 = head | rng.getrandbits(496), rng.random() < 0.5
            if is_growing:
                window = {"growing": block, "count": count, "alone": k == 0, "empty": is_empty}
                window |= {"first": {"number": first}, "begin": begin, "next": following}
                windows.append(window | {"end": 0, "entry": entry % 8, "passenger": entry % 16})
            else:
                line = {"data": block, "error": 0, "m3": m3}
                lines.append(line | {"first": k == 0, "last": k + 1 == line_count})
            end = (number + (0 if is_empty else count)) % 256
            expected.append(
                {
                    "block": block,
                    "count": 0 if is_empty else count,
                    "coded": not is_raw,
                    "m3": m3 and not is_growing,
                    "begin_offset": (begin - number) % 256,
                    "block_end": end,
                    "next_begins_here_or_later": (following - number) % 256 < 128,
                }
            )
            number = end
    blocks = blocks_of(windows, lines, len(expected), stall, seed=3)
    assert [{name: block[name] for name in expected[0]} for block in blocks] == expected
