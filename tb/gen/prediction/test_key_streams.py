"""Checks the blocks of a stream, the input of the prediction of a rate with a codec."""

import numpy as np
import pytest

from gen.prediction.codec_model import lossy_codec
from gen.prediction.key_streams import CodecSplitting, key_stream, ranks, restored
from golden.codecs.base_delta import BaseDelta
from golden.codecs.xor import Xor
from query.parser import parse
from rtl.engine import ENGINES
from rtl.keyed.codec.decoder_times import ONE_STEP, BlockWork

SCHEMA = "CREATE INPUT STREAM S (k uint(16), t uint(32), v int(64)); SELECT k, sum(v) FROM S"


def stream_of(window, times, **options):
    """Returns the stream of one key with equal values."""
    query = parse(f"{SCHEMA} {window};")
    design = ENGINES["streamzip"](query=query, entries=64, codec="base-delta", **options)
    count = len(times)
    raws = {"k": np.full(count, 3), "t": np.array(times), "v": np.full(count, 7)}
    return key_stream(design, raws, np.ones(count, bool), 0)


def begins_of(stream, slides):
    """Returns the numbers of the tuples that begin a block; the entry never changes its key."""
    splitter = stream.splitting.splitter()
    return [k for k, slide in enumerate(slides) if splitter.begins_block(k, slide)]


def test_equal_values_share_blocks_of_54():
    stream = stream_of("[PARTITION BY k ROWS 8 SLIDE 1]", [0] * 110)
    assert begins_of(stream, [0] * 110) == [0, 54, 108]
    assert not stream.splitting.is_serial


@pytest.mark.parametrize("slide", [1, 5])
def test_each_slide_begins_a_block(slide):
    """Slides that differ by an even number do not share a block, either."""
    window = f"[PARTITION BY k RANGE {7 * slide} SLIDE {slide} WATTR t]"
    slides = [0, 2, 4, 4, 3, 1, 1, 9, 25]
    stream = stream_of(window, [slide * number for number in slides], overlap=8)
    assert begins_of(stream, slides) == [0, 1, 2, 4, 5, 7, 8]


def test_a_stamp_is_the_slide_modulo_four_overlaps():
    """With an overlap of 8 the slides 1 and 33 have the same stamp, and share a block."""
    window = "[PARTITION BY k RANGE 7 SLIDE 1 WATTR t]"
    assert begins_of(stream_of(window, [1, 33, 49], overlap=8), [1, 33, 49]) == [0, 2]


def test_each_life_has_its_own_blocks():
    """Two keys with equal values in turn: a block of each key is full after 54 values."""
    splitting = CodecSplitting("base-delta", BaseDelta(64), np.full(110, 9))
    one, other = splitting.splitter(), splitting.splitter()
    block_begins = [k for k in range(110) if (one, other)[k % 2].begins_block(k)]
    assert block_begins == [0, 1, 108, 109]


def test_a_serial_decoder_takes_a_step_for_each_value():
    """A raw block of XOR holds 8 values, and takes 8 steps of a decoder."""
    rng = np.random.default_rng(1)
    splitting = CodecSplitting("xor", Xor(64), rng.integers(-(1 << 62), 1 << 62, 40))
    splitter = splitting.splitter()
    block_begins = [k for k in range(40) if splitter.begins_block(k)]
    assert splitting.is_serial
    assert len(splitter.works) == len(block_begins) - 1
    assert splitting.usual_work == pytest.approx(np.mean(splitter.works, axis=0))


def test_the_last_block_has_the_steps_of_its_values_so_far():
    """A symbol of XOR takes a step, and so do up to 16 values that stay the same.

    9 9 9 8 is the first value, two values that stay the same, and a change; 20 further values stay
    the same. So the block has 24 values, and takes 5 steps.
    """
    splitting = CodecSplitting("xor", Xor(64), np.array([9] * 3 + [8] * 21))
    splitter = splitting.splitter()
    last_blocks = []
    for k in range(24):
        splitter.begins_block(k)
        last_blocks.append(splitter.last_block())
    assert last_blocks[0] == (1, BlockWork(1))
    assert last_blocks[2:4] == [(3, BlockWork(2)), (4, BlockWork(3))]
    assert last_blocks[-1] == (24, BlockWork(5))
    assert splitter.works == []  # a block counts when it is full
    assert splitting.usual_work == ONE_STEP


def test_values_of_sz_that_are_unsigned():
    """Raws of uint(32) from 2^31 on stay positive; SZ restores small steps exactly."""
    text = "CREATE INPUT STREAM S (k uint(8), v uint(32)); SELECT k, median(v) FROM S "
    query = parse(text + "[PARTITION BY k ROWS 8 SLIDE 2];")
    options = {"codec": "sz", "percentiles": "pivot", "bound": "0"}
    model = lossy_codec(ENGINES["streamzip"](query=query, **options))
    values = np.array([3_000_000_000, 3_000_000_001, 3_000_000_002], np.int64)
    result = restored(values, np.zeros(3, np.int64), model, False, query.schema["v"].type)
    assert result.tolist() == values.tolist()


def test_each_key_is_restored_by_itself():
    """Values of two keys in turn are restored as if each key were alone."""
    text = "CREATE INPUT STREAM S (k uint(8), v int(32)); SELECT k, median(v) FROM S "
    query = parse(text + "[PARTITION BY k ROWS 8 SLIDE 2];")
    options = {"codec": "sz", "percentiles": "pivot", "bound": "8"}
    model = lossy_codec(ENGINES["streamzip"](query=query, **options))
    rng, keys = np.random.default_rng(3), np.arange(300) % 2
    values = np.cumsum(rng.integers(-30, 31, 300))
    arguments = (model, False, query.schema["v"].type)
    result = restored(values, keys, *arguments)
    for key in (0, 1):
        single_result = restored(values[keys == key], np.zeros(150, np.int64), *arguments)
        assert result[keys == key].tolist() == single_result.tolist()
    assert 0 < np.abs(result - values).max() <= 8


@pytest.mark.parametrize(
    ("most", "at", "is_cut"), [(3, [0, 2, 3], True), (5, [0, 2, 3, 5, 6], False)]
)
def test_the_first_tuples_that_pass(most, at, is_cut):
    """A stream has at most ``most`` of the tuples that pass, and counts all tuples."""
    query = parse(f"{SCHEMA} [PARTITION BY k ROWS 8 SLIDE 1];")
    design = ENGINES["streamzip"](query=query, entries=64)
    passes = np.array([1, 0, 1, 1, 0, 1, 1, 0], bool)
    raws = {"k": np.arange(8) + 20, "t": np.zeros(8, int), "v": np.zeros(8, int)}
    stream = key_stream(design, raws, passes, None, most)
    assert (stream.count, stream.at.tolist(), stream.is_cut) == (8, at, is_cut)
    assert stream.keys.tolist() == [20 + place for place in at]


@pytest.mark.parametrize(("start", "times"), [(None, [2, 0, 4]), (3, [4, 2, 6]), (-2, [9, 7, 11])])
def test_times_count_from_the_start(start, times):
    """Times count from ``start``, or without a start from the earliest time that passes WHERE."""
    query = parse(f"{SCHEMA} [PARTITION BY k RANGE 8 SLIDE 1 WATTR t];")
    design = ENGINES["streamzip"](query=query, entries=64)
    raws = {"k": np.zeros(4, int), "t": np.array([7, 1, 5, 9]), "v": np.zeros(4, int)}
    stream = key_stream(design, raws, np.array([True, False, True, True]), start)
    assert stream.times.tolist() == times


@pytest.mark.parametrize(
    ("type_", "raws", "expected"),
    [
        ("int(8)", [-128, -1, 0, 127], [0, 127, 128, 255]),
        ("uint(8)", [0, 127, 128, 255], [0, 127, 128, 255]),
        # -infinity, -0, +0 and +infinity
        (
            "float",
            [0xFF80_0000, 0x8000_0000, 0, 0x7F80_0000],
            [0x7F_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFF80_0000],
        ),
    ],
)
def test_ranks_are_unsigned_and_in_the_order_of_the_values(type_, raws, expected):
    query = parse(f"CREATE INPUT STREAM S (v {type_}); SELECT max(v) FROM S [ROWS 1 SLIDE 1];")
    result = ranks(np.array(raws), query.schema["v"].type)
    assert (result.dtype, result.tolist()) == (np.uint64, expected)
