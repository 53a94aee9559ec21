"""A prediction can be asked for every engine, option and shape of data, without any hardware."""

from itertools import product
from math import isfinite

import numpy as np
import pyarrow as pa
import pytest

from gen.prediction.expected_rate import predicted
from gen.simulate.steady_part import stretch_of
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from rtl.engine import ENGINES
from rtl.keyed.codec.codecs import CODEC_ENTRIES

SCHEMA = "CREATE INPUT STREAM S (k {key}, t uint(32), x int(32), y uint(4));"
#: Codec without windows of time.
CHAINED = "xor-chained"
SMALL = {"entries": 64, "window_max": 256}
#: Of each engine: its window and groups, and options beside.
KEYED = [
    {"memory": "dram-only"},
    {"m2_lines": 2},
    {"m2_kind": "external"},
    {"m2_kind": "external", "m2_lines": 2},
    {"ports": 1, "port_bits": 512},
    {"m3_kind": "block"},
    {"stripe_lines": 4},
    *({"codec": codec} for codec in ("none", *CODEC_ENTRIES)),
    *({"codec": codec, "percentiles": "pivot"} for codec in ("none", *CODEC_ENTRIES)),
    {"codec": "base-delta", "m2_blocks": 1},
    {"codec": "xor", "m2_blocks": 2, "m2_kind": "ultra"},
    {"codec": "base-delta", "m2_blocks": 4, "m2_kind": "external"},
]
CACHED = [
    {"memory": "dram-only", "cached_keys": 1},
    {"m2_lines": 2, "cached_keys": 3},
    *({"codec": name, "cached_keys": 2} for name in ("none", *CODEC_ENTRIES)),
    *({"codec": c, "cached_keys": 1, "percentiles": "pivot"} for c in ("none", "grid", "xor")),
]
ROWS = ["[PARTITION BY k ROWS 16 SLIDE 1]", "[PARTITION BY k ROWS 17 SLIDE 17]"]
TIME = ["[PARTITION BY k RANGE 40 SLIDE 7 WATTR t]", "[PARTITION BY k RANGE 9 SLIDE 9 WATTR t]"]
BY_KEY = [
    *product(ROWS, KEYED),
    (ROWS[0], {"codec": CHAINED, "cached_keys": 1, "percentiles": "pivot"}),
    *product(ROWS[:1], CACHED),
    *(
        (window, options)
        for windows, all_options in ((TIME, KEYED), (TIME[:1], CACHED))
        for window, options in product(windows, all_options)
        if options.get("codec") != CHAINED
    ),
]
OTHERS = [
    ("group-by", "", "GROUP BY k", {}),
    ("swag", "[ROWS 40 SLIDE 8]", "GROUP BY k", {}),
    ("swag", "[ROWS 40 SLIDE 40]", "GROUP BY k", {"passes": "pipelined", "results": "select"}),
    ("pane", "[RANGE 40 SLIDE 7 WATTR t SLACK 5]", "", {}),
    ("pane", "[RANGE 40 SLIDE 8 WATTR t]", "", {"window_level": "sequential"}),
    ("window-id", "[RANGE 40 SLIDE 7 WATTR t SLACK 5]", "", {}),
    ("two-stacks", "[ROWS 40 SLIDE 7]", "", {}),
]
COUNT = 180


def columns_of(kind):
    """Returns columns of one kind of data; ``y`` is 0 to 15, so half of the tuples pass y > 7."""
    rng, count = np.random.default_rng(1), {"few": 5, "none": 0, "one tuple": 1}.get(kind, COUNT)
    weights = 1 / np.arange(1, 41)
    keys = {
        "skewed": rng.choice(40, COUNT, p=weights / weights.sum()),
        "more keys than entries": rng.integers(0, 200, COUNT),
        "bursts": np.repeat(rng.integers(0, 9, COUNT // 20), 20),
        "one key": np.full(COUNT, 3),
    }.get(kind, rng.integers(0, 40, COUNT))[:count]
    walk = np.cumsum(rng.integers(-3, 4, count))
    times = np.arange(count) // 2 + 5
    if kind == "holes in time":
        times = times + np.repeat(np.arange(6) * 10_000, COUNT // 6)
    passes = np.zeros(count, int) if kind == "nothing passes" else rng.integers(0, 16, count)
    return {"k": keys, "t": times, "x": walk, "y": passes}


KINDS = [
    *("skewed", "uniform", "one key", "bursts", "more keys than entries", "holes in time"),
    *("few", "one tuple", "none", "nothing passes"),
]


def ask(engine, window, tail, options, kind, key="uint(16)"):
    """Predicts the rate of a design for such data, for every memory."""
    items = "sum(x), max(x)" + (", median(x)" if "percentiles" in options else "")
    text = f"{SCHEMA.format(key=key)} SELECT {'k, ' if 'k' in tail + window else ''}{items}"
    query = parse(f"{text} FROM S {window} WHERE y > 7 {tail};")
    design, columns = ENGINES[engine](query=query, **options), columns_of(kind)
    table = {c.name: pa.array(columns[c.name].tolist(), arrow_type(c.type)) for c in query.columns}
    tuples = Tuples(query.schema, pa.table(table))
    start = 5 if query.window.__class__.__name__ == "Range" and len(tuples) else None
    stretch = stretch_of(query, tuples, start)
    for dram in ("ideal", "ddr3") if design.memories else ("ideal",):
        rate = predicted(design, tuples, stretch, dram, start, (1, 1)).tuples_per_cycle
        assert isfinite(rate)
        assert 0 < rate <= design.input.lanes


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", KINDS)
def test_windows_of_keys(kind):
    for window, options in BY_KEY:
        ask("streamzip", window, "", SMALL | options, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_other_engines(kind):
    for engine, window, tail, options in OTHERS:
        ask(engine, window, tail, options, kind)


@pytest.mark.parametrize("key", ["int(9)", "uint(64)", "fixed(8,4)"])
def test_keys_of_any_type(key):
    for window in (ROWS[0], TIME[0]):
        ask("streamzip", window, "", SMALL, "skewed", key)
