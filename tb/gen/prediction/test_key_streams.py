"""Blocks of a stream, by which the rate of a design with a codec is predicted."""

import numpy as np
import pytest

from gen.prediction.key_streams import blocks_of, key_stream
from golden.codecs.base_delta import BaseDelta
from query.parser import parse
from rtl.engine import ENGINES

SCHEMA = "CREATE INPUT STREAM S (k uint(16), t uint(32), v int(64)); SELECT k, sum(v) FROM S"


def stream_of(window, times, **options):
    """Returns the stream of one key whose values are all equal."""
    query = parse(f"{SCHEMA} {window};")
    design = ENGINES["streamzip"](query=query, entries=64, codec="base-delta", **options)
    count = len(times)
    raws = {"k": np.full(count, 3), "t": np.array(times), "v": np.full(count, 7)}
    return key_stream(design, raws, np.ones(count, bool), 0)


def test_equal_values_share_blocks_of_54():
    assert stream_of("[PARTITION BY k ROWS 8 SLIDE 1]", [0] * 110).blocks.tolist() == (
        [0] * 54 + [1] * 54 + [2] * 2
    )


@pytest.mark.parametrize("slide", [1, 5])
def test_each_slide_begins_a_block(slide):
    """Slides that differ by an even number do not share a block, either."""
    window = f"[PARTITION BY k RANGE {7 * slide} SLIDE {slide} WATTR t]"
    times = [slide * u for u in (0, 2, 4, 4, 3, 1, 1, 9, 25)]
    assert stream_of(window, times, overlap=8).blocks.tolist() == [0, 1, 2, 2, 3, 4, 4, 5, 6]


def test_a_stamp_is_the_slide_modulo_four_overlaps():
    """With an overlap of 8 the slides 1 and 33 have the same stamp, and share a block."""
    window = "[PARTITION BY k RANGE 7 SLIDE 1 WATTR t]"
    assert stream_of(window, [1, 33, 49], overlap=8).blocks.tolist() == [0, 0, 1]


def test_a_key_has_its_own_blocks():
    keys, values = np.array([1, 2, 1, 2, 1]), np.full(5, 9)
    slides = np.array([0, 0, 2, 0, 2])
    result = blocks_of("base-delta", BaseDelta(64), keys, values, slides, 5)
    assert result["blocks"].tolist() == [0, 0, 1, 0, 1]
