"""Random queries and tuples, and the check of golden's rows for them."""

import math
from fractions import Fraction

import pyarrow as pa

from golden.answer import row_types
from golden.compare.tables import first_difference
from golden.plans.row_windows import SHORT
from golden.tuples import Tuples, arrow_type
from query.aggregate import Aggregate, Function, Item
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, UInt
from query.window import Range, Rows, WholeStream

T, T64, N = Column("t", Int(32)), Column("t64", UInt(64)), Column("n", Int(16))
U, V, X = Column("u", UInt(64)), Column("v", Int(64)), Column("x", Fixed(8, 24))
F, D, S, G = (
    Column("f", Float()),
    Column("d", Double()),
    Column("s", String(3)),
    Column("g", UInt(8)),
)
SCHEMA = Schema("S", (T, T64, N, U, V, X, F, D, S, G))
NUMBERS = (N, U, V, X, F, D)
KEYS = (G, S, N, F)
FLOATS = (0.0, -0.0, 1.5, -1.5, 0.1, 1e-30, 3e38, -3e38, math.inf, math.nan)


def item(function, column, fraction=None):
    name = f"{function} {column.name if column else '*'} {fraction or ''}".strip()
    return Item(Aggregate(function, column, name, fraction), name)


def random_value(rng, column, time):
    type_ = column.type
    if column.name in ("t", "t64"):
        return time
    if isinstance(type_, String):
        return rng.choice(["", "a", "ab", "b", "é", "z"])
    if isinstance(type_, Double):
        return rng.choice(FLOATS)
    if isinstance(type_, Float):
        return pa.scalar(rng.choice(FLOATS), pa.float32()).as_py()
    if rng.random() < 0.5:
        return rng.randrange(max(-2, type_.raw_min), 4)
    return rng.choice([type_.raw_min, type_.raw_max, rng.randint(type_.raw_min, type_.raw_max)])


def random_tuples(rng, columns, count):
    out, time = [], rng.randrange(100)
    for _ in range(count):
        time += rng.choice([0, 0, 1, 1, 2, 3, rng.randrange(30)])
        seen = max(0, time - rng.choice([0, 0, 0, 1, 4, 9, 20]))
        out.append({column.name: random_value(rng, column, seen) for column in columns})
    return out


def random_items(rng):
    chosen = [item(Function.COUNT, None)]
    for _ in range(rng.randrange(1, 5)):
        function = rng.choice([f for f in Function if f != Function.COUNT])
        p = Fraction(rng.randrange(1, 101), 100) if function == Function.PERCENTILE else None
        chosen.append(item(function, rng.choice(NUMBERS), p))
    return tuple({i.name: i for i in chosen}.values())


def random_where(rng, depth=0):
    if depth < 2 and rng.random() < 0.4:
        terms = tuple(random_where(rng, depth + 1) for _ in range(2))
        return rng.choice([And, Or])(terms)
    column = rng.choice([*NUMBERS, S, G])
    value = random_value(rng, column, 0)
    while value != value:
        value = random_value(rng, column, 0)
    text = value if isinstance(value, str) else repr(value)
    raw = column.type.parse(text) if column.type.floating or not column.type.numeric else value
    return Comparison(column, rng.choice(list(Op)), raw)


def random_window(rng, kind):
    size = rng.randrange(1, 13)
    if kind == "partition rows" and rng.random() < 0.5:
        size += SHORT  # beyond SHORT golden uses another plan
    slide = rng.randrange(1, size + 1)
    partition = rng.choice([G, S, N, F]) if kind.startswith("partition") else None
    if kind == "whole":
        return WholeStream()
    if kind.endswith("rows"):
        return Rows(size=size, slide=slide, partition=partition)
    time, slack = rng.choice([T, T64]), rng.choice([0, 0, 1, 3, 10])
    return Range(size=size, slide=slide, attribute=time, slack=slack, partition=partition)


def random_query(rng, kind):
    window = random_window(rng, kind)
    group = rng.choice(KEYS) if kind == "whole" else None
    if kind in ("rows", "range") and rng.random() < 0.5:
        group = rng.choice(KEYS)
    where = random_where(rng) if rng.random() < 0.3 else None
    return Query(schema=SCHEMA, items=random_items(rng), window=window, where=where, group=group)


def as_tuples(query, tuples):
    names = [(column.name, arrow_type(column.type)) for column in query.columns]
    columns = {name: pa.array([t[name] for t in tuples], kind) for name, kind in names}
    return Tuples(query.schema, pa.table(columns))


def as_rows(query, rows):
    return pa.table(
        {name: pa.array([row[name] for row in rows], kind) for name, kind in row_types(query)}
    )


def check(query, expected, actual, seed):
    difference = first_difference(as_rows(query, expected), actual)
    assert difference is None, f"seed {seed}: {query} {query.window}: {difference}"
