"""Checks aggregates over runs of equal tuples against plain tuples.

`test_neighbours.py` also aggregates states by ``Lifted``; here only its result is checked.
"""

import random

import pytest
from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.folded import Lifted, Repeated
from rtl.aggregate.operator import TIMES, Product, Tuple
from rtl.aggregate.percentile import Percentile
from tb.rtl.aggregate.models import MODELS, SHAPES, draw, make
from tb.rtl.gates import evaluate

RUNS = unsigned(4)
#: Operators that can repeat a tuple, without count(distinct), whose ``fresh`` mark is no column.
KINDS = [cls for cls in MODELS if cls is not CountDistinct and make(cls, unsigned(4), 4).repeats]


def bounded(operator, each=15, tuples=30):
    return Repeated(operator, each=each, tuples=tuples)


def test_the_operators_that_repeat():
    """The other tests take their cases from ``KINDS``, so it must contain these operators."""
    assert {cls.__name__ for cls in KINDS} >= {"Count", "Sum", "Avg", "Min", "Max"}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("cls", KINDS)
def test_a_run_is_so_many_tuples(cls, shape):
    """Combines two runs, each of one row; an average is compared by its sum and count."""
    rng, operator = random.Random(f"{cls} {shape}"), make(cls, shape, 5)
    repeated = bounded(Product(r0=operator))
    row = data.StructLayout({"x": shape, TIMES: RUNS})

    def logic(a, b):
        states = [repeated.lift(Tuple(row=run), 0) for run in (a, b)]
        return repeated.combine(*states, 0)

    vectors = []
    for first, second in zip(draw(rng, shape, 40), draw(rng, shape, 40), strict=True):
        runs = {"a": first, "b": second}
        vectors.append({n: {"x": t["x"], TIMES: rng.randint(1, 15)} for n, t in runs.items()})
    results = evaluate({"a": row, "b": row}, repeated.state(2).members, logic, vectors)
    for vector, result in zip(vectors, results, strict=True):
        tuples = [{"x": run["x"]} for run in vector.values() for _ in range(run[TIMES])]
        state = dict(result["r0"])
        if "count" in state:
            assert state == {"value": sum(t["x"] for t in tuples), "count": len(tuples)}
        else:
            assert state == {"value": MODELS[cls](tuples)}


@pytest.mark.parametrize("cls", KINDS)
def test_widths_are_those_of_all_tuples_at_most(cls):
    operator = make(cls, SHAPES[0], 9)
    assert bounded(operator).state(1) == operator.state(15)
    assert bounded(operator).state(4) == operator.state(30)
    assert Lifted(operator, "r0", each=15, tuples=30).result == operator.result


def test_what_needs_each_tuple_does_not_repeat():
    operator = Percentile("x", 4, 0)
    with pytest.raises(NotImplementedError, match="Percentile does not repeat"):
        bounded(operator).lift(Tuple(row={"x": 1, TIMES: 2}), 0)
