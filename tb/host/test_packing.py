"""Checks packing and unpacking of columns against Python's integers, for many field widths."""

import random

import numpy as np
import pytest

from host.description import Field, Stream
from host.packing import numbers_of, pack, unpack

WIDTHS = [1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 72, 96, 127, 128]


def stream(width, signed):
    """Returns a stream with fields of 3 bits, of ``width`` bits and of 8 bits."""
    size = -(-width // 8)
    fields = (
        Field(name="a", offset=0, width=3, signed=False),
        Field(name="x", offset=8, width=width, signed=signed),
        Field(name="b", offset=8 + 8 * size, width=8, signed=True),
    )
    return Stream("s_axis", 1, size + 2, fields, 0)


def numbers(width, signed):
    rng = random.Random(f"{width} {signed}")
    least, greatest = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    return [least, greatest, 0, greatest // 2, *(rng.randint(least, greatest) for _ in range(20))]


def column(values):
    """Returns values as an array of the type that the host class uses for them.

    The type is int64, uint64, or for wider numbers Python's integers.
    """
    for kind in (np.int64, np.uint64):
        info = np.iinfo(kind)
        if all(info.min <= value <= info.max for value in values):
            return np.array(values, kind)
    return np.array(values, object)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_bytes_are_those_of_the_numbers_the_lowest_first(width, signed):
    fields = stream(width, signed)
    values = numbers(width, signed)
    size = fields.bytes - 2
    columns = [np.full(len(values), 5), column(values), np.full(len(values), -2)]
    tuples = pack(columns, fields)
    assert tuples.dtype == np.uint8
    for row, value in zip(tuples, values, strict=True):
        wide = (value % (1 << 8 * size)).to_bytes(size, "little")
        assert row.tobytes() == b"\5" + wide + b"\xfe"
    unpacked = unpack(tuples, fields)
    assert [[int(n) for n in part] for part in unpacked] == [
        [5] * len(values),
        values,
        [-2] * len(values),
    ]
    assert (unpacked[1].dtype == object) == (width > 63 + signed)


def test_the_lowest_bits_are_a_number():
    assert numbers_of(np.array([0x1FF, 0x80, 0x7F]), 8, True).tolist() == [-1, -128, 127]
    assert numbers_of(np.array([0x1FF, 0x80, 0x7F]), 8, False).tolist() == [255, 128, 127]
    assert numbers_of([1 << 64, (1 << 64) - 1], 64, False).tolist() == [0, (1 << 64) - 1]
    assert numbers_of([1 << 63], 64, True).tolist() == [-(1 << 63)]


@pytest.mark.parametrize(
    ("width", "signed", "kind"),
    [(63, False, np.int64), (64, False, object), (64, True, np.int64), (65, True, object)],
)
def test_int64_is_used_if_it_is_wide_enough(width, signed, kind):
    assert numbers_of([0, 1], width, signed).dtype == kind
