"""Checks SZ with scales: symbols against fractions, the bound, ratios, and a block by hand."""

from collections import Counter

import numpy as np
import pytest

from golden.codecs.blocks import compress, decompress, restored_values
from golden.codecs.ratio import full_blocks, ratio_of_blocks
from golden.codecs.scaled_sz import ESCAPE, ScaledSz
from golden.codecs.symbols import BLOCK_BITS, Bits, BrokenBlockError
from golden.codecs.sz import Sz
from tb.golden.codecs.bounded import real
from tb.golden.codecs.kinds import doubles
from tb.golden.codecs.scaled import bound, encode
from tb.golden.codecs.scaled_values import CODECS, absolute, streams
from tb.golden.codecs.whole_blocks import check_each_block


@pytest.mark.parametrize("codec", CODECS, ids=str)
def test_every_value_is_within_the_bound(codec):
    """Checks that NaN and infinities are restored exactly, and other values within the bound."""
    for kind, values in streams(codec, 250, seed=1).items():
        restored = restored_values(codec, values, stamped=True)
        for value, restored_value in zip(values, restored, strict=True):
            number = real("float", codec.width, value)
            if number is None:
                assert restored_value == value, kind
            else:
                distance = abs(real("float", codec.width, restored_value) - number)
                assert distance <= bound(codec, number), (kind, value, restored_value)


@pytest.mark.in_turn
@pytest.mark.parametrize("codec", CODECS, ids=str)
def test_symbols_equal_those_of_fractions(codec):
    kinds_of_symbols = Counter()
    for kind, values in streams(codec, 100, seed=2).items():
        state = codec.initial
        for value, (small, scale, working) in zip(values, encode(codec, values), strict=True):
            previous = state
            state, symbol = codec.step(state, value)
            large = Bits()
            if working is None:
                large = Bits(ESCAPE << codec.width | value, 32 + codec.width)
                assert state == previous
            else:
                assert (state.scale, state.a) == (scale, working), (kind, value)
                if small == 3:
                    large = Bits(scale << 24 | working % 2**24, 32)
            assert (symbol.small, symbol.large) == (Bits(small, 2), large), (kind, value)
            moved = state.scale != previous.scale
            kinds_of_symbols[small, moved, working is None] += 1
    assert {(0, False, False), (3, False, True)} <= kinds_of_symbols.keys()


@pytest.mark.in_turn
def test_all_symbols_occur():
    """The default codec makes every prediction, outliers with and without a move, and escapes."""
    codes = [encode(CODECS[0], values) for values in streams(CODECS[0], 200, seed=2).values()]
    assert {small for code in codes for small, _, _ in code} == {0, 1, 2, 3}
    assert {scale for code in codes for _, scale, _ in code} >= {None, 3, 4, 128, 129, 254}


EXAMPLE = [1000.0, 1005.0, 1020.0, 1040.0, 1100.0, 1195.0, 2.0**40]


def test_the_example_of_the_text_in_a_block():
    """1000 has 10 bits in front of the point: in scale 129 its unit is 2^(8 * 129 - 1039) = 2^-7.

    1020 is not within 1 % of 1000, and all predictions are 1000. 1040 is on the line through 1000
    and 1020, 1100 on no line, 1200 on the curve. 2^40 is 2^15 units of 2^(8 * 133 - 1039) = 2^25.
    """
    head = "1010010" + "000000111" + f"{3:08b}" + "0" * 72
    outliers = [(129, 128_000), (129, 130_560), (129, 140_800), (133, 1 << 15)]
    large = "".join(f"{scale:08b}{working:024b}" for scale, working in outliers)
    small = "".join(reversed(["11", "00", "11", "01", "11", "10", "11"]))
    text = head + large + "0" * (512 - len(head + large + small)) + small
    assert compress(ScaledSz(), doubles(EXAMPLE)) == [int(text, 2)]
    restored = [1000.0, 1000.0, 1020.0, 1040.0, 1100.0, 1200.0, 2.0**40]
    assert decompress(ScaledSz(), int(text, 2)) == doubles(restored)


def symbols_of(codec, values):
    """Returns (small, scale, a, b, c) after each value."""
    state, actual = codec.initial, []
    for value in values:
        state, symbol = codec.step(state, value)
        actual.append((symbol.small.value, *state))
    return actual


def test_a_scale_stays_until_an_outlier_has_less_than_12_bits():
    """2^15 units of scale 128, 2^-15 each, are 1.0; its natural scale is 128.

    0.5, 0.25 and 0.126 have natural scale 127, but at least 2^12 units of 2^-15. 0.124 has less, so
    the scale is 127 from there, where it has 256 times as many units.
    """
    state = [1.0, 0.5, 0.25, 0.126, 0.124]
    assert symbols_of(ScaledSz(), doubles(state)) == [
        (3, 128, 1 << 15, 1 << 15, 1 << 15),
        (3, 128, 1 << 14, 1 << 15, 1 << 15),
        (3, 128, 1 << 13, 1 << 14, 1 << 15),
        (3, 128, 4129, 1 << 13, 1 << 14),
        (3, 127, 1040187, 1040187, 1040187),
    ]


def test_a_prediction_keeps_a_coarse_scale():
    """From 0.126, or 4,129 units, no value differs by more than 1 %: the scale stays."""
    values = doubles([1.0, 0.126, 0.1255, 0.12499, 0.12495])
    symbols = symbols_of(ScaledSz(), values)
    assert [symbol[:2] for symbol in symbols] == [(3, 128), (3, 128), (0, 128), (0, 128), (0, 128)]


def test_zeros_keep_the_scale():
    codec = ScaledSz()
    values = doubles([0.0, 0.0, 1e-30, 0.0, 1e-30, -0.0])
    scales = [symbol[:2] for symbol in symbols_of(codec, values)]
    scale = codec.natural(values[2])
    assert scales == [(0, 3), (0, 3), (3, scale), (3, scale), (3, scale), (3, scale)]


def test_an_absolute_bound_does_not_move_with_the_scale():
    """A bound of 0.25 around 1000 and around 10^7, and values that are no more than the bound."""
    codec = ScaledSz(64, 0, absolute(64, 0.25))
    values = doubles([1000.0, 1000.25, 1000.26, 0.2, -0.25, 1e7, 1e7 + 0.25, 1e7 - 0.5])
    restored = restored_values(codec, values, stamped=True)
    numbers = [float(real("float", 64, value)) for value in restored]
    assert numbers[:2] == [1000.0, 1000.0]
    assert abs(numbers[2] - 1000.26) <= 2**-8
    assert numbers[3:5] == [0.0, 0.0]
    # The natural scale of 10^7 has units of 2, and a quarter is no whole unit.
    assert numbers[5:] == [1e7, 1e7 + 0.25, 1e7 - 0.5]


@pytest.mark.parametrize(
    ("codec", "value", "scale", "interval"),
    [
        (ScaledSz(), 1000.0, 129, (126_721, 128_000, 129_279)),
        (ScaledSz(), -1000.0, 129, (-129_279, -128_000, -126_721)),
        (ScaledSz(), 1000.0, 130, (496, 500, 504)),
        (ScaledSz(), 1000.0, 128, None),
        (ScaledSz(), 1000.0, 131, None),
        (ScaledSz(), 0.0, 200, (0, 0, 0)),
        (ScaledSz(relative=0), 0.1, 127, None),
        (ScaledSz(relative=0), 2.0**-15, 126, (1 << 16, 1 << 16, 1 << 16)),
        (ScaledSz(), 5e-324, 3, None),
        (ScaledSz(absolute=1 << 20), 5e-324, 3, (0, 0, 0)),
        (ScaledSz(absolute=(1 << 20) - 1), 5e-324, 3, None),
        (ScaledSz(), 1.7976931348623157e308, 255, (8304768, (1 << 23) - 1, (1 << 23) - 1)),
        (ScaledSz(absolute=0x3FD00000), 0.25, 140, (0, 0, 0)),
        (ScaledSz(absolute=0x3FD00000), 0.25000000000000006, 140, None),
    ],
    ids=str,
)
def test_intervals_by_hand(codec, value, scale, interval):
    assert codec.interval(doubles([value])[0], scale) == interval


def walk(count, seed):
    """Returns a random walk by 0.4 % of its size, with a jump in 40 values."""
    rng, level, values = np.random.default_rng(seed), 0.0, []
    for _ in range(count):
        level = 0.998 * level + rng.normal(0, 0.004)
        level = rng.normal(0, 0.5) if rng.random() < 1 / 40 else level
        values.append(np.exp(level))
    return np.array(values)


def ratio(codec, values, width=64):
    bits = values.astype(np.float32).view(np.int32) if width == 32 else values.view(np.int64)
    return ratio_of_blocks(codec, full_blocks(codec, np.zeros(len(values)), bits))


@pytest.mark.parametrize(("width", "decades"), [(64, range(-30, 31, 3)), (32, range(-27, 28, 3))])
def test_the_ratio_does_not_depend_on_the_scale(width, decades):
    """A walk of 4,000 values has within 10 % the same ratio at all scales."""
    values, codec = walk(4000, seed=1), ScaledSz(width)
    at_one = ratio(codec, values, width)
    assert at_one > 3
    for decade in decades:
        assert ratio(codec, values * 10.0**decade, width) == pytest.approx(at_one, rel=0.1)


@pytest.mark.parametrize("start", [0.0, 300.0])
def test_the_ratio_of_a_sum_of_steps_does_not_depend_on_the_scale(start):
    """A walk by steps of the same size, through 0 or far from 0."""
    values, codec = start + np.cumsum(np.random.default_rng(3).normal(0, 1, 3000)), ScaledSz()
    at_one = ratio(codec, values)
    for decade in range(-30, 31, 10):
        assert ratio(codec, values * 10.0**decade) == pytest.approx(at_one, rel=0.1)


def test_the_ratio_is_at_least_that_of_a_fitting_exponent():
    values = walk(4000, seed=2)
    assert ratio(ScaledSz(), values) >= ratio(Sz(64, "float", -24), values)


@pytest.mark.in_turn
@pytest.mark.parametrize("codec", CODECS, ids=str)
def test_blocks_stand_by_themselves(codec):
    for values in streams(codec, 60, seed=3).values():
        restored = [
            value if scale is None else codec.pattern(working, scale)
            for value, (_, scale, working) in zip(values, encode(codec, values), strict=True)
        ]
        check_each_block(codec, values, restored)


def block_of(scale, working, small):
    """Returns a block of one value: the seed's scale and last working value, and the small part."""
    seed = scale << 72 | working % 2**24 << 48
    return 0b1010010 << 505 | 1 << 496 | seed << BLOCK_BITS - 96 | small


@pytest.mark.parametrize(
    ("width", "block"),
    [
        (64, block_of(2, 0, 0)),
        (64, block_of(128, -(1 << 23), 0)),
        (64, block_of(128, (1 << 23) - 1, 1)),
        (32, block_of(32, 5, 0)),
        (64, block_of(128, 0, 3) | (2 << 24 | 5) << BLOCK_BITS - 128),
    ],
)
def test_scales_and_working_values_that_do_not_exist_are_broken(width, block):
    with pytest.raises(BrokenBlockError, match="no value has such a working value"):
        decompress(ScaledSz(width), block)


def test_an_escape_needs_no_scale():
    """A value that escapes is restored although the seed's scale does not exist."""
    block = block_of(0, 0, 3) | ESCAPE << BLOCK_BITS - 128 | 77 << BLOCK_BITS - 192
    assert decompress(ScaledSz(), block) == [77]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"relative": 65536}, "relative must be from 0 to 65535, not 65536"),
        ({"absolute": -1}, "absolute must be from 0 to 2146435071, not -1"),
        ({"absolute": 0x7FF00000}, "absolute must be from 0 to 2146435071, not 2146435072"),
        ({"width": 32, "absolute": 0x7F800000}, "absolute must be from 0 to 2139095039"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(ValueError, match=message):
        ScaledSz(**settings)
