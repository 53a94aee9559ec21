"""Checks the sizes of rings for an expected ratio, from the sizes that the documents promise."""

from fractions import Fraction

import pytest
from amaranth.hdl import Fragment

from query.parser import parse
from rtl.engine.streamzip import ENGINE
from rtl.engine.streamzip.expected_ratio import expected_ring, ratio_of

ROWS = "ROWS 4096 SLIDE 1"
SCHEMA = "CREATE INPUT STREAM S (t uint(32), k uint(32), x {type});\n"


def design_of(window, type_="int(64)", **options):
    text = SCHEMA.format(type=type_) + f"SELECT k, min(x) FROM S [PARTITION BY k {window}];"
    return ENGINE.design(ENGINE.options(query=parse(text), **options))


def memory_of(design):
    """Returns the bytes behind all memory masters."""
    return sum(number.area for number in design.settings.numbers if number.area is not None)


def test_rings():
    """Lines over ratio, 2 % and 3 blocks more, rounded up to segments: see the docstring."""
    assert expected_ring(Fraction(5), 512, 4, 1) == (112, 1)
    assert expected_ring(Fraction(1), 512, 4, 1) == (528, 1)
    assert expected_ring(Fraction(21), 512, 4, 1) == (28, 1)
    assert expected_ring(Fraction(1, 2), 8, 1, 1) == (20, 1)
    # Stripes of 4 and of 2 lines at 4 ports would need rings of 32 blocks.
    assert expected_ring(Fraction(21), 512, 4, 8) == (28, 1)
    assert expected_ring(Fraction(64), 8, 4, 64) == (8, 1)


def test_stripes_are_shorter_where_they_cost_memory():
    """Four stripes of 8 lines are 32 blocks, so 526 blocks would be 544; of 4 lines 528.

    Copies on the chip need a multiple of 8 blocks in any case.
    """
    assert expected_ring(Fraction(1), 512, 4, 8) == (528, 4)
    assert expected_ring(Fraction(5), 512, 4, 8) == (112, 4)
    assert expected_ring(Fraction(29, 5), 512, 4, 8) == (96, 8)
    assert expected_ring(Fraction(21), 512, 4, 2, copies=8) == (32, 2)


@pytest.mark.parametrize(
    ("codec", "type_", "ratio", "most"),
    [
        ("base-delta", "int(64)", "5", Fraction(1024, 9)),
        ("xor", "double", "5", Fraction(1024, 9)),
        ("sz", "double", "21", Fraction(256, 9)),
        ("base-delta", "int(64)", "1", Fraction(21, 20) * 512),
        ("xor", "double", "1", Fraction(21, 20) * 512),
        ("grid", "double", "1", Fraction(21, 20) * 512),
        ("sz", "double", "1", Fraction(21, 20) * 512),
    ],
)
def test_memory_of_16384_keys(codec, type_, ratio, most):
    """At most 512 MiB / 4.5 with the ratios of the project's own trace, SZ 512 MiB / 18; at most
    5 % more than without a codec for white noise. Stripes of several lines change nothing.
    """
    uncompressed = memory_of(design_of(ROWS, type_))
    assert uncompressed == 512 << 20
    for stripe in (1, 2, 8, 64):
        options = {"codec": codec, "expected_ratio": ratio, "stripe_lines": stripe}
        assert memory_of(design_of(ROWS, type_, **options)) <= most * (1 << 20)


def test_131072_keys_fit_into_1_gib():
    design = design_of(ROWS, codec="base-delta", expected_ratio="5", entries=1 << 17)
    bases = [number for number in design.settings.numbers if number.area is not None]
    assert max(base.value + base.area for base in bases) <= 1 << 30
    assert "overflowed_windows" in [counter.name for counter in design.counters]
    assert memory_of(design_of(ROWS, entries=1 << 17, address_bits=33)) == 4 << 30


def test_the_largest_rings_on_a_chip():
    """Rings of exactly 64 MiB are allowed; twice as many keys are refused."""
    sizes = {"m3_kind": "block", "entries": 1 << 11}
    assert memory_of(design_of(ROWS, **sizes)) == 0
    with pytest.raises(ValueError, match="4096 keys take 134217728 bytes, and 67108864 is"):
        design_of(ROWS, **sizes | {"entries": 1 << 12})


def test_windows_of_time():
    """A ring holds lines of 4 stamped values; its number of blocks is no longer ``window_max``."""
    window = "RANGE 64 SLIDE 8 WATTR t"
    options = {"codec": "base-delta", "window_max": 1024, "entries": 16}
    assert memory_of(design_of(window, **options)) == 16 * 1024 * 64
    assert memory_of(design_of(window, **options, expected_ratio="4")) == 16 * 72 * 64


def test_refusals():
    text = "expected_ratio must be none, or a number from 1/8 to 64 such as 4.5, not "
    for ratio in ("0", "65", "1/9", "4,5", "1/0", "nan", "", "None", "1e99999999"):
        with pytest.raises(ValueError, match=f"^{text}{ratio}$"):
            design_of(ROWS, codec="xor", expected_ratio=ratio)
    assert [ratio_of("4.5"), ratio_of("1/8"), ratio_of(5)] == [Fraction(9, 2), Fraction(1, 8), 5]
    assert ratio_of("none") is None
    text = "expected_ratio must be none with codec=none, not 4"
    with pytest.raises(ValueError, match=f"^{text}$"):
        design_of(ROWS, expected_ratio="4")


def test_without_a_ratio_no_window_is_marked():
    design = design_of(ROWS, codec="base-delta")
    assert "overflowed_windows" not in [counter.name for counter in design.counters]
    assert memory_of(design) == 1 << 30


def test_a_ring_is_never_larger_than_one_for_every_window():
    """Windows of 64 have 11 blocks of 6 values in the worst case, and 3 more: rounded up, 16."""
    options = {"codec": "base-delta", "entries": 16}
    blocks = [
        design_of("ROWS 64 SLIDE 1", **options, expected_ratio=ratio).options.coding.ring.blocks
        for ratio in ("none", "1/8", "1/2", "1")
    ]
    assert blocks == [16, 16, 16, 12]


def test_a_cache_beside_a_ring_of_any_size():
    """The walks of the cache save the number of each block: 12 blocks take memories of 16."""
    options = {"codec": "base-delta", "cached_keys": 2, "entries": 16}
    window = "ROWS 64 SLIDE 1"
    sizes = [
        design_of(window, **options, expected_ratio=ratio).prediction.memory_bits
        for ratio in ("2", "1")
    ]
    built = design_of(window, **options, expected_ratio="1")
    assert built.options.coding.ring.blocks == 12
    number_bits = built.options.coding.ring.number_bits
    assert sizes[1] - sizes[0] >= 2 * (16 - 8) * number_bits
    Fragment.get(built.create(), None)
