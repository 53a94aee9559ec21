"""Designs of every engine, with options of every kind, for tests of all engines."""

from tb.rtl.engine import (
    group_bench,
    key_bench,
    key_time_bench,
    rows_bench,
    swag_bench,
    time_bench,
)

WHERE = "WHERE y < 3 OR x = 1"

DESIGNS = {
    "group-by": group_bench.point("uint(4)", "int(6)"),
    "group-by, constants": group_bench.point(
        "uint(4)", "float", "min(x), max(x)", WHERE, constants="run-time", lanes=2
    ),
    "group-by, select": group_bench.point(
        "uint(64)", "int(9)", lanes=8, results="select", scan="brent-kung", count_width=9
    ),
    "swag": swag_bench.point("uint(4)", "int(6)", capacity=8),
    "swag, largest": swag_bench.point(
        "uint(4)", "int(6)", "sum(x)", size=64, slide=64, capacity=8, window_max=64
    ),
    "swag, select": swag_bench.point(
        "int(40)",
        "float",
        "median(x), count(*), percentile(x, 0.25), percentile(x, 1)",
        WHERE,
        lanes=2,
        capacity=16,
        window_max=64,
        results="select",
        percentiles="run-time",
        constants="run-time",
        passes="pipelined",
    ),
    "window-id": time_bench.point("window-id"),
    "window-id, constants": time_bench.point(
        "window-id", "uint(64)", where=WHERE, constants="run-time", modules=9
    ),
    "window-id, stream": time_bench.point(
        "window-id", "fixed(6,3)", select="count(*)", punctuations="stream", count_width=8
    ),
    "pane": time_bench.point("pane"),
    "pane, sequential": time_bench.point(
        "pane", "int(32)", window_level="sequential", panes=64, modules=5
    ),
    "pane, stream": time_bench.point(
        "pane", "uint(9)", where=WHERE, constants="run-time", punctuations="stream"
    ),
    "two-stacks": rows_bench.point(),
    "two-stacks, largest": rows_bench.point(16, 16, select="min(x)"),
    "two-stacks, constants": rows_bench.point(
        1, 1, "float", "max(x)", WHERE, window_max=1 << 20, constants="run-time"
    ),
    "streamzip": key_bench.point(ports=2),
    "streamzip, percentiles": key_bench.point(
        16,
        16,
        "float",
        "median(x), min(y)",
        ports=2,
        port_bits=128,
        capacity=16,
        line_values=4,
        m2_lines=2,
    ),
    "streamzip, constants": key_bench.point(
        *(1, 1, "uint(64)", "max(x)", "string(9)", WHERE),
        window_max=64,
        ports=4,
        constants="run-time",
        m2_kind="external",
    ),
    "streamzip, base-delta": key_bench.point(
        *(8, 2, "fixed(20,12)", "sum(x), avg(x), count(*)"), codec="base-delta", ports=2
    ),
    "streamzip, on chip": key_bench.point(m3_kind="block", ports=1, port_bits=512),
    "streamzip, time": key_time_bench.point(ports=2, m2_lines=2, m2_kind="ultra"),
    "streamzip, time, constants": key_time_bench.point(
        *("fixed(30,34)", "float", "median(x)", "int(9)", WHERE),
        ports=2,
        capacity=16,
        constants="run-time",
        m2_kind="external",
        m2_lines=2,
    ),
}
