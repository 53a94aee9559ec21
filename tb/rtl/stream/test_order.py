"""Checks order keys: as unsigned numbers they are in totalOrder, and decoding reverses encoding."""

import math
import random
import struct

import pytest
from amaranth.hdl import signed

from rtl.stream import order
from tb.rtl.gates import evaluate

# Ascending in IEEE-754 totalOrder.
NUMBERS = [-math.inf, -3.5, -1.0, -1e-38, -1e-45, -0.0, 0.0, 1e-45, 1e-38, 1.0, 3.5, math.inf]
FORMATS = {32: "f", 64: "d"}


def bits(width, number):
    return int.from_bytes(struct.pack(">" + FORMATS[width], number), "big")


@pytest.mark.parametrize("width", FORMATS)
def test_total_order(width):
    raws = [bits(width, number) for number in NUMBERS]
    outputs = evaluate(
        {"x": width},
        {"key": width, "back": width},
        lambda x: {"key": order.encode(x, True), "back": order.decode(order.encode(x, True), True)},
        [{"x": raw} for raw in raws],
    )
    keys = [g["key"] for g in outputs]
    assert keys == sorted(set(keys))
    assert [g["back"] for g in outputs] == raws


@pytest.mark.parametrize("width", FORMATS)
def test_random_floats(width):
    rng = random.Random(width)
    raws = [rng.getrandbits(width) for _ in range(200)]
    numbers = [struct.unpack(">" + FORMATS[width], r.to_bytes(width // 8, "big"))[0] for r in raws]
    outputs = evaluate(
        {"x": width},
        {"key": width, "nan": 1},
        lambda x: {"key": order.encode(x, True), "nan": order.is_nan(x)},
        [{"x": raw} for raw in raws],
    )
    assert [g["nan"] for g in outputs] == [int(math.isnan(number)) for number in numbers]
    numbers_with_keys = [
        (n, g["key"]) for n, g in zip(numbers, outputs, strict=True) if not math.isnan(n)
    ]
    assert [n for n, _ in sorted(numbers_with_keys, key=lambda p: p[1])] == sorted(
        n for n, _ in numbers_with_keys
    )


def test_by_hand():
    raws = {0x00000000: 0x80000000, 0x80000000: 0x7FFFFFFF, 0x3F800000: 0xBF800000}
    raws |= {0xBF800000: 0x407FFFFF, 0xFF800000: 0x007FFFFF, 0x7F800000: 0xFF800000}
    outputs = evaluate(
        {"x": 32}, {"key": 32}, lambda x: {"key": order.encode(x, True)}, [{"x": r} for r in raws]
    )
    assert [g["key"] for g in outputs] == list(raws.values())


def test_not_floating_is_itself():
    marker = object()
    assert order.encode(marker, False) is marker
    assert order.decode(marker, False) is marker


@pytest.mark.parametrize(
    ("width", "raw", "nan"),
    [
        (32, 0x7F800000, 0),
        (32, 0xFF800000, 0),
        (32, 0x7F800001, 1),
        (32, 0xFFC00000, 1),
        (32, 0x007FFFFF, 0),
        (32, 0x7F7FFFFF, 0),
        # Among random numbers of 64 bits one in 1,024 is a NaN.
        (64, 0x7FF00000_00000000, 0),
        (64, 0xFFF00000_00000000, 0),
        (64, 0x7FF00000_00000001, 1),
        (64, 0xFFF80000_00000000, 1),
        (64, 0x000FFFFF_FFFFFFFF, 0),
        (64, 0x7FEFFFFF_FFFFFFFF, 0),
    ],
)
def test_nan_by_hand(width, raw, nan):
    outputs = evaluate({"x": width}, {"nan": 1}, lambda x: {"nan": order.is_nan(x)}, [{"x": raw}])
    assert outputs == [{"nan": nan}]


@pytest.mark.parametrize("width", [1, 2, 3, 4, 7, 33])
def test_descends(width):
    rng = random.Random(width)
    top = (1 << width) - 1
    pairs = [(0, 0), (0, top), (top, 0), (top, top)]
    pairs += [(rng.getrandbits(width), rng.getrandbits(width)) for _ in range(200)]
    pairs += [(a, a ^ 1 << rng.randrange(width)) for a, _ in pairs]
    outputs = evaluate(
        {"a": width, "b": width},
        {"more": 1},
        lambda a, b: {"more": order.descends({"x": a}, {"x": b}, {"x": False})},
        [{"a": a, "b": b} for a, b in pairs],
    )
    assert [g["more"] for g in outputs] == [int(a > b) for a, b in pairs]


def test_rank_of_a_signed_number():
    """The ranks of -4 to 3 are 0 to 7."""
    outputs = evaluate(
        {"x": 3},
        {"rank": 3},
        lambda x: {"rank": order.rank(x.as_signed(), False)},
        [{"x": x & 7} for x in range(-4, 4)],
    )
    assert [g["rank"] for g in outputs] == list(range(8))


def test_unranked_reverses_rank():
    """The numbers are -4 to 3, their unsigned bits 0 to 7, and floats of both signs."""
    numbers = [bits(32, number) for number in NUMBERS]
    outputs = evaluate(
        {"x": signed(3), "u": 3, "f": 32},
        # A signed number keeps its sign in a wider signal.
        {"x": signed(5), "u": 5, "f": 32},
        lambda **values: {
            name: order.unranked(order.rank(x, name == "f"), x.shape(), name == "f")
            for name, x in values.items()
        },
        [{"x": k % 8 - 4, "u": k % 8, "f": number} for k, number in enumerate(numbers)],
    )
    assert outputs == [{"x": k % 8 - 4, "u": k % 8, "f": n} for k, n in enumerate(numbers)]


@pytest.mark.parametrize("width", [1, 2, 3, 4, 7, 33])
def test_equal(width):
    """A difference in any one bit counts, and the result is low while ``also`` is low."""
    rng = random.Random(width)
    values = [0, (1 << width) - 1, *(rng.getrandbits(width) for _ in range(3))]
    vectors = [
        {"a": a, "b": a ^ change, "also": also}
        for a in values
        for change in (0, *(1 << k for k in range(width)))
        for also in (0, 1)
    ]
    outputs = evaluate(
        {"a": width, "b": width, "also": 1},
        {"plain": 1, "equal": 1},
        lambda a, b, also: {"plain": order.equal(a, b), "equal": order.equal(a, b, also)},
        vectors,
    )
    assert [g["plain"] for g in outputs] == [int(v["a"] == v["b"]) for v in vectors]
    assert [g["equal"] for g in outputs] == [int(v["a"] == v["b"]) & v["also"] for v in vectors]


def test_descends_by_the_first_field_and_then_the_second():
    """The first field is signed, the second floating in totalOrder: -0 is before +0."""
    zeros = (1 << 31, 0)
    rows = [(k, x) for k in (-2, -1, 0, 1) for x in (0xBF800000, *zeros, 0x3F800000)]
    outputs = evaluate(
        {"k": signed(2), "x": 32, "j": signed(2), "y": 32},
        {"descends": 1},
        lambda k, x, j, y: {
            "descends": order.descends({"k": k, "x": x}, {"k": j, "x": y}, {"k": False, "x": True})
        },
        [{"k": k, "x": x, "j": j, "y": y} for k, x in rows for j, y in rows],
    )
    pairs = [a > b for a in range(len(rows)) for b in range(len(rows))]
    assert [g["descends"] for g in outputs] == pairs
