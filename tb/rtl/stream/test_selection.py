"""Checks WHERE: operators over all kinds of types, nesting, NaNs, and constants from settings."""

import math
import operator
import random

import pytest

from query.predicate import Comparison, Op, Or
from query.schema import Column
from query.types import Double, Fixed, Float, Int, String, UInt
from rtl.engine.parts.columns import shape_of, tuple_layout
from rtl.stream.selection import constant_names, needs_selection, verdict
from tb.rtl.gates import evaluate
from tb.rtl.stream.nested_where import A, B, F, nested, passes, query, random_row

OPERATORS = {
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}
TYPES = [Int(5), UInt(4), Fixed(2, 3), String(1), Float(), Double()]


def verdicts(query, rows, settings=None):
    """Returns (NaN, fails) for each row.

    ``settings`` has a mapping of the setting's name to its constant for each row. Constant k is
    compared with column k of the query.
    """
    settings = [{}] * len(rows) if settings is None else settings
    types = {c.name: c.type for c in query.columns}
    set_ = dict(zip(constant_names(query), map(shape_of, types.values()), strict=False))
    shapes = {name: shape for name, shape in set_.items() if name in settings[0]}
    outputs = evaluate(
        {"row": tuple_layout(query.columns), **shapes},
        {"nan": 1, "fails": 1},
        lambda row, **numbers: dict(
            zip(
                ("nan", "fails"),
                verdict(query, {name: row[name] for name, _ in row.shape()}, numbers),
                strict=True,
            )
        ),
        [{"row": row} | values for row, values in zip(rows, settings, strict=True)],
    )
    return [(bool(g["nan"]), bool(g["fails"])) for g in outputs]


def key(type_, raw):
    """Returns the value that Python compares for a raw: text for strings, otherwise a number, with
    -0 < +0."""
    value = type_.value(raw)
    if type_.floating:
        return (value, 0 if math.copysign(1, value) < 0 else 1)
    return value


def corner_raws(type_):
    if type_.floating:
        numbers = ["-inf", "-2.5", "-1e-30", "-0.0", "0.0", "1e-30", "2.5", "inf"]
        return [type_.parse(number) for number in numbers]
    if isinstance(type_, String):
        return [type_.parse(text) for text in ("", "A", "B", "a")]
    return sorted({type_.raw_min, -1 if type_.signed else 1, 0, 2, type_.raw_max})


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("op", list(Op))
def test_every_operator(type_, op):
    """The constant is built in, or comes from a setting, which overrides the built-in constant."""
    column = Column("x", type_)
    raws = corner_raws(type_)
    rows = [{"x": raw} for raw in raws]
    for constant in raws[1:6:2]:
        fails = [not OPERATORS[op](key(type_, raw), key(type_, constant)) for raw in raws]
        built = query(Comparison(column, op, constant), column)
        assert verdicts(built, rows) == [(False, bad) for bad in fails], constant
        other = query(Comparison(column, op, raws[0]), column)
        settings = [{"where0": constant}] * len(rows)
        assert verdicts(other, rows, settings) == [(False, bad) for bad in fails], constant


def test_nesting_and_nans():
    """A tuple with a NaN is not counted as failing WHERE."""
    rng = random.Random(11)
    rows = [random_row(rng) for _ in range(400)]
    nans = [math.isnan(F.type.value(row["f"])) for row in rows]
    expected = [(nan, not nan and not passes(row)) for row, nan in zip(rows, nans, strict=True)]
    result = verdicts(query(nested(), A, B, F), rows)
    # pytest takes a minute to compare long lists that differ everywhere.
    assert [pair for pair in zip(result, expected, strict=True) if pair[0] != pair[1]] == []


def test_constants_in_the_order_of_the_text():
    where = Or((Comparison(A, Op.LT, 0), Comparison(B, Op.EQ, 0)))
    assert constant_names(query(where, A, B)) == ("where0", "where1")
    rng = random.Random(3)
    rows = [{"a": rng.randrange(-8, 8), "b": rng.randrange(8)} for _ in range(200)]
    settings = [{"where0": rng.randrange(-8, 8), "where1": rng.randrange(8)} for _ in rows]
    assert verdicts(query(where, A, B), rows, settings) == [
        (False, not (row["a"] < set_["where0"] or row["b"] == set_["where1"]))
        for row, set_ in zip(rows, settings, strict=True)
    ]


def test_a_nan_in_any_column_of_floats():
    """Each row has a float and a double, by their bits; infinities are no NaN."""
    columns = F, Column("d", Double())
    one, inf = (0x3F80_0000, 0x3FF << 52), (0x7F80_0000, 0x7FF << 52)
    nan, negative_nan = (0x7F80_0001, (0x7FF << 52) + 1), ((1 << 32) - 1, (1 << 64) - 1)
    rows = [one, inf, (nan[0], one[1]), (one[0], nan[1]), (negative_nan[0], inf[1]), negative_nan]
    result = verdicts(query(None, *columns), [{"f": f, "d": d} for f, d in rows])
    assert result == [(bad, False) for bad in (False, False, True, True, True, True)]


def test_needed():
    assert needs_selection(query(Comparison(A, Op.GE, 0), A))
    assert needs_selection(query(None, A, F))
    assert not needs_selection(query(None, A, B))
