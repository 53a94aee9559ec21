"""The top with settings of two registers, with signed settings, and with punctuations."""

import numpy as np
import pytest

from rtl.bus.ports import ports_of
from sim.beats import Beats
from tb.rtl.bus.byte_streams import NO_BEATS, STALLS, cut, run
from tb.rtl.bus.packets import packets
from tb.rtl.bus.tops import top_of

pytestmark = pytest.mark.hdl
PLAIN = [("size", 3), ("step", 1)]


def masked(packet_bytes, mask):
    return [[byte ^ mask for byte in packet] for packet in packet_bytes]


@pytest.mark.parametrize("options", STALLS)
def test_both_words_reach_the_stream(options):
    """-2 ** 36 + 5 is FF FF FF F0, 00 00 00 05: the ends of 40 bits are F0 and 05."""
    negative = [("offset_low", 5), ("offset_high", 0xFFFF_FFF0)]
    writes = {0: PLAIN, 1: negative, 2: [("flag", 1), ("offset_high", 0x0A)]}
    masks = (0x00, 0xF5, 0x8F)
    expected = [p for k, mask in enumerate(masks) for p in masked(cut(k, 20, 3), mask)]
    result = run([(0, 20), (1, 20), (2, 20)], writes, len(expected), wide=True, **options)
    assert result == (expected, set(), 0)


@pytest.mark.parametrize("bad", [("offset_high", 0x1FF), ("offset_high", 0x80), ("flag", 7)])
def test_a_number_that_does_not_fit_drops_the_stream(bad):
    """1FF is -1 in 9 bits, but not extended; 80 needs one bit more than the engine allows."""
    writes = {0: PLAIN, 1: [bad], 2: [("offset_high", 0xFFFF_FFFF), ("flag", 1)]}
    expected = [*cut(0, 20, 3), *masked(cut(2, 20, 3), 0x7F)]
    result = run([(0, 20), (1, 31), (2, 20)], writes, len(expected), wide=True)
    assert result == (expected, {"bad_setting"}, 31)


@pytest.mark.parametrize(
    ("name", "word", "bad"),
    [
        ("size", 4, False),  # the others at 2, which the flag may not be
        ("size", 21, True),
        ("offset_low", 0xFFFF_FFFF, False),
        ("offset_high", 0x7F, False),
        ("offset_high", 0x80, True),
        ("offset_high", 0x200, True),
        ("offset_high", 0xFFFF_FF80, False),
        ("offset_high", 0xFFFF_FF7F, True),
        ("flag", 1, False),
        ("flag", 2, True),
        ("flag", 0x8000_0000, True),
    ],
)
def test_each_write_is_judged_alone(name, word, bad):
    top = top_of(packets(wide=True))
    _, read = top.run(NO_BEATS, {0: [(name, word)]}, ["status"], packets=0)
    assert read["status"] == ({"bad_setting"} if bad else set())


def test_only_a_punctuated_top_has_tuser():
    without, with_user = (ports_of(packets(punctuated=punctuated)) for punctuated in (False, True))
    assert set(with_user) - set(without) == {"s_axis_tuser"}


def counted(beats, expected, options, **parameters):
    """Returns packets as lists of bytes; and the status, tuples, rows and streams that were
    counted."""
    names = ("status", "tuples_low", "rows_low", "streams_low")
    top = top_of(packets(punctuated=True, **parameters))
    outcome, read = top.run(beats, {0: PLAIN}, names, packets=expected, **options)
    data, keep, ends = outcome.beats.data, outcome.beats.keep, outcome.beats.ends + 1
    parts = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]
    return [data[part][keep[part]].tolist() for part in parts], tuple(read.values())


@pytest.mark.parametrize("options", STALLS)
def test_punctuations(options):
    """Three beats a packet; one of them is a punctuation, in the middle, at the start, or at the
    end."""
    data = np.array([[1, 2], [9, 0], [3, 4], [5, 6], [8, 7], [7, 7], [10, 0]], np.uint8)
    keep = np.array([[1, 1], [1, 0], [1, 1], [1, 0], [0, 0], [1, 1], [1, 1]], np.bool_)
    last = np.array([0, 0, 0, 1, 0, 0, 1], np.bool_)
    user = np.array([0, 1, 0, 0, 1, 0, 1], np.bool_)
    beats = Beats(data, keep, last, user)
    packet_bytes, counts = counted(beats, 3, options)
    assert packet_bytes == [[2, 3, 255 - 9, 4, 5], [6], [255 - 8, 8, 8, 255 - 10]]
    assert counts == (set(), 7, 10, 2)


def test_without_the_flag_they_are_tuples():
    """The same beats break the rules without the flag."""
    data = np.array([[1, 2], [9, 0], [3, 4]], np.uint8)
    keep = np.array([[1, 1], [1, 0], [1, 1]], np.bool_)
    beats = Beats(data, keep, np.array([0, 0, 1], np.bool_))
    assert counted(beats, 1, {}) == ([[2, 3, 10, 4, 5]], ({"bad_beat"}, 5, 5, 1))


def test_one_lane_from_streams():
    stream, user = np.arange(1, 6, dtype=np.uint8)[:, None], np.array([0, 0, 1, 0, 1], np.bool_)
    beats = Beats.from_streams([stream, stream[:0]], 1, users=[user, user[:0]])
    packet_bytes, counts = counted(beats, 3, {}, lanes=1)
    assert packet_bytes == [[2, 3, 255 - 3], [5, 255 - 5], []]
    assert counts == (set(), 3, 5, 2)
