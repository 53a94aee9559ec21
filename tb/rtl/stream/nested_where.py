"""A nested WHERE, rows for it, and the rows that pass by hand."""

import math
import struct

from query.aggregate import Aggregate, Function, Item
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.schema import Column, Schema
from query.types import Float, Int, UInt
from query.window import WholeStream


def query(where, *columns):
    return Query(
        schema=Schema("S", columns),
        items=tuple(Item(Aggregate(Function.MIN, c, f"min({c.name})"), c.name) for c in columns),
        window=WholeStream(),
        where=where,
        group=columns[0],
    )


A, B, F = Column("a", Int(4)), Column("b", UInt(3)), Column("f", Float())


def nested():
    return Or(
        (
            And((Comparison(A, Op.LT, -2), Or((Comparison(B, Op.EQ, 3), Comparison(B, Op.GE, 6))))),
            Comparison(A, Op.EQ, 5),
            Comparison(F, Op.GT, F.type.parse("1.5")),
        )
    )


def passes(row):
    a, b, f = row["a"], row["b"], F.type.value(row["f"])
    return (a < -2 and (b == 3 or b >= 6)) or a == 5 or f > 1.5


def random_row(rng):
    quiet, signalling, negative = 0x7FC00000, 0x7F800001, 0xFFC12345
    numbers = [struct.unpack(">I", struct.pack(">f", x))[0] for x in (-0.0, 1.5, 1.75, math.inf)]
    f = rng.choice([*numbers, quiet, signalling, negative])
    return {"a": rng.randrange(-8, 8), "b": rng.randrange(8), "f": f}
