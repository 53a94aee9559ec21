"""Aggregation with ranks, fed with sorted windows."""

import random
from collections import Counter

import pytest

from rtl.engine.parts.aggregation import Aggregation
from rtl.engine.parts.percentiles import fractions_of
from rtl.engine.swag.options import sorted_by
from tb.bench.unit import run_streams
from tb.rtl.beats import tuples as tuples_of
from tb.rtl.engine.bench import as_shape
from tb.rtl.engine.model import rank
from tb.rtl.engine.swag_bench import AGGREGATES, expected, point, streams_of

FLOATS = "median(x), count(distinct x), percentile(x, 0.0625), max(x), percentile(x, 1)"
STALLS = [{}, {"stall_in": 0.3, "stall_out": 0.4}]


def grouping_of(design):
    """Returns the plan of the aggregation in the core of a sliding-window design."""
    _, _, grouping, _ = design.create.args
    return grouping


def sorted_beats(design, window, context):
    """Returns a window as beats of a sorter with cardinalities."""
    query, lanes = design.query, design.input.lanes
    order = (query.group.name, *sorted_by(query))
    window = sorted(window, key=lambda t: [rank(query.schema[n].type, t[n]) for n in order])
    sizes = Counter(t[query.group.name] for t in window)
    items = [{"tuple": t, "cardinality": sizes[t[query.group.name]]} for t in window]
    return [
        {
            "tuples": items[k : k + lanes],
            "valid": (1 << lanes) - 1,
            "last": int(k + lanes == len(items)),
        }
        | ({"context": context} if grouping_of(design).context.size else {})
        for k in range(0, len(items), lanes)
    ]


def context_of(design, settings):
    """Returns the context of a stream with these settings, as a number."""
    chosen = {"function": settings.get("function", 0)} | settings
    item = design.query.items[chosen["function"]]
    if item.aggregate.fraction is not None:
        place = fractions_of(design.query).index(item.aggregate.fraction)
        chosen["percentile"] = settings.get(f"percentile{place}", 0)
    layout = grouping_of(design).context
    return sum(chosen.get(name, 0) << field.offset for name, field in layout)


def settings_of(design, rng):
    """Returns random values of all settings of an aggregation."""
    names = [name for name in design.settings.values if name.startswith("percentile")]
    values = {name: rng.choice((1, 65536, rng.randrange(65536) + 1)) for name in names}
    if design.settings.functions:
        values["function"] = rng.randrange(len(design.settings.functions))
    return values


def results_of(design, row, settings):
    results = [row["results"][f"r{k}"] for k in range(len(row["results"]))]
    if design.settings.functions:
        results = [as_shape(results[0], design.rows.selected[settings["function"]])]
    return (row["key"], *results)


def check(design, counts, seed, **options):
    """Checks the rows of windows with these counts of tuples, without a gap."""
    rng = random.Random(seed)
    windows = streams_of(design, rng, counts)
    settings = [settings_of(design, rng) for _ in windows]
    beats, expected_rows = [], []
    for window, set_ in zip(windows, settings, strict=True):
        beats += sorted_beats(design, window, context_of(design, set_))
        window_settings = {"size": len(window), "slide": len(window)}
        expected_rows += expected(design, [window], [set_ | window_settings])[0]
    out = sum(-(-len(rows) // design.input.lanes) for rows in expected_rows)
    dut = Aggregation(grouping_of(design))
    runs = run_streams(dut, {"i": beats}, {"o": out}, seed=seed, **options)
    if not options:  # only a stall at the output stalls the input
        assert runs["i"].cycles == list(range(len(beats)))
    actual, settings_left = [], iter(settings)
    window = []
    for beat in runs["o"].payloads:
        window += tuples_of([beat])
        if beat["last"]:
            set_ = next(settings_left)
            actual.append([results_of(design, row, set_) for row in window])
            window = []
    assert actual == expected_rows
    return dut, runs


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("results", ["all", "select"])
@pytest.mark.parametrize("percentiles", ["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_every_aggregate(lanes, percentiles, results, stalls):
    design = point(
        "uint(4)",
        "int(6)",
        lanes=lanes,
        results=results,
        percentiles=percentiles,
        capacity=8,
        window_max=64,
    )
    check(design, [lanes, 64, 24, lanes, lanes, 40, 16, 8, 8, 64], lanes, **stalls)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("group", "value", "select"),
    [
        ("uint(3)", "float", FLOATS),
        ("double", "double", FLOATS),
        ("string(3)", "fixed(3,8)", AGGREGATES),
        ("uint(64)", "int(64)", AGGREGATES),
        ("int(64)", "uint(64)", "percentile(x, 0.3), percentile(x, 0.7), median(x), sum(y)"),
    ],
)
def test_types(group, value, select):
    design = point(group, value, select, lanes=4, capacity=8, window_max=64)
    check(design, [4, 64, 32, 12, 16, 16, 60], 5, stall_out=0.3)


@pytest.mark.in_turn
@pytest.mark.parametrize("percentiles", ["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_latency_and_rate(lanes, percentiles):
    design = point(
        "uint(4)", "int(6)", lanes=lanes, percentiles=percentiles, capacity=8, window_max=64
    )
    dut, runs = check(design, [64], 3)
    assert runs["i"].cycles == list(range(64 // lanes))
    assert runs["o"].cycles[-1] - runs["i"].cycles[-1] == dut.latency
