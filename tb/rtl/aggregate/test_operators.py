"""Checks every operator against its model: scans, extreme values and algebraic laws."""

import random

import pytest
from amaranth.hdl import Shape, signed, unsigned

from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product, Segmented
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from tb.bench.unit import run_stream
from tb.rtl.aggregate.models import (
    FUNCTIONS,
    MODELS,
    SHAPES,
    Aggregation,
    beats_of,
    bounds,
    draw,
    lifted,
    make,
)
from tb.rtl.gates import evaluate

OPERATORS = [
    pytest.param(cls, shape, id=f"{cls.__name__}-{shape}") for cls in MODELS for shape in SHAPES
]


#: Operators of all functions, also of percentiles, whose results depend on marks.
LAWFUL = [
    pytest.param(cls, shape, id=f"{cls.__name__}-{shape}") for cls in FUNCTIONS for shape in SHAPES
]


@pytest.mark.parametrize(("cls", "shape"), OPERATORS)
@pytest.mark.parametrize(("lanes", "scan"), [(1, "sklansky"), (4, "kogge-stone")])
def test_scan(cls, shape, lanes, scan):
    rng = random.Random(lanes)
    streams = [draw(rng, shape, lanes * rng.randrange(1, 6)) for _ in range(8)]
    beats = beats_of(streams, lanes, [0] * len(streams))
    dut = Aggregation(make(cls, shape, 5), shape, lanes, 31, scan)
    options = {"stall_in": 0.2, "stall_out": 0.3, "seed": lanes}
    output = run_stream(dut, beats, expected=len(beats), **options).payloads
    results = [result for beat in output for result in beat["lanes"]]
    assert results == [
        MODELS[cls](tuples[: n + 1]) for tuples in streams for n in range(len(tuples))
    ]


def chain(operator, tuples):
    """Returns the state of ``tuples``, combined from the left."""
    state = lifted(operator, tuples[0], 0)
    for tuple_ in tuples[1:]:
        state = operator.combine(state, lifted(operator, tuple_, 0), 0)
    return state


def states(operator, shape, groups, logic, outputs, vectors):
    """Evaluates ``logic`` on states; ``groups`` has the number of tuples of each state."""
    inputs = {
        f"{name}{k}_{part}": shape if part == "x" else 1
        for name, size in groups.items()
        for k in range(size)
        for part in ("x", "new")
    }

    def build(**signals):
        states_by_name = {
            name: chain(
                operator,
                [
                    {part: signals[f"{name}{k}_{part}"] for part in ("x", "new")}
                    for k in range(size)
                ],
            )
            for name, size in groups.items()
        }
        return logic(**states_by_name)

    flat = [
        {f"{n}{k}_{part}": t[part] for n, ts in v.items() for k, t in enumerate(ts) for part in t}
        for v in vectors
    ]
    return evaluate(inputs, outputs, build, flat)


@pytest.mark.parametrize(("cls", "shape"), LAWFUL)
def test_associative(cls, shape):
    operator, rng = make(cls, shape, 4), random.Random(3)
    groups = {"a": 2, "b": 1, "c": 3}
    vectors = [{n: draw(rng, shape, k) for n, k in groups.items()} for _ in range(60)]

    def both(a, b, c):
        def join(x, y):
            return operator.combine(x, y, 0)

        return {"left": join(join(a, b), c), "right": join(a, join(b, c))}

    layout = operator.state(6)
    for output in states(operator, shape, groups, both, {"left": layout, "right": layout}, vectors):
        assert output["left"] == output["right"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("cls", [cls for cls in FUNCTIONS if make(cls, 4, 4).empty_is_zero])
def test_zero_is_neutral_where_the_operator_says_so(cls, shape):
    operator, rng = make(cls, shape, 4), random.Random(5)
    layout, vectors = operator.state(5), [{"a": draw(rng, shape, 2)} for _ in range(40)]

    def logic(a):
        zero = layout.const({})
        return {
            "a": a,
            "left": operator.combine(zero, a, 0),
            "right": operator.combine(a, zero, 0),
        }

    outputs = dict.fromkeys(("a", "left", "right"), layout)
    for output in states(operator, shape, {"a": 2}, logic, outputs, vectors):
        assert output["left"] == output["right"] == output["a"]


@pytest.mark.parametrize(("cls", "shape"), LAWFUL)
def test_restart_and_remove(cls, shape):
    operator, rng = make(cls, shape, 4), random.Random(4)
    groups = {"a": 2, "b": 3}
    vectors = [{n: draw(rng, shape, k) for n, k in groups.items()} for _ in range(60)]
    outputs = {"b": operator.state(5), "alone": operator.state(5), "joined": operator.state(5)}
    outputs |= {"kept": operator.state(5)}
    if operator.invertible:
        outputs |= {"removed": operator.state(5)}

    def logic(a, b):
        joined = operator.combine(a, b, 0)
        states_by_name = {
            "b": b,
            "alone": operator.restart(a, b, 1, 0),
            "joined": joined,
            "kept": operator.restart(a, b, 0, 0),
        }
        return states_by_name | (
            {"removed": operator.remove(joined, a)} if operator.invertible else {}
        )

    for output in states(operator, shape, groups, logic, outputs, vectors):
        assert output["alone"] == output["b"]
        assert output["kept"] == output["joined"]
        assert output.get("removed", output["b"]) == output["b"]


def test_which_are_invertible():
    classes = (Count, CountDistinct, Sum, Min, Max, Avg, Percentile)
    assert [cls for cls in classes if make(cls, 4, 4).invertible] == [Count, Sum, Avg]


@pytest.mark.parametrize("cls", [Sum, Avg])
@pytest.mark.parametrize("shape", [signed(3), unsigned(3), signed(1), unsigned(1)])
@pytest.mark.parametrize("tuples", [1, 2, 3, 5, 8, 31, 32])
def test_sum_never_overflows(cls, shape, tuples):
    """The sum of ``tuples`` extreme values fits the state, which is not too wide."""
    state_shape = Shape.cast(cls("x", shape, 6).state(tuples)["value"].shape)
    low, high = bounds(state_shape)
    least, greatest = bounds(shape)
    assert low <= least * tuples
    assert greatest * tuples <= high
    assert state_shape.width == shape.width + (tuples - 1).bit_length()


@pytest.mark.parametrize("width", [1, 3, 8])
@pytest.mark.parametrize("tuples", [1, 2, 7, 8, 1000])
def test_count_holds_what_its_width_says(width, tuples):
    state_shape = Shape.cast(Count(width).state(tuples)["value"].shape)
    assert state_shape == unsigned(min(width, tuples.bit_length()))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("corner", [0, 1])
def test_extremes_in_a_scan(shape, corner):
    """A long run of an extreme value is exact up to the last tuple."""
    tuples = [{"x": bounds(shape)[corner], "new": 0}] * 28
    for cls in (Sum, Avg, Count):
        dut = Aggregation(make(cls, shape, 5), shape, 4, 31)
        output = run_stream(dut, beats_of([tuples], 4, [0]), expected=7).payloads
        results = [result for beat in output for result in beat["lanes"]]
        assert results == [MODELS[cls](tuples[: n + 1]) for n in range(28)]


@pytest.mark.parametrize(("cls", "pick"), [(Min, 0), (Max, -1)])
def test_float_extrema(cls, pick):
    ordered = [0xFF800000, 0xBF800000, 0x80000000, 0x00000000, 0x3F800000, 0x7F800000]
    operator, rng = cls("x", unsigned(32), floating=True), random.Random(9)
    tuples = [{"x": rng.choice(ordered[1:5]), "new": 0} for _ in range(40)]
    tuples += [{"x": raw, "new": 0} for raw in (ordered[0], ordered[5])]
    dut = Aggregation(operator, 32, 2, 99)
    output = run_stream(dut, beats_of([tuples], 2, [0]), expected=21).payloads
    results = [result for beat in output for result in beat["lanes"]]
    raws = [t["x"] for t in tuples]
    assert results == [sorted(raws[: n + 1], key=ordered.index)[pick] for n in range(len(raws))]


def test_product_lowers_each_part():
    shape, rng = signed(5), random.Random(2)
    parts = {cls.__name__.lower(): cls for cls in MODELS}
    operator = Product(**{name: make(cls, shape, 5) for name, cls in parts.items()})
    tuples = draw(rng, shape, 28)
    dut = Aggregation(operator, shape, 4, 31)
    output = run_stream(dut, beats_of([tuples], 4, [0]), expected=7, stall_out=0.3).payloads
    results = [result for beat in output for result in beat["lanes"]]
    assert results == [
        {name: MODELS[cls](tuples[: n + 1]) for name, cls in parts.items()} for n in range(28)
    ]


def test_product_takes_out_part_by_part():
    """Removing the beginning from (n, sum, mean) leaves the end's state in each part."""
    shape, rng = signed(4), random.Random(6)
    parts = {"n": Count(4), "total": Sum("x", shape, 4), "mean": Avg("x", shape, 4)}
    operator = Product(**parts)
    assert operator.invertible
    vectors = [{name: draw(rng, shape, k) for name, k in (("a", 2), ("b", 3))} for _ in range(60)]

    def logic(a, b):
        return {"rest": operator.remove(operator.combine(a, b, 0), a)}

    evaluated = states(
        operator, shape, {"a": 2, "b": 3}, logic, {"rest": operator.state(5)}, vectors
    )
    for vector, output in zip(vectors, evaluated, strict=True):
        total = sum(tuple_["x"] for tuple_ in vector["b"])
        assert output["rest"] == {
            "n": {"value": 3},
            "total": {"value": total},
            "mean": {"value": total, "count": 3},
        }


def test_product_is_invertible_when_all_parts_are():
    shape = signed(4)
    mixed = Product(n=Count(4), least=Min("x", shape))
    assert not mixed.invertible
    state = {"n": {"value": 1}, "least": {"value": 1}}
    with pytest.raises(NotImplementedError, match=r"^Min is not invertible$"):
        mixed.remove(state, state)
    assert Product(inner=Product(n=Count(4)), total=Sum("x", shape, 4)).invertible


def test_product_refuses_two_contexts():
    select = Select((Count(4), Count(5)))
    with pytest.raises(ValueError, match=r"^at most one part must have a context, not 2$"):
        Product(a=select, b=select)


def test_segmented_forgets_what_lies_before_a_boundary():
    operator = Segmented(Sum("x", signed(4), 4))
    inputs = {"x": signed(4), "y": signed(4), "z": signed(4), "fy": 1, "fz": 1}

    def one(x, first):
        return {"first": first, "state": {"value": x}}

    def logic(x, y, z, fy, fz):
        a, b, c = one(x, 0), one(y, fy), one(z, fz)
        left = operator.combine(operator.combine(a, b, 0), c, 0)
        return {"left": left, "right": operator.combine(a, operator.combine(b, c, 0), 0)}

    rng = random.Random(1)
    vectors = [
        {n: rng.randrange(-8, 8) for n in "xyz"} | {"fy": rng.randrange(2), "fz": rng.randrange(2)}
        for _ in range(80)
    ]
    layout = operator.state(3)
    output = evaluate(inputs, {"left": layout, "right": layout}, logic, vectors)
    for v, result in zip(vectors, output, strict=True):
        run = v["z"] if v["fz"] else v["y"] + v["z"] if v["fy"] else v["x"] + v["y"] + v["z"]
        assert result["left"] == result["right"]
        assert result["left"] == {"first": v["fy"] | v["fz"], "state": {"value": run}}
