"""The kernels against the plain model of the engines, window by window."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import chain

import pytest
from amaranth.hdl import Elaboratable
from amaranth.lib import data

from query.window import Rows
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.kernels import Kernels
from rtl.engine.parts.operators import operator_of
from rtl.engine.parts.percentiles import Percentiles
from rtl.engine.parts.results import Results
from tb.bench.random_streams import random_raw
from tb.bench.unit import run_streams
from tb.rtl.engine.bench import as_shape
from tb.rtl.engine.model import NUMBER, is_nan, row_windows
from tb.rtl.engine.parts.queries import query_of
from tb.rtl.lines import payloads, random_window, values, window

ALL_RESULTS = "min(x), median(x), sum(x), percentile(x, 0.90625), count(*), avg(x), max(x)"
REDUCED = "max(x), avg(x), min(y), count(*), sum(y)"
PICKED = "percentile(x, 0.25), median(x)"
LONG = pytest.mark.regress
STALLS = (0.3, 0.4)
PASSENGER = data.StructLayout({"key": 4, "number": 6})


def point(type_, select, *, function=False, run_time=False, **options):
    """Returns the plan for a query, and the query."""
    query = query_of(type_, select)
    percentiles = Percentiles(query=query, run_time=run_time, select=function)
    operators = [
        operator_of(i.aggregate, 64, percentiles.target_index_of(i.aggregate)) for i in query.items
    ]
    results = Results(items=query.items, operators=tuple(operators), select=function)
    steering = {"function": results.operator.context} if function else {}
    options = {"lanes": 4, "capacity": 8, "passenger": PASSENGER} | options
    plan = KernelPlan(
        row=value_layout(query),
        results=results,
        window_max=64,
        targets=percentiles.targets if percentiles.fractions else (),
        context=data.StructLayout(steering | percentiles.context),
        **options,
    )
    return plan, query


def draw_of(rng, query):
    """Returns a function that draws a tuple of the aggregated columns, without a NaN."""
    types = {c.name: c.type for i in query.items if (c := i.aggregate.column) is not None}

    def draw():
        while True:
            raws = {name: random_raw(rng, type_) for name, type_ in types.items()}
            if not any(is_nan(types[name], raw) for name, raw in raws.items()):
                return raws

    return draw


def line_fields_of(rng, plan, query, count):
    """Returns the fields of each window's lines without the tuples, and each window's query."""
    line_fields, questions = [], []
    for _ in range(count):
        set_ = {}
        if "function" in plan.context.members:
            set_["function"] = rng.randrange(len(query.items))
        for name in plan.context.members:
            if name != "function":
                set_[name] = rng.choice((1, 65536, rng.randint(1, 65536)))
        passenger = {"key": rng.randrange(16), "number": rng.randrange(64)}
        bits = sum(value << plan.context[name].offset for name, value in set_.items())
        line_fields.append(
            {"passenger": passenger} | ({"context": bits} if plan.context.size else {})
        )
        questions.append((set_, _set(query, set_)))
    return line_fields, questions


def _set(query, set_):
    """Returns the query with the fractions of the percentiles that a context sets."""
    items, names = [], iter(n for n in set_ if n.startswith("percentile"))
    members = {}
    for item in query.items:
        fraction = item.aggregate.fraction
        if fraction is not None and fraction not in members:
            members[fraction] = "percentile" if "percentile" in set_ else next(names, None)
        name = members.get(fraction)
        if name is not None:
            item = replace(
                item, aggregate=replace(item.aggregate, fraction=Fraction(set_[name], 65536))
            )
        items.append(item)
    return replace(query, items=tuple(items))


def check(plan, query, windows, rng, stalls=(0.0, 0.0)):
    """Runs windows in turn, and compares their results with the model."""
    draw = draw_of(rng, query)
    line_fields, questions = line_fields_of(rng, plan, query, len(windows))
    if plan.percentiles:
        line_fields = [
            b | {"bound": len(values(w))} for b, w in zip(line_fields, windows, strict=True)
        ]
    if plan.float_sums:
        line_fields = [b | {"number": rng.randrange(8)} for b in line_fields]
    beats = payloads(windows, draw, line_fields)
    runs = run_streams(
        Kernels(plan),
        {"i": beats},
        {"o": len(windows)},
        stall_in=stalls[0],
        stall_out=stalls[1],
        seed=rng.randrange(99),
    )
    for output, window_, fields, (set_, window_query) in zip(
        runs["o"].payloads, windows, line_fields, questions, strict=True
    ):
        slots = enumerate(chain.from_iterable(window_), fields.get("number", 0) * plan.lanes)
        empty = {"g": 0, "x": 0, "y": 0}
        members = [empty | slot | {NUMBER: n} for n, slot in slots if slot is not None]
        full_query = replace(window_query, window=Rows(size=len(members), slide=len(members)))
        expected = list(row_windows(full_query, members)[0])
        actual = [output["results"][f"r{k}"] for k in range(len(output["results"]))]
        if "function" in set_:
            k = set_["function"]
            actual, expected = [as_shape(actual[0], plan.results.selected[k])], [expected[k]]
        assert actual == expected
        assert output["passenger"] == fields["passenger"]
    return runs


def random_windows(rng, query, lines, kind=None, lanes=4):
    draw = draw_of(rng, query)
    return [random_window(rng, lanes, n, draw, kind) for n in lines]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("select", "stalls"),
    [
        (ALL_RESULTS, STALLS),
        (REDUCED, STALLS),
        *(
            pytest.param(select, (0.0, 0.0), marks=LONG)
            for select in (ALL_RESULTS, REDUCED, PICKED)
        ),
    ],
)
def test_windows_back_to_back(select, stalls):
    rng = random.Random(f"{select} {stalls}")
    plan, query = point("int(8)", select)
    lines = [1] * 8 + [rng.choice((1, 2, 3, 5)) for _ in range(8)] + [16, 16, 1]
    check(plan, query, random_windows(rng, query, lines), rng, stalls)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("select", "function", "run_time"),
    [
        (ALL_RESULTS, True, True),
        *(
            pytest.param(*arguments, marks=LONG)
            for arguments in [
                (PICKED, True, False),
                (ALL_RESULTS, True, False),
                (ALL_RESULTS, False, True),
                (PICKED, False, True),
            ]
        ),
    ],
)
def test_functions_and_percentiles_of_each_window(select, function, run_time):
    rng = random.Random(f"{select} {function} {run_time}")
    plan, query = point("int(6)", select, function=function, run_time=run_time, passes="pipelined")
    lines = [rng.choice((1, 1, 2, 3)) for _ in range(16)]
    check(plan, query, random_windows(rng, query, lines), rng, (0.1, 0.3))


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("type_", "select"),
    [
        pytest.param("uint(64)", ALL_RESULTS, marks=LONG),
        pytest.param("int(64)", ALL_RESULTS, marks=LONG),
        pytest.param("uint(32)", ALL_RESULTS, marks=LONG),
        pytest.param("int(32)", ALL_RESULTS, marks=LONG),
        pytest.param("fixed(20,12)", ALL_RESULTS, marks=LONG),
        pytest.param("fixed(9,23)", ALL_RESULTS, marks=LONG),
        pytest.param("float", "max(x), median(x), min(x), percentile(x, 1)", marks=LONG),
        ("double", "percentile(x, 0.1), max(x), min(x), median(x)"),
    ],
)
def test_types(type_, select):
    rng = random.Random(type_)
    plan, query = point(type_, select)
    lines = [1, 1, 2, 16, 1, 3]
    check(plan, query, random_windows(rng, query, lines), rng, (0.1, 0.1))


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("select", "stalls"),
    [
        ("sum(x), max(x), avg(x), sum(y)", (0.0, 0.0)),
        *(
            pytest.param(select, stalls, marks=LONG)
            for select in (
                "max(x), sum(x), sum(y)",
                "sum(x)",
                "sum(x), sum(x) AS again",
                "sum(x), median(y)",
                "median(x), sum(x), min(y), avg(y)",
            )
            for stalls in ((0.0, 0.0), STALLS)
        ),
    ],
)
def test_sums_of_floats(select, stalls):
    """Checks sums of floats beside other results; a line enters in each cycle without stalls."""
    rng = random.Random(select)
    plan, query = point("float", select, lines=9)
    lines = [1] * 20 + [rng.choice((1, 2, 3, 5, 9)) for _ in range(20)]
    runs = check(plan, query, random_windows(rng, query, lines), rng, stalls)
    if not (plan.percentiles or any(stalls)):
        assert runs["i"].cycles == list(range(sum(lines)))
        assert runs["o"].cycles[:20] == [plan.latency_of(4) + k for k in range(20)]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("size", "select"),
    [
        (4, ALL_RESULTS),
        (64, REDUCED),
        *(pytest.param(n, s, marks=LONG) for n in (1, 8, 64) for s in (ALL_RESULTS, PICKED)),
    ],
)
def test_latency_and_interval(size, select):
    """Dense windows; the prediction is exact except for sorted windows of several beats."""
    rng = random.Random(size)
    plan, query = point("int(8)", select)
    draw = draw_of(rng, query)
    windows = [window([draw() for _ in range(size)], 4) for _ in range(10)]
    runs = check(plan, query, windows, rng)
    out = runs["o"].cycles
    late = 20 if plan.percentiles and size > 4 else 0  # depends on the data in the merge tree
    assert 0 <= out[0] - plan.latency_of(size) <= late
    loose = plan.percentiles and size > 8
    predicted, measured = plan.interval_of(size), (out[8] - out[2]) / 6
    assert abs(predicted - measured) <= (max(3, 0.03 * measured) if loose else 0)


@pytest.mark.parametrize(
    "select", [ALL_RESULTS, *(pytest.param(s, marks=LONG) for s in (REDUCED, PICKED))]
)
def test_a_window_in_every_cycle(select):
    rng = random.Random(5)
    plan, query = point("int(8)", select)
    runs = check(plan, query, random_windows(rng, query, [1] * 75), rng)
    assert runs["i"].cycles == list(range(75))
    assert runs["o"].cycles == [runs["o"].cycles[0] + k for k in range(75)]


def test_one_lane():
    rng = random.Random(6)
    plan, query = point("int(8)", ALL_RESULTS, lanes=1, passenger=0)
    windows = random_windows(rng, query, [1, 1, 7, 20, 2, 1], lanes=1)
    line_fields = [{"bound": len(values(w))} for w in windows]
    beats = payloads(windows, draw_of(rng, query), line_fields)
    outputs = run_streams(Kernels(plan), {"i": beats}, {"o": 6}, stall_out=0.2)["o"].payloads
    for output, window_ in zip(outputs, windows, strict=True):
        xs = [tuple_["x"] for tuple_ in values(window_)]
        assert (output["results"]["r0"], output["results"]["r2"]) == (min(xs), sum(xs))
        assert output["results"]["r1"] == sorted(xs)[(len(xs) + 1) // 2 - 1]
        # 0.90625 is 29 / 32; the rank is rounded up.
        assert output["results"]["r3"] == sorted(xs)[(29 * len(xs) + 31) // 32 - 1]
        assert (output["results"]["r4"], output["results"]["r6"]) == (len(xs), max(xs))


def test_a_plan_computes_latency_without_hardware(monkeypatch):
    def refuse(cls, *_, **__):
        raise AssertionError(f"{cls.__name__} is made")

    plan, _ = point("int(8)", ALL_RESULTS)
    monkeypatch.setattr(Elaboratable, "__new__", refuse)
    assert plan.latency_of(8) > plan.latency_of(4) > 0
    assert plan.interval_of(8) == 2
    assert plan.interval_of(8, lines=5) == 5
    assert plan.memory_bits == 64 * 9  # a value and its padding flag
    assert point("int(8)", REDUCED)[0].memory_bits == 0


def test_refuses():
    with pytest.raises(ValueError, match=r"^results must be without count\(distinct x\), which"):
        point("int(8)", "count(distinct x)")
    with pytest.raises(ValueError, match=r"^percentiles must be of one column, not of x, y$"):
        point("int(8)", "median(x), median(y)")
    plan, _ = point("int(8)", ALL_RESULTS)
    with pytest.raises(
        ValueError, match=r"^lines must be at least 1, and results not selected, fo"
    ):
        point("float", "sum(x)")
    with pytest.raises(ValueError, match=r"^targets must be those of the percentiles, not \(\)$"):
        replace(plan, targets=())
