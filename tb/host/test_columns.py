"""Checks conversion of values to raw integers and back: ends of types, ties, and values that do
not fit."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from host import TableError
from host.columns import is_nan, order_key, raw_of, values_of
from host.description import Field

INF, NAN = float("inf"), float("nan")


def raw(values, type_, **options):
    """Returns raw integers. Texts are objects, because an array of texts drops final zeros."""
    kind = object if isinstance(values[0], str) else None
    return raw_of(np.array(values, kind), "x", type_, **options).tolist()


def field(type_, width, signed=True, fraction=0):
    return Field(name="x", offset=0, width=width, signed=signed, type=type_, fraction=fraction)


def test_fixed_point_is_rounded_to_the_nearest_ties_to_even():
    assert raw([1.5, -0.25, 0.5 / 16, 1.5 / 16, 2.5 / 16, 1 / 3], "fixed(4,4)") == [
        24,
        -4,
        0,
        2,
        2,
        5,
    ]
    assert raw([7, -8], "fixed(4,4)") == [112, -128]
    assert raw([7.96875 - 1e-9], "fixed(4,4)") == [127]
    assert raw([112, -128], "fixed(4,4)", raw=True) == [112, -128]


def test_wide_floats_are_rounded_once():
    """5/32 and a little more is nearer to 3/16; rounded to 64 bits first, it would be a tie.

    On a machine whose widest float has 64 bits the sum itself is rounded to 5/32, which is a tie.
    """
    value = np.longdouble(5) / 32 + np.longdouble(2) ** -60
    rounded = 3 if np.finfo(np.longdouble).nmant >= 60 else 2
    assert raw_of(np.array([value]), "x", "fixed(4,4)").tolist() == [rounded]
    assert raw_of(np.array([5 / 32]), "x", "fixed(4,4)").tolist() == [2]


def test_ends_of_types_are_in():
    """A float64 has only some of the greatest integers, such as 2^63 - 2^10 but not 2^63 - 1."""
    assert raw([2**63 - 1, -(2**63)], "int(64)") == [2**63 - 1, -(2**63)]
    assert raw_of(np.array([2**64 - 1], np.uint64), "x", "uint(64)").tolist() == [2**64 - 1]
    assert raw([-1.0, 0.0, 1 - 2.0**-53], "fixed(1,63)") == [-(2**63), 0, 2**63 - 2**10]
    assert raw([0, 1], "uint(1)") == [0, 1]
    assert raw([True, False], "uint(1)") == [1, 0]
    assert raw([3.0, -4.0], "int") == [3, -4]


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([0, 2**31], "int"),
        ([0, -(2**31) - 1], "int"),
        ([0, 2], "uint(1)"),
        ([0, -1], "uint(64)"),
        ([0.0, 2.0**64], "uint(64)"),
        ([0.0, 1.0], "fixed(1,63)"),
        ([0.0, 8.0], "fixed(4,4)"),
        ([0.0, 7.97], "fixed(4,4)"),  # nearest is 8
        ([0.0, 1e300], "fixed(2,62)"),  # a product that is infinite
        ([0.0, NAN], "fixed(4,4)"),
        ([0.0, INF], "fixed(4,4)"),
        ([0.0, NAN], "int"),
        ([0.0, INF], "int"),
        ([0.0, 0.5], "int"),
        ([0.0, 1e39], "float"),
        (["", "abcde"], "string(4)"),
        (["", "\u20ac\u20ac"], "string(5)"),
        (["", "abcd\0"], "string(4)"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_values_that_do_not_fit_are_named(values, type_):
    with pytest.raises(TableError, match="column x, row 1: "):
        raw(values, type_)


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (10**400, "double"),
        (Decimal("1e60"), "float"),
        (Fraction(10) ** 40, "float"),
        (1e300, "float"),
    ],
)
def test_a_finite_object_is_never_infinite(value, type_):
    with pytest.raises(TableError, match=f"column x, row 1: must fit {type_}"):
        raw_of(np.array([0, value], object), "x", type_)


@pytest.mark.parametrize("type_", ["int", "fixed(8,8)", "float", "double"])
@pytest.mark.parametrize(
    "text",
    ["1/3", "1_000", "1e9999999", "", "x", "0x1", "\u0661", "1\n", "\u00a01", f"0.{'0' * 1200}"],
)
def test_texts_that_are_no_numbers(text, type_):
    """Python's Fraction and float read some of these texts, and golden reads none."""
    message = re.escape(f"column x, row 0: must be a number for {type_}")
    for kind in (object, str):
        with pytest.raises(TableError, match=message):
            raw_of(np.array([text], kind), "x", type_)


def test_texts_of_numbers():
    assert raw(["0.5", "-1.25", " 2e1 "], "fixed(8,8)") == [128, -320, 20 << 8]
    assert raw_of(np.array(["0.5", "nan"], object), "x", "double").tolist()[0] == 0x3FE << 52
    assert raw(["1e0002"], "int(16)") == [100]
    assert raw([f"0.{'0' * 1198}", f" {'0' * 1199}7\t"], "int(16)") == [0, 7]  # the longest
    with pytest.raises(TableError, match="row 0: must be a number for int"):
        raw(["0" * 1200 + "7"], "int(16)")


def test_zero_bytes_at_the_end_of_a_text_are_padding():
    assert raw(["a\0"], "string(4)") == raw(["a"], "string(4)")


@pytest.mark.parametrize("kind", [object, str])
def test_texts_are_numbers_of_golden(kind):
    """A text of a number beyond the type is refused; any other text is rounded once."""
    for text, type_ in (("1e39", "float"), ("-1e400", "double")):
        with pytest.raises(TableError, match=f"row 0: must fit {type_}"):
            raw_of(np.array([text], kind), "x", type_)
    text = "1.000000059604644775390625000001"
    assert raw_of(np.array([text], kind), "x", "float").tolist() == [0x3F800001]
    assert raw_of(np.array(["5", "-3"], kind), "x", "int(16)").tolist() == [5, -3]
    infinite = raw_of(np.array(["-Infinity", "nan"], kind), "x", "float").tolist()
    assert infinite[0] == 0xFF800000


@pytest.mark.parametrize(
    "values", [np.array([1 + 2j]), np.array([b"1_000"]), np.array([b"1_5", 2], object)]
)
@pytest.mark.parametrize("type_", ["int", "fixed(8,8)", "double"])
def test_complex_numbers_and_bytes_are_refused(values, type_):
    with pytest.raises(TableError, match=f"column x must be of numbers, not {values.dtype}"):
        raw_of(values, "x", type_)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_integers_of_numpy_in_objects_do_not_overflow(kind):
    values = np.empty(1, object)
    values[0] = kind(100)
    assert raw_of(values, "x", "fixed(16,48)").tolist() == [100 << 48]
    assert raw_of(values, "x", "int(8)").tolist() == [100]
    assert raw_of(values, "x", "double").tolist() == [0x4059 << 48]


def test_a_product_that_would_overflow_does_not_fit():
    values = np.empty(1, object)
    values[0] = np.int64(1 << 40)
    with pytest.raises(TableError, match=r"column x, row 0: must fit fixed\(8,24\)"):
        raw_of(values, "x", "fixed(8,24)")


@pytest.mark.parametrize("value", [np.datetime64(5, "ns"), np.timedelta64(5, "ns")])
@pytest.mark.parametrize("type_", ["int(64)", "double"])
def test_dates_in_objects_are_refused(value, type_):
    values = np.empty(1, object)
    values[0] = value
    with pytest.raises(TableError, match="column x must be of numbers, not object"):
        raw_of(values, "x", type_)


def test_half_of_a_surrogate_pair_is_no_text():
    with pytest.raises(TableError, match="column x, row 1: must be a text in UTF-8, not "):
        raw_of(np.array(["a", "\ud800"], object), "x", "string(4)")


def test_objects_are_rounded_once_to_float():
    """The value is just above a tie of two floats; its nearest float of 64 bits is the tie."""
    above_tie = Decimal("1.000000059604644775390625000000000001")
    values = [
        above_tie,
        above_tie.copy_negate(),
        Fraction(above_tie),
        2**60 + 2**36 + 1,
        2**60 + 2**36,
        1 + 2.0**-24,
    ]
    raws = raw_of(np.array(values, object), "x", "float")
    floats = raws.astype(np.uint32).view(np.float32).tolist()
    up = 1 + 2.0**-23
    assert floats == [up, -up, up, 2.0**60 + 2.0**37, 2.0**60, 1.0]


def test_fixed_point_without_a_fraction_is_rounded():
    assert raw([0.5, 1.5, -2.5], "fixed(64,0)") == [0, 2, -2]
    values = np.array([Decimal("0.5"), Fraction(7, 2)], object)
    assert raw_of(values, "x", "fixed(8,0)").tolist() == [0, 4]
    with pytest.raises(TableError, match="must be a whole number"):
        raw_of(np.array([0.5]), "x", "fixed(64,0)", raw=True)


def test_infinity_stays():
    values = np.array([INF, -INF, Decimal("Infinity"), "-inf"], object)
    raws = raw_of(values, "x", "float")
    assert raws.view(np.uint64).astype(np.uint32).view(np.float32).tolist() == [INF, -INF] * 2


@pytest.mark.parametrize("type_", ["uint(64)", "fixed(40,24)", "double"])
@pytest.mark.parametrize("kind", ["datetime64[ns]", "datetime64[us]", "timedelta64[ns]"])
def test_dates_are_refused(type_, kind):
    """Their integers would be numbers of nanoseconds, whatever the unit of the column is."""
    with pytest.raises(TableError, match=r"column x must be of numbers, not .*64.*in the unit of"):
        raw_of(np.array([0, 1], kind), "x", type_)


def test_floating_point_is_its_bits():
    values = [0.0, -0.0, 1.5, INF, -INF, NAN]
    for type_, kind, width in (("float", np.float32, 32), ("double", np.float64, 64)):
        raws = raw_of(np.array(values), "x", type_)
        assert raws.tolist() == np.array(values, kind).view(f"u{width // 8}").tolist()
        back = values_of(raws, field(type_, width, signed=False))
        assert back.dtype == kind
        assert back.tobytes() == np.array(values, kind).tobytes()


def test_strings_are_their_bytes_the_first_one_highest():
    raws = raw_of(np.array(["", "a", "ab"]), "x", "string(2)")
    assert raws.tolist() == [0, 0x6100, 0x6162]
    assert values_of(raws, field("string(2)", 16, signed=False)).tolist() == ["", "a", "ab"]
    nine_bytes = raw_of(np.array(["a" * 9]), "x", "string(9)")
    assert nine_bytes.tolist() == [int.from_bytes(b"a" * 9, "big")]


def test_values_of_fixed_point():
    fixed_point = field("fixed(4,4)", 8, fraction=4)
    assert values_of(np.array([24, -4]), fixed_point).tolist() == [1.5, -0.25]
    assert values_of(np.array([24, -4]), fixed_point, raw=True).tolist() == [24, -4]


def test_unsigned_values_beside_objects():
    """Raw integers of up to 64 bits become numbers of NumPy, and wider ones stay Python's."""
    raws = np.array([0, 2**64 - 1], object)
    values = values_of(raws, field("uint(64)", 64, signed=False))
    assert (values.dtype, values.tolist()) == (np.uint64, [0, 2**64 - 1])
    sums = values_of(np.array([0, 2**65 - 1], object), field(None, 65, signed=False))
    assert (sums.dtype, sums.tolist()) == (object, [0, 2**65 - 1])


@pytest.mark.parametrize("type_", ["float", "double"])
def test_floats_are_sorted_with_the_lesser_zero_first(type_):
    values = np.array([0.0, -1.5, -0.0, INF, -INF, 2.0])
    order = np.argsort(order_key(raw_of(values, "x", type_), type_), kind="stable")
    assert values[order].tobytes() == np.array([-INF, -1.5, -0.0, 0.0, 2.0, INF]).tobytes()


def test_only_floats_are_not_a_number():
    values = np.array([0.0, NAN, INF, -NAN])
    for type_ in ("float", "double"):
        assert is_nan(raw_of(values, "x", type_), type_).tolist() == [False, True, False, True]
    raws = np.array([0x7FC00000, 0])  # the bits of a NaN
    assert is_nan(raws, "uint(32)").tolist() == [False, False]
