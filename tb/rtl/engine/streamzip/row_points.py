"""Designs for windows of rows of each key, memories, and the check against lists of each key."""

from math import inf

from sim.memory import Memory
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import Answers, point

PLAIN = point(where="WHERE y < 14", window_max=32)
POINTS = {
    "plain": PLAIN,
    "percentiles": point(
        select="sum(x), median(x), percentile(x, 0.9)",
        value="int(40)",
        window_max=64,
        ports=2,
        line_values=4,
        capacity=16,
        m2_lines=2,
    ),
    "float": point(value="float", select="max(x), min(y), min(x)", key="float", window_max=16),
    "one value": point(
        *(8, 3, "uint(64)", "sum(x)", "string(5)"), ways=1, ports=4, m2_lines=2, m2_kind="ultra"
    ),
}
POINTS["dram-only"] = point(select="sum(x), max(x)", window_max=32, ports=2, memory="dram-only")
POINTS["base-delta"] = point(
    *(8, 3, "int(40)", "sum(x), max(x), min(x), avg(x)"),
    window_max=64,
    ports=2,
    stripe_lines=4,
    codec="base-delta",
)
POINTS["base-delta, 32 bits"] = point(
    *(8, 3, "fixed(6,10)", "sum(x), count(*), min(x)", "string(5)"),
    window_max=16,
    ports=4,
    port_bits=128,
    codec="base-delta",
)
POINTS["copies"] = point(
    *(8, 3, "int(40)", "sum(x), max(x), min(x)"),
    window_max=64,
    ports=2,
    codec="base-delta",
    m2_blocks=2,
    m2_kind="ultra",
)
POINTS["copies outside"] = point(
    *(8, 3, "int(40)", "sum(x), max(x), min(x)"),
    window_max=64,
    ports=2,
    codec="base-delta",
    m2_blocks=4,
    m2_kind="external",
)
POINTS["base-delta, ranked"] = point(
    *(8, 3, "int(40)", "sum(x), median(x), percentile(x, 0.9)"),
    window_max=32,
    ports=2,
    capacity=16,
    codec="base-delta",
)
POINTS["base-delta, ranked, 32 bits"] = point(
    *(8, 3, "fixed(6,10)", "median(x), count(*)", "string(5)"),
    window_max=32,
    passes="pipelined",
    codec="base-delta",
)
POINTS["xor"] = point(
    *(8, 3, "double", "max(x), count(*), min(x)"),
    window_max=64,
    ports=2,
    stripe_lines=2,
    codec="xor",
    decoders=5,
)
POINTS["xor, 32 bits"] = point(
    *(8, 3, "int(24)", "sum(x), avg(x), min(x)", "string(5)"),
    window_max=32,
    ports=4,
    port_bits=128,
    codec="xor",
    decoders=1,
)
POINTS["xor-chained"] = point(
    *(8, 3, "double", "max(x), count(*), min(x), median(x)"),
    window_max=64,
    ports=2,
    stripe_lines=2,
    codec="xor-chained",
    decoders=3,
)
POINTS["xor-chained, 32 bits"] = point(
    *(8, 3, "int(24)", "sum(x), avg(x), min(x)", "string(5)"),
    window_max=32,
    ports=4,
    port_bits=128,
    codec="xor-chained",
    decoders=1,
)
POINTS["grid"] = point(
    *(8, 3, "int(32)", "sum(x), max(x)"),
    window_max=32,
    ports=1,
    codec="grid",
    decoders=1,
)
POINTS["grid, 64 bits"] = point(
    *(8, 3, "double", "max(x), count(*), min(x)", "string(5)"),
    window_max=64,
    ports=2,
    codec="grid",
    decoders=5,
)
POINTS["sz"] = point(
    *(8, 3, "double", "max(x), count(*), min(x)"),
    window_max=64,
    ports=2,
    codec="sz",
    decoders=3,
)
POINTS["sz, 20 bits"] = point(
    *(8, 3, "fixed(8,12)", "sum(x), avg(x), max(x)", "string(5)"),
    window_max=32,
    ports=4,
    port_bits=128,
    codec="sz",
    decoders=2,
    exponent=2,
)
POINTS["cache"] = point(
    *(8, 3, "int(40)", "sum(x), max(x), min(x), avg(x)"),
    window_max=64,
    ports=2,
    codec="base-delta",
    cached_keys=2,
    cache_lanes=16,
)
POINTS["cache, xor"] = point(
    *(8, 3, "double", "max(x), count(*), min(x)", "string(5)"),
    window_max=32,
    codec="xor",
    decoders=3,
    cached_keys=3,
)
POINTS["cache, xor-chained"] = point(
    *(8, 3, "int(40)", "sum(x), max(x), min(x), avg(x)"),
    window_max=64,
    ports=2,
    codec="xor-chained",
    decoders=3,
    cached_keys=2,
    cache_lanes=16,
)
POINTS["cache, sz"] = point(
    *(8, 3, "double", "max(x), count(*), min(x)"),
    window_max=64,
    ports=2,
    codec="sz",
    decoders=3,
    cached_keys=2,
    cache_lanes=16,
)
POINTS["cache, sz, 20 bits"] = point(
    *(8, 3, "fixed(8,12)", "sum(x), avg(x), max(x)", "string(5)"),
    window_max=32,
    codec="sz",
    decoders=2,
    exponent=2,
    cached_keys=3,
)
POINTS["cache of lines"] = point(
    select="sum(x), max(y), count(*), min(x)",
    window_max=32,
    ports=2,
    m2_lines=2,
    cached_keys=2,
    cache_lanes=16,
)
POINTS["cache, dram-only"] = point(
    *(8, 3, "int(40)", "avg(x), max(x)", "string(5)"),
    window_max=16,
    memory="dram-only",
    cached_keys=1,
)
POINTS["cache, M2 outside"] = point(
    *(8, 3, "uint(20)", "sum(x), max(x), min(y)"),
    window_max=64,
    line_values=4,
    ports=1,
    m2_kind="external",
    cached_keys=3,
    cache_lanes=16,
)
POINTS["cache, median"] = point(
    *(8, 3, "int(40)", "sum(x), median(x), percentile(x, 0.9)"),
    window_max=64,
    ports=2,
    line_values=4,
    m2_lines=2,
    neighbours=2,
    cached_keys=2,
    cache_lanes=16,
)
POINTS["cache, median of y"] = point(
    select="sum(x), median(y), percentile(y, 0.03)",
    window_max=16,
    memory="dram-only",
    cached_keys=3,
    cache_lanes=16,
)
POINTS["cache, base-delta, median"] = point(
    *(8, 3, "int(24)", "median(x), sum(x), percentile(x, 0.9)"),
    window_max=32,
    ports=2,
    codec="base-delta",
    cached_keys=1,
    cache_lanes=16,
)
POINTS["cache, xor, median"] = point(
    *(8, 3, "double", "median(x), max(x), count(*)", "string(5)"),
    window_max=32,
    codec="xor",
    decoders=2,
    cached_keys=3,
    cache_lanes=16,
)
POINTS["cache, xor-chained, median"] = point(
    *(8, 3, "double", "median(x), max(x), count(*)", "string(5)"),
    window_max=32,
    codec="xor-chained",
    decoders=2,
    cached_keys=3,
    cache_lanes=16,
)
POINTS["cache, grid, median"] = point(
    *(8, 3, "uint(32)", "percentile(x, 0.3)"),
    window_max=32,
    codec="grid",
    decoders=1,
    cached_keys=2,
)
POINTS["cache, sz, median"] = point(
    *(8, 3, "double", "median(x), min(x)"),
    window_max=64,
    ports=2,
    codec="sz",
    decoders=3,
    cached_keys=2,
    cache_lanes=16,
)

#: A design with more keys than words of M2 on the chip.
EXTERNAL_M2 = point(
    *(8, 3, "int(32)", "sum(x), max(x), min(y)", "uint(8)"),
    window_max=32,
    entries=128,
    ways=1,
    ports=2,
    m2_kind="external",
    m2_lines=2,
)
POINTS["M2 outside"] = EXTERNAL_M2
MEMORIES = {
    "fast": {"memory": Memory(latency=3)},
    "slow, in any order": {
        "memory": Memory(delay=30, stall=0.3, reorder=True),
        "stall_input": 0.3,
        "stall_output": 0.5,
    },
}


def meets_where(stream, tuple_):
    return tuple_["y"] < 14


def check(design, streams, meets_where=lambda stream, tuple_: True, **options):
    """Checks rows, and that each row took at least one pass; returns the run and the answers."""
    answers = Answers(design, streams, meets_where)
    run = key_bench.check(design, answers, streams, **options)
    assert run.counters.get("passes", inf) >= answers.tally["rows"]
    return run, answers


FLOAT_SUMS = point(8, 3, "float", "sum(x), count(*), min(x), avg(x)", window_max=8, line_values=2)
