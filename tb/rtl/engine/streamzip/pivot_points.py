"""Designs for windows of each key whose percentiles are found by pivots."""

from tb.rtl.engine.key_bench import point

PIVOT = {"percentiles": "pivot"}
POINTS = {
    "lines": point(
        *(8, 3, "int(40)", "sum(x), median(x), percentile(x, 0.9)"),
        window_max=64,
        ports=2,
        line_values=4,
        m2_lines=2,
        neighbours=2,
        **PIVOT,
    ),
    "dram-only, float": point(
        *(8, 3, "float", "median(x), sum(x), percentile(x, 0.1), median(x) AS again"),
        window_max=16,
        memory="dram-only",
        **PIVOT,
    ),
    "base-delta": point(
        *(8, 3, "int(24)", "sum(x), median(x), percentile(x, 0.9)"),
        window_max=32,
        ports=2,
        codec="base-delta",
        neighbours=1,
        **PIVOT,
    ),
    "xor": point(*(8, 1, "int(24)", "max(x), median(x)"), window_max=32, codec="xor", decoders=2),
    "xor, double": point(
        *(8, 3, "double", "max(x), count(*), median(x), percentile(x, 0.99)", "string(5)"),
        window_max=64,
        ports=2,
        codec="xor",
        decoders=5,
    ),
    "xor, sums of double": point(
        *(8, 3, "double", "avg(x), median(x)"),
        window_max=64,
        ports=2,
        codec="xor",
        decoders=5,
    ),
    "grid": point(
        *(8, 3, "uint(32)", "percentile(x, 0.3)"), window_max=32, codec="grid", decoders=1
    ),
    "sz": point(
        *(8, 3, "double", "median(x), min(x)"), window_max=64, ports=2, codec="sz", decoders=3
    ),
}
