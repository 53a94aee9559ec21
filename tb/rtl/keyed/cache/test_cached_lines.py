"""Checks the merging of lines of cached windows with lines of other windows."""

import random

import pytest
from amaranth.lib import data

from rtl.keyed.cache.cached_lines import CachedLines
from rtl.keyed.codec.block_format import block_info_layout
from rtl.stream.line import line
from tb.bench.unit import run_streams

STATE = data.StructLayout({"values": 6})
#: Counts in the passenger of a line from a chain of blocks, see
#: :func:`~rtl.keyed.codec.chained.chain_format.chain_counts`.
COUNTS = {"m3_values": 6, "new_values": 6}


def merger_of(counts):
    """Returns a merger of lines whose passengers have the members ``counts``."""
    passenger = data.StructLayout({**block_info_layout(8).members, **counts})
    return CachedLines(line(STATE, 1, passenger=passenger), line(STATE, 1))


def windows_of(rng, count):
    """Returns windows as pairs: from the cache or not, and the values of each of its lines."""
    return [
        (rng.random() < 0.5, [rng.randrange(1, 40) for _ in range(rng.randrange(1, 4))])
        for _ in range(count)
    ]


def lines_of(sizes, **passenger):
    """Returns the lines of a window, which have ``sizes`` values."""
    return [
        {
            "tuples": [{"values": size}],
            "valid": size > 0,
            "last": place == len(sizes) - 1,
            **({"passenger": passenger} if passenger else {}),
        }
        for place, size in enumerate(sizes)
    ]


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0, 0), (0.5, 0), (0.1, 0.7)])
@pytest.mark.parametrize("counts", [{}, COUNTS], ids=["lines", "chains"])
def test_lines_from_the_cache_replace_the_empty_line(counts, stall_in, stall_out):
    """Windows keep their order; a line from the cache counts its own values, none from M3."""
    windows = windows_of(random.Random(f"{stall_in} {stall_out}"), 60)
    lines, states, expected = [], [], []
    for number, (is_cached, sizes) in enumerate(windows):
        if is_cached:
            lines += lines_of([0], cached=1, passenger=number)
            states += lines_of(sizes)
        else:
            for each in lines_of(sizes, cached=0, passenger=number):
                size = each["tuples"][0]["values"]
                passenger = each["passenger"] | dict.fromkeys(counts, size)
                lines.append(each | {"passenger": passenger})
        for place, size in enumerate(sizes):
            counted = {"m3_values": 0 if is_cached else size, "new_values": size}
            expected.append((number, size, place == len(sizes) - 1, counted if counts else {}))
    run = run_streams(
        merger_of(counts),
        {"i": lines, "states": states},
        {"o": len(expected)},
        stall_in=stall_in,
        stall_out=stall_out,
    )["o"]
    received = [
        (
            payload["passenger"]["passenger"],
            payload["tuples"][0]["values"],
            payload["last"],
            {name: payload["passenger"][name] for name in counts},
        )
        for payload in run.payloads
    ]
    assert received == expected
