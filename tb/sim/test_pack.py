"""Checks conversion of Arrow columns to raw integers and back, against query.types."""

import random
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from golden.tuples import arrow_type
from query.types import Double, Fixed, Float, Int, String, UInt
from sim.pack import as_shape, order_key, to_arrow, to_raw

TYPES = (Int(7), Int(64), UInt(63), UInt(64), Fixed(8, 24), Float(), Double())
TYPES += (String(3), String(8), String(9))


def values(type_, rng):
    """Draws values as a column holds them, among them the least and the greatest of the type."""
    if isinstance(type_, String):
        texts = [
            "".join(rng.choices("aZé ", k=rng.randrange(type_.length // 2 + 1))) for _ in range(50)
        ]
        return [*texts, "", "z" * type_.length]
    raws = [rng.randint(type_.raw_min, type_.raw_max) for _ in range(50)]
    raws += [type_.raw_min, type_.raw_max] if not type_.floating else []
    if type_.floating:
        drawn = [type_.value(raw) for raw in raws if not type_.is_nan(raw)]
        return [*drawn, 0.0, -0.0, float("inf"), float("-inf")]
    return [Decimal(raw) for raw in raws] if type_ == UInt(64) else raws


def raw_of(value, type_):
    """Returns the raw integer of one value, computed by the type itself."""
    if isinstance(type_, String | Float):
        return type_.parse(value if isinstance(type_, String) else repr(value))
    return int(value)


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_raws_and_back(type_):
    plain = values(type_, random.Random(f"{type_}"))
    column = pa.chunked_array([pa.array(plain, arrow_type(type_))])
    raws = to_raw(column, type_)
    assert [int(raw) for raw in raws] == [raw_of(value, type_) for value in plain]
    assert to_arrow(raws, arrow_type(type_), type_).equals(column.combine_chunks())


@pytest.mark.parametrize("type_", [Float(), Double()], ids=str)
def test_floats_sort_in_total_order(type_):
    """The NaN of all ones is the least, and the NaN that differs only in its sign the greatest."""
    ordered = ["-inf", "-2.5", "-1e-40", "-0.0", "0.0", "1e-40", "2.5", "inf"]
    nans = (1 << type_.width) - 1, (1 << type_.width - 1) - 1
    raws = np.array([nans[0], *map(type_.parse, ordered), nans[1]], np.uint64)
    keys = order_key(raws, type_)
    assert (np.diff(keys.astype(object)) > 0).all()


def test_narrowing_by_hand():
    raws = np.array([0x1FF, 0x100, 0x0FF, -1])
    assert as_shape(raws, 9, True).tolist() == [-1, -256, 255, -1]
    assert as_shape(raws, 8, False).tolist() == [255, 0, 255, 255]
    wide = np.array([1 << 70, (1 << 72) - 1], object)
    assert as_shape(wide, 71, True).tolist() == [-(1 << 70), -1]
    assert as_shape(wide, 64, False).tolist() == [0, (1 << 64) - 1]
