"""Checks SZ: the bound of every value, symbols against fractions, and a block by hand."""

import dataclasses
import random
from collections import Counter

import numpy as np
import pytest

from golden.codecs.blocks import BlockWriter, compress, decompress, is_coded
from golden.codecs.scaled_sz import ScaledSz
from golden.codecs.symbols import BLOCK_BITS, Bits, BrokenBlockError
from golden.codecs.sz import ESCAPE, Sz
from query.types import Double, Fixed, Float, Int, UInt
from tb.golden.codecs.bounded import bound, encode, ends, real
from tb.golden.codecs.kinds import EXTREMES, doubles, kinds
from tb.golden.codecs.whole_blocks import check_each_block

CODECS = [
    Sz(64, "signed"),
    Sz(64, "signed", exponent=20, relative=0, absolute=3),
    Sz(64, "signed", exponent=62),
    Sz(64, "unsigned", relative=6554),
    Sz(64, "unsigned", exponent=33, relative=65535, absolute=2**31 - 1),
    Sz(64, "float", exponent=-24),
    Sz(64, "float", exponent=-10, relative=0),
    Sz(64, "float", exponent=-10, relative=100, absolute=1),
    Sz(64, "float", exponent=-1022, absolute=1),
    Sz(64, "float", exponent=993, absolute=1),
    Sz(32, "signed"),
    Sz(32, "signed", exponent=4, relative=0, absolute=1),
    Sz(32, "unsigned", relative=0),
    Sz(32, "unsigned", exponent=31),
    Sz(32, "float", exponent=-16),
    Sz(32, "float", exponent=-126, relative=0, absolute=1),
    Sz(32, "float", exponent=104, absolute=100),
]


def floats(values):
    """Returns the bit patterns of floats of 32 bits."""
    return [int(bits) for bits in np.array(values, np.float32).view(np.uint32)]


def name(codec):
    return " ".join(map(str, dataclasses.astuple(codec)))


def streams(codec, count, seed):
    """Returns values of all kinds, and values that are hard for this codec, by their names."""
    rng = random.Random(seed)
    low, high = ends(codec)
    near = [low, high, 0, *(rng.randint(low, high) for _ in range(20))]
    near += [place // 2**bits for bits in (5, 12, 20) for place in near]
    recent = [codec.pattern(rng.choice(near))] * 3
    hard = []
    while len(hard) < count:  # near a representable value: once, four times, or along a curve
        working = min(max(rng.choice(near) + rng.randint(-2, 2), low), high)
        recent = [codec.pattern(working), *recent[:2]]
        step = rng.choice((0, 1, 2, 3, 1 << codec.width - 12))
        hard += [recent[rng.randrange(3)] + rng.choice((-step, step)) & (1 << codec.width) - 1]
        hard += [hard[-1]] * rng.choice((0, 0, 3))
    parabola = [codec.pattern(k * k * low // -(2 * count**2)) for k in range(count)]
    values = {
        "hard": hard,
        "parabola": parabola if low else hard,
        **dict(kinds(codec.width, count, seed)),
    }
    if codec.kind == "float":
        if codec.width == 64:
            odd = [*EXTREMES, *doubles([np.nan, 2.5, -2.5, 0.5, -0.5, 2.0**31, -(2.0**31)])]
            odd += [(1 << 63) | (1 << 52) - 1, (0x7FF << 52) + 1]
        else:
            odd = floats([0.0, -0.0, np.nan, np.inf, -np.inf, 2.5, -0.5, 1e-45, 3.4028235e38, 1])
            odd += [(1 << 23) - 1, (0xFF << 23) + 1]
        values["odd floats"] = [rng.choice(odd) for _ in range(count)]
    return values


@pytest.mark.parametrize("codec", CODECS, ids=name)
def test_every_value_is_within_the_bound(codec):
    """Checks that NaN and infinities are restored exactly, and other values within the bound."""
    for kind, values in streams(codec, 250, seed=1).items():
        restored = all_values(codec, compress(codec, values), len(values))
        for value, restored_value in zip(values, restored, strict=True):
            number = real(codec.kind, codec.width, value)
            if number is None:
                assert restored_value == value, kind
            else:
                distance = abs(real(codec.kind, codec.width, restored_value) - number)
                assert distance <= bound(codec, number), (kind, value, restored_value)


@pytest.mark.parametrize("codec", CODECS, ids=name)
def test_symbols_equal_those_of_fractions(codec):
    symbols = set()
    for kind, values in streams(codec, 200, seed=2).items():
        state = codec.initial
        for value, (small, working) in zip(values, encode(codec, values), strict=True):
            state, symbol = codec.step(state, value)
            large = Bits()
            if working is None:
                large = Bits(ESCAPE << codec.width | value, 32 + codec.width)
            elif small == 3:
                large = Bits(working % 2**32, 32)
            assert (symbol.small, symbol.large) == (Bits(small, 2), large), (kind, value)
            assert working is None or state[0] == working
            symbols.add((small, working is None))
    assert {(0, False), (3, False)} <= symbols


def test_all_symbols_occur():
    """Two codecs of the test above suffice."""
    symbols = set()
    for codec in CODECS[:1] + CODECS[5:6]:
        for values in streams(codec, 200, seed=2).values():
            symbols |= {(small, working is None) for small, working in encode(codec, values)}
    assert symbols == {(0, False), (1, False), (2, False), (3, False), (3, True)}


def all_values(codec, blocks, count):
    values = []
    for block in blocks:
        values += decompress(codec, block, min(count - len(values), BLOCK_BITS // codec.width))
    return values


EXAMPLE = [1000, 1005, 1020, 1040, 1100, 1195, 1 << 40]


def test_the_example_of_the_text_in_a_block():
    """In the example of the docstring 1 % of 1005 is more than 5, 1 % of 1020 less than 20."""
    head = "1010010" + "000000111" + "0" * 96
    large = "".join(format(number, "032b") for number in (1000, 1020, 1100, 1 << 31))
    large += format(1 << 40, "064b")
    small = "".join(reversed(["11", "00", "11", "01", "11", "10", "11"]))
    text = head + large + "0" * (512 - len(head + large + small)) + small
    assert compress(Sz(), EXAMPLE) == [int(text, 2)]
    restored = [1000, 1000, 1020, 1040, 1100, 1200]
    assert decompress(Sz(), int(text, 2)) == [*restored, 1 << 40]


def test_a_seed_is_the_state_before_the_first_value():
    """The 184 values with one outlier fill a block; the next block begins with a, b and c."""
    values = [-8] * 183 + [1000, 1000]
    first, second = compress(Sz(64), [v % 2**64 for v in values])
    assert decompress(Sz(64), first) == [v % 2**64 for v in values[:183]]
    minus = format(2**32 - 8, "032b")
    assert format(second, "0512b")[16:144] == minus * 3 + format(1000, "032b")
    assert second & 0b1111 == 0b0011  # an outlier, then a constant


@pytest.mark.parametrize(
    ("codec", "value", "interval"),
    [
        (Sz(relative=0), 7, (7, 7, 7)),
        (Sz(), 1000, (991, 1000, 1009)),
        (Sz(), -1000 % 2**64, (-1009, -1000, -991)),
        (Sz(relative=0, exponent=2, absolute=1), 10, (2, 3, 3)),  # 2.5: the upper one
        (Sz(relative=0, exponent=2, absolute=1), -10 % 2**64, (-3, -2, -2)),
        (Sz(relative=0, exponent=2), 10, None),
        (Sz(), 2**31 - 1, (2126020608, 2**31 - 1, 2**31 - 1)),
        (Sz(), 2**31, (2126020608, 2**31 - 1, 2**31 - 1)),
        (Sz(), -(2**31) % 2**64, (1 - 2**31, 1 - 2**31, -2126020608)),
        (Sz(relative=0), -(2**31) % 2**64, None),
        (Sz(32, "signed", relative=0), 2**31, None),
        (Sz(32, "unsigned"), 2**31, (2126020608, 2**31 - 1, 2**31 - 1)),
        (Sz(32, "unsigned", absolute=5), 3, (0, 3, 8)),
        (Sz(32, "unsigned", exponent=4), 2**32 - 1, (265752576, 2**28 - 1, 2**28 - 1)),
        (Sz(64, "float"), doubles([-0.0])[0], (0, 0, 0)),
        (Sz(64, "float", -1), doubles([0.25])[0], None),
        (Sz(64, "float", -1, absolute=1), doubles([0.25])[0], (0, 1, 1)),
        (Sz(64, "float", absolute=1), doubles([5e-324])[0], (0, 0, 1)),
        (Sz(64, "float", absolute=9), doubles([np.inf])[0], None),
        (Sz(64, "float", absolute=9), doubles([np.nan])[0], None),
        (Sz(32, "float"), floats([2.0**24])[0], (16609536, 2**24 - 1, 2**24 - 1)),
        (Sz(32, "signed", bits=9), 255, (253, 255, 255)),
        (Sz(32, "signed", bits=9), -256 % 2**32, (-256, -256, -254)),
        (Sz(32, "signed", 4, relative=0, absolute=1, bits=9), -256 % 2**32, (-16, -16, -15)),
        (Sz(32, "signed", 4, relative=0, absolute=1, bits=9), 255, (15, 15, 15)),
        (Sz(32, "signed", 10, relative=0, absolute=1, bits=9), -256 % 2**32, (0, 0, 0)),
        (Sz(32, "unsigned", bits=9), 511, (506, 511, 511)),
        (Sz(32, "unsigned", 4, bits=9), 511, None),  # 496 would be 15 too small
    ],
    ids=str,
)
def test_intervals_by_hand(codec, value, interval):
    assert codec.interval(value) == interval


@pytest.mark.parametrize("codec", CODECS, ids=name)
def test_blocks_stand_by_themselves_and_grow(codec):
    for values in streams(codec, 60, seed=3).values():
        restored = [
            value if working is None else codec.pattern(working)
            for value, (_, working) in zip(values, encode(codec, values), strict=True)
        ]
        check_each_block(codec, values, restored)


def outcome(codec, block):
    """Returns "values" for a block whose values all fit, or the text of the error."""
    try:
        values = decompress(codec, block)
    except BrokenBlockError as error:
        return str(error)
    assert all(0 <= value < 1 << codec.width for value in values)
    return "values"


def test_random_blocks_are_errors():
    """Each of 200 blocks for each codec has a bad working value, or superfluous bits."""
    rng, outcomes = random.Random(4), Counter()
    for codec in CODECS:
        for _ in range(200):
            block = 0b1010010 << 505 | rng.randrange(1, 40) << 496 | rng.getrandbits(496)
            outcomes[outcome(codec, block)] += 1
    assert outcomes == {
        "no value has such a working value": 3186,
        "bits between the symbols are not 0": 214,
    }


def test_a_flipped_bit_is_an_error_or_changes_values():
    """Flips one bit in each of 200 blocks for each codec; seven of ten still have values."""
    rng, outcomes = random.Random(4), Counter()
    for codec in CODECS:
        blocks = []
        for values in streams(codec, 120, seed=3).values():
            writer = BlockWriter(codec)
            closed = [writer.take(value) for value in values]
            packed = [*closed, writer.growing.packed(codec.width)]
            blocks += [block for block in packed if block is not None and is_coded(block)]
        for k in range(200):
            outcomes[outcome(codec, blocks[k % len(blocks)] ^ 1 << rng.randrange(496))] += 1
    assert outcomes == {
        "values": 2373,
        "bits between the symbols are not 0": 593,
        "no value has such a working value": 424,
        "symbols are longer than the block": 10,
    }


def test_a_working_value_beyond_its_type_is_broken():
    """The linear prediction from 2^31 - 1 and 0 is too large; no encoder makes this block."""
    seed = (2**31 - 1) << 64
    block = 0b1010010 << 505 | 1 << 496 | seed << 400 | 1
    with pytest.raises(BrokenBlockError, match="no value has such a working value"):
        decompress(Sz(), block)


@pytest.mark.parametrize(
    ("type_", "exponent", "codec"),
    [
        (Int(9), 3, Sz(32, "signed", 3, 7, 5, bits=9)),
        (Int(32), 0, Sz(32, "signed", 0, 7, 5, bits=32)),
        (Int(33), 0, Sz(64, "signed", 0, 7, 5, bits=33)),
        (UInt(12), 0, Sz(32, "unsigned", 0, 7, 5, bits=12)),
        (UInt(64), 63, Sz(64, "unsigned", 63, 7, 5, bits=64)),
        (Fixed(20, 13), 13, Sz(64, "signed", 13, 7, 5, bits=33)),
        (Float(), -16, Sz(32, "float", -16, 7, 5)),
        (Double(), -24, Sz(64, "float", -24, 7, 5)),
        (Float(), "adaptive", ScaledSz(32, 7, 5)),
        (Double(), "adaptive", ScaledSz(64, 7, 5)),
    ],
    ids=str,
)
def test_the_codec_of_a_column(type_, exponent, codec):
    settings = {"relative": 7, "absolute": 5}
    assert Sz.for_column(type_, {"exponent": exponent}, settings) == codec


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "double"}, "kind must be signed, unsigned or float, not double"),
        ({"exponent": -1}, "exponent must be from 0 to 63, not -1"),
        ({"kind": "float", "exponent": 994}, "exponent must be from -1022 to 993, not 994"),
        ({"width": 32, "kind": "float", "exponent": 105}, "exponent must be from -126 to 104"),
        ({"relative": 65536}, "relative must be from 0 to 65535, not 65536"),
        ({"absolute": -1}, "absolute must be from 0 to 2147483647, not -1"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(ValueError, match=message):
        Sz(**settings)
