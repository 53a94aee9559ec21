"""Aggregation with ranks, fed with sorted windows as a sorter would give them."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from amaranth.hdl import Fragment
from rtl.engine.aggregation import Aggregation

from query.window import Rows
from tb.harness.unit import run_streams
from tb.rtl.beats import tuples as tuples_of
from tb.rtl.engine.model import rank
from tb.rtl.engine.swag_bench import ALL, as_shape, expected, point, streams_of

FLOATS = "median(x), count(distinct x), percentile(x, 0.0625), max(x), percentile(x, 1)"
STALLS = [{}, {"stall_in": 0.3, "stall_out": 0.4}]


def sorted_beats(parameters, window, context):
    """A window as beats of a sorter with cardinalities."""
    query, lanes = parameters.query, parameters.lanes
    types = {column.name: column.type for column in query.columns}
    order = (query.group.name, *parameters.ordered)
    window = sorted(window, key=lambda t: [rank(types[name], t[name]) for name in order])
    sizes = Counter(t[query.group.name] for t in window)
    items = [{"tuple": t, "cardinality": sizes[t[query.group.name]]} for t in window]
    return [
        {
            "tuples": items[k : k + lanes],
            "valid": (1 << lanes) - 1,
            "last": int(k + lanes == len(items)),
        }
        | ({"context": context} if parameters.context_layout.size else {})
        for k in range(0, len(items), lanes)
    ]


def context_of(parameters, values):
    """The context of a stream whose host has set ``values``, as a number."""
    chosen = {"function": values.get("function", 0)} | values
    item = parameters.query.items[chosen["function"]]
    if item.aggregate.fraction is not None:
        place = parameters.fractions.index(item.aggregate.fraction)
        chosen["percentile"] = values.get(f"percentile{place}", 0)
    layout = parameters.context_layout
    return sum(chosen.get(name, 0) << field.offset for name, field in layout)


def settings_of(parameters, rng):
    """Random values of all that steers an aggregation."""
    names = [name for name in parameters.run_time_values if name.startswith("percentile")]
    values = {name: rng.choice((1, 65536, rng.randrange(65536) + 1)) for name in names}
    if parameters.functions:
        values["function"] = rng.randrange(len(parameters.functions))
    return values


def results_of(parameters, row, values):
    results = [row["results"][f"r{k}"] for k in range(len(row["results"]))]
    if parameters.functions:
        results = [as_shape(results[0], parameters.result_shapes[values["function"]])]
    return (row["key"], *results)


def check(parameters, counts, seed, **options):
    """Windows of so many tuples, one behind the other."""
    rng = random.Random(seed)
    windows = streams_of(parameters, rng, counts)
    values = [settings_of(parameters, rng) for _ in windows]
    beats, wanted = [], []
    for window, set_ in zip(windows, values, strict=True):
        beats += sorted_beats(parameters, window, context_of(parameters, set_))
        whole = Rows(size=len(window), slide=len(window))
        asked = replace(parameters, query=replace(parameters.query, window=whole))
        wanted += expected(asked, [window], [set_])[0]
    out = sum(-(-len(rows) // parameters.lanes) for rows in wanted)
    dut = Aggregation(parameters)
    runs = run_streams(dut, {"i": beats}, {"o": out}, seed=seed, **options)
    got, rest = [], iter(values)
    window = []
    for beat in runs["o"].payloads:
        window += tuples_of([beat])
        if beat["last"]:
            set_ = next(rest)
            got.append([results_of(parameters, row, set_) for row in window])
            window = []
    assert got == wanted
    return dut, runs


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("results", ["all", "select"])
@pytest.mark.parametrize("percentiles", ["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_every_aggregate(lanes, percentiles, results, stalls):
    parameters = point(
        "uint(4)",
        "int(6)",
        lanes=lanes,
        results=results,
        percentiles=percentiles,
        capacity=8,
        window_max=64,
    )
    check(parameters, [lanes, 64, 24, lanes, lanes, 40, 16, 8, 8, 64], lanes, **stalls)


@pytest.mark.parametrize(
    ("group", "value", "select"),
    [
        ("uint(3)", "float", FLOATS),
        ("double", "double", FLOATS),
        ("string(3)", "fixed(3,8)", ALL),
        ("uint(64)", "int(64)", ALL),
        ("int(64)", "uint(64)", "percentile(x, 0.3), percentile(x, 0.7), median(x), sum(y)"),
    ],
)
def test_types(group, value, select):
    parameters = point(group, value, select, lanes=4, capacity=8, window_max=64)
    check(parameters, [4, 64, 32, 12, 16, 16, 60], 5, stall_out=0.3)


@pytest.mark.parametrize("percentiles", ["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_latency_and_rate(lanes, percentiles):
    parameters = point(
        "uint(4)", "int(6)", lanes=lanes, percentiles=percentiles, capacity=8, window_max=64
    )
    dut, runs = check(parameters, [64], 3)
    Fragment.get(dut, None)
    assert dut.latency == parameters.aggregation_latency
    assert runs["i"].cycles == list(range(64 // lanes))
    assert runs["o"].cycles[-1] - runs["i"].cycles[-1] == dut.latency
