"""Checks indices of keys by zlib, a CRC by long division, and Spark."""

import random
import zlib

import pytest
from amaranth.hdl import signed
from pyspark.sql.functions import crc32

from golden.spark.session import session
from rtl.keyed.table.key_hash import FUNCTIONS, KeyHash
from tb.rtl.gates import evaluate
from tb.rtl.keyed.table.models import POLYNOMIALS, crc, message_of


def some_keys(width):
    rng = random.Random(width)
    ends = [0, 1, (1 << width) - 1, 1 << width - 1]
    return [*ends, *(1 << k for k in range(width)), *(rng.getrandbits(width) for _ in range(60))]


def test_published_check_values():
    """Check values of the nine bytes "123456789", from the catalogue of CRCs."""
    checks = (0xCBF43926, 0xE3069283, 0x1697D06A, 0x87315576)
    assert [crc(polynomial, b"123456789") for polynomial in POLYNOMIALS] == list(checks)
    assert [function().compute(b"123456789") for function in FUNCTIONS] == list(checks)


@pytest.mark.parametrize("width", [1, 3, 8, 12, 32, 33, 64])
@pytest.mark.parametrize("way", range(4))
def test_index_is_the_lowest_bits_of_a_crc(width, way):
    keys = some_keys(width)
    key_hash = KeyHash(way=way, key_width=width, bits=14)
    actual = evaluate(
        {"key": width},
        {"index": 14},
        lambda key: {"index": key_hash.network(key)},
        [{"key": key} for key in keys],
    )
    expected = [crc(POLYNOMIALS[way], message_of(key, width)) % 2**14 for key in keys]
    assert [one["index"] for one in actual] == expected
    assert [key_hash.index_of(key) for key in keys] == expected
    if way == 0:
        assert expected == [
            zlib.crc32(key.to_bytes((width + 7) // 8, "little")) % 2**14 for key in keys
        ]


def test_a_signed_key_is_its_bits():
    key_hash = KeyHash(way=0, key_width=8, bits=32)
    (actual,) = evaluate(
        {"key": signed(8)},
        {"index": 32},
        lambda key: {"index": key_hash.network(key)},
        [{"key": -2}],
    )
    assert actual["index"] == zlib.crc32(b"\xfe")


def rank(rows):
    """Returns the rank of a matrix over GF(2), by elimination."""
    rows, actual = list(rows), 0
    while rows:
        pivot = rows.pop()
        if pivot:
            low = pivot & -pivot
            rows = [row ^ pivot if row & low else row for row in rows]
            actual += 1
    return actual


@pytest.mark.parametrize(("width", "bits"), [(32, 12), (32, 14), (33, 12), (64, 14)])
def test_two_ways_part_the_keys_differently(width, bits):
    """Keys with one index in a way have all indices in another way: the XORs are independent."""
    masks = [KeyHash(way=way, key_width=width, bits=bits).masks for way in range(4)]
    for a in range(4):
        for b in range(a):
            assert rank(masks[a] + masks[b]) == min(width, 2 * bits)


def test_wrong_parameters_are_refused():
    right = {"way": 0, "key_width": 8, "bits": 4}
    for parameter, text in (
        ({"way": 4}, "way must be 0 to 3, not 4"),
        ({"key_width": 0}, "key_width must be an integer of at least 1, not 0"),
        ({"bits": 33}, "bits must be an integer from 1 to 32, not 33"),
        ({"bits": 0}, "bits must be an integer from 1 to 32, not 0"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            KeyHash(**right | parameter)


@pytest.mark.spark
def test_way_0_is_the_crc32_of_spark():
    """Spark's crc32 of a column of 32 bits, its lowest byte first."""
    width = 32
    keys = some_keys(width)
    frame = session("local[2]").createDataFrame(
        [(bytearray(message_of(key, width)),) for key in keys], "key binary"
    )
    actual = [row[0] for row in frame.select(crc32("key")).collect()]
    assert [KeyHash(way=0, key_width=width, bits=32).index_of(key) for key in keys] == actual
