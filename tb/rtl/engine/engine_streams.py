"""Streams for a small design of every engine: settings, expected packets, and counters."""

from dataclasses import dataclass

from rtl.contract.design import Design
from tb.rtl.engine import (
    group_bench,
    key_bench,
    key_time_bench,
    rows_bench,
    swag_bench,
    time_bench,
)
from tb.rtl.engine.model import group_rows
from tb.rtl.engine.streamzip import row_points, time_points
from tb.rtl.engine.time_streams import ENGINES as IN_TIME
from tb.rtl.engine.time_streams import passes_of as passes_in_time
from tb.rtl.engine.time_streams import random_streams as streams_in_time

GROUPS = group_bench.point(
    "uint(6)", "int(6)", where="WHERE y < 9", constants="run-time", count_width=10
)
SWAG = swag_bench.point("uint(6)", "int(6)", "sum(x), median(x)", capacity=8, window_max=32)
NAMES = ("group-by", "swag", "rows", *IN_TIME)

#: Designs with a memory, and the modules that make streams for them.
KEYS = {
    "keys": (row_points.PLAIN, key_bench),
    "keys, dram-only": (row_points.POINTS["dram-only"], key_bench),
    "keys, M2 outside": (row_points.EXTERNAL_M2, key_bench),
    "keys, base-delta": (row_points.POINTS["base-delta"], key_bench),
    "keys, cache": (row_points.POINTS["cache"], key_bench),
    "keys in time": (time_points.PLAIN, key_time_bench),
    "keys, xor": (row_points.POINTS["xor"], key_bench),
    "keys, sz": (row_points.POINTS["sz"], key_bench),
    "keys, xor-chained": (row_points.POINTS["xor-chained"], key_bench),
}


@dataclass(frozen=True)
class EngineStreams:
    """Streams for a design, the settings before each stream, and the packets of each stream.

    ``answers`` are (rows, counters) of each stream, if the model of the engine has counters.
    """

    design: Design
    streams: list
    settings: list
    packets: list
    answers: list = ()


def engine_streams(name, rng, counts):
    if name == "group-by":
        streams = group_bench.streams_of(GROUPS, rng, counts)
        settings = [{"where0": rng.choice([-5, 0, 40, 63, 64])} for _ in streams]
        packets = [
            [group_rows(GROUPS.query, [t for t in stream if t["y"] < set_["where0"]])]
            if set_["where0"] < 64
            else []
            for stream, set_ in zip(streams, settings, strict=True)
        ]
        return EngineStreams(GROUPS, streams, settings, packets)
    if name == "swag":
        streams = swag_bench.streams_of(SWAG, rng, counts)
        sizes = [4 * rng.randint(1, 9) for _ in streams]  # 36 is refused
        settings = [{"size": size, "slide": 4 * rng.randint(1, size // 4)} for size in sizes]
        return EngineStreams(SWAG, streams, settings, swag_bench.expected(SWAG, streams, settings))
    if name in KEYS:
        return key_streams(*KEYS[name], rng, counts)
    if name == "rows":
        design, bench = rows_bench.FILTERED, rows_bench
        timed_streams, passes = rows_bench.random_streams(rng, counts), rows_bench.passes_of
    else:
        design, bench = IN_TIME[name], time_bench
        timed_streams, passes = streams_in_time(rng, design, counts), passes_in_time
    answers = [bench.answer(design, stream, passes(stream)) for stream in timed_streams]
    return EngineStreams(
        design,
        [stream.events for stream in timed_streams],
        [stream.settings() for stream in timed_streams],
        [[[row] for row in rows] for rows, _ in answers],
        answers,
    )


def key_streams(design, bench, rng, counts):
    streams = bench.random_streams(rng, design, counts, keys=9)
    meets_where = row_points.meets_where if design.query.where else lambda stream, tuple_: True
    answers = [bench.Answers(design, [stream], meets_where) for stream in streams]
    return EngineStreams(
        design,
        [stream.events for stream in streams],
        [stream.settings(design) for stream in streams],
        [answer.packets for answer in answers],
        [([], answer.tally) for answer in answers],
    )
