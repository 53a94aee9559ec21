"""Checks operators over runs that may be empty."""

import random
from itertools import product

import pytest
from amaranth.hdl import signed

from rtl.aggregate.avg import Avg
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product, Tuple
from rtl.aggregate.optional import Optional
from rtl.aggregate.sum import Sum
from tb.bench.unit import run_stream
from tb.rtl.aggregate.models import MODELS, Aggregation, beats_of, draw, make
from tb.rtl.gates import evaluate

SHAPE = signed(4)
TUPLES = 12
JOINS = {
    "min": (Optional(Min("x", SHAPE)), min),
    "max": (Optional(Max("x", SHAPE)), max),
    "sum": (Optional(Sum("x", SHAPE, 4)), int.__add__),
    "counted sum": (Optional(Sum("x", SHAPE, 4), counted=True), int.__add__),
}


def join(function, left, right):
    return right if left is None else left if right is None else function(left, right)


def state(operator, run, rng):
    """Returns the state of a run (number of tuples, value), with a random value for None."""
    if run is None:
        return {"some": 0, "state": {"value": rng.randrange(-8, 8)}}
    count, value = run
    return {"some": count if operator.invertible else 1, "state": {"value": value}}


def runs(rng):
    return rng.choice((None, (rng.randrange(1, 4), rng.randrange(-8, 8))))


def meaning(result):
    return result["state"]["value"] if result["some"] else None


@pytest.mark.parametrize("name", JOINS)
def test_a_tuple_is_appended(name):
    """The tuple joins a run that has tuples, and begins a run that is empty or restarts."""
    operator, function = JOINS[name]
    rng, layout = random.Random(2), operator.state(TUPLES)
    cases = [(runs(rng), rng.randrange(-8, 8), rng.getrandbits(1)) for _ in range(100)]

    def logic(left, x, restart):
        return {"after": operator.append(left, Tuple(row={"x": x}), restart, 0)}

    inputs = {"left": layout, "x": SHAPE, "restart": 1}
    vectors = [{"left": state(operator, run, rng), "x": x, "restart": r} for run, x, r in cases]
    results = evaluate(inputs, {"after": layout}, logic, vectors)
    for (run, x, restart), result in zip(cases, results, strict=True):
        count, value = (0, None) if run is None or restart else run
        assert meaning(result["after"]) == join(function, value, x)
        assert result["after"]["some"] == (count + 1 if operator.invertible else 1)


@pytest.mark.parametrize("name", JOINS)
def test_combine_takes_whichever_side_has_some(name):
    operator, function = JOINS[name]
    rng, layout = random.Random(1), operator.state(TUPLES)
    cases = [(runs(rng), runs(rng), runs(rng)) for _ in range(150)]

    def logic(a, b, c):
        def both(x, y):
            return operator.combine(x, y, 0)

        return {
            "left": both(both(a, b), c),
            "right": both(a, both(b, c)),
            "alone": operator.restart(a, b, 1, 0),
            "kept": operator.restart(a, b, 0, 0),
        }

    names = ("left", "right", "alone", "kept")
    vectors = [
        {key: state(operator, run, rng) for key, run in zip("abc", case, strict=True)}
        for case in cases
    ]
    evaluated = evaluate(dict.fromkeys("abc", layout), dict.fromkeys(names, layout), logic, vectors)
    for case, result in zip(cases, evaluated, strict=True):
        a, b, c = (None if run is None else run[1] for run in case)
        ab = join(function, a, b)
        assert meaning(result["left"]) == meaning(result["right"]) == join(function, ab, c)
        assert meaning(result["alone"]) == b
        assert meaning(result["kept"]) == ab


def test_counted_takes_out_what_was_put_in():
    operator, _ = JOINS["counted sum"]
    rng, layout = random.Random(2), operator.state(TUPLES)
    cases = [*product((None, (2, -5)), (None, (1, 7)))] * 3
    cases += [(runs(rng), runs(rng)) for _ in range(50)]

    def logic(a, b):
        return {"rest": operator.remove(operator.combine(a, b, 0), a)}

    vectors = [{"a": state(operator, a, rng), "b": state(operator, b, rng)} for a, b in cases]
    evaluated = evaluate({"a": layout, "b": layout}, {"rest": layout}, logic, vectors)
    for (_, b), result in zip(cases, evaluated, strict=True):
        assert result["rest"]["some"] == (b[0] if b else 0)
        assert meaning(result["rest"]) == (b[1] if b else None)


@pytest.mark.parametrize("name", JOINS)
def test_a_masked_run_is_empty(name):
    operator, _ = JOINS[name]
    rng, layout = random.Random(3), operator.state(TUPLES)
    cases = [(runs(rng), rng.getrandbits(1)) for _ in range(40)]

    def logic(a, condition):
        return {"o": operator.masked(a, condition)}

    vectors = [{"a": state(operator, run, rng), "condition": c} for run, c in cases]
    evaluated = evaluate({"a": layout, "condition": 1}, {"o": layout}, logic, vectors)
    for vector, result in zip(vectors, evaluated, strict=True):
        if vector["condition"]:
            assert result["o"] == vector["a"]
        else:
            assert result["o"]["some"] == 0


@pytest.mark.parametrize("tuples", [1, 7, 8])
def test_the_count_holds_the_longest_run(tuples):
    """A count that wrapped around to 0 would make a full run empty."""
    operator, _ = JOINS["counted sum"]
    layout = operator.state(tuples)

    def logic(a):
        return {"o": operator.append(a, Tuple(row={"x": 1}), 0, 0)}

    vectors = [{"a": {"some": tuples - 1, "state": {"value": -3}}}]
    (result,) = evaluate({"a": layout}, {"o": layout}, logic, vectors)
    assert result["o"]["some"] == tuples


def test_lower_says_whether_there_is_a_value():
    operator, _ = JOINS["min"]
    vectors = [{"a": {"some": some, "state": {"value": -3}}} for some in (0, 1)]

    def logic(a):
        return {"o": operator.lower(a, [], 0)}

    evaluated = evaluate({"a": operator.state(1)}, {"o": operator.result}, logic, vectors)
    assert [result["o"]["valid"] for result in evaluated] == [0, 1]
    assert evaluated[1]["o"]["value"] == -3


@pytest.mark.parametrize("counted", [False, True])
def test_quotients_pass_through(counted):
    shape, rng = signed(5), random.Random(2)
    average = Optional(make(Avg, shape, 5), counted=counted)
    operator = Product(least=Optional(make(Min, shape, 5)), mean=average)
    tuples = draw(rng, shape, 28)
    payloads = run_stream(
        Aggregation(operator, shape, 4, 31), beats_of([tuples], 4, [0]), expected=7, stall_out=0.3
    ).payloads
    assert [result for beat in payloads for result in beat["lanes"]] == [
        {
            "least": {"valid": 1, "value": MODELS[Min](tuples[: n + 1])},
            "mean": {"valid": 1, "value": MODELS[Avg](tuples[: n + 1])},
        }
        for n in range(28)
    ]


def test_counted_asks_for_an_inverse():
    assert not Optional(Sum("x", SHAPE, 4)).invertible
    with pytest.raises(ValueError, match=r"^operator must be invertible, not Min$"):
        Optional(Min("x", SHAPE), counted=True)
