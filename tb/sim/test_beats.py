"""Checks the beats of streams, and fields in their bytes, against bytes written by hand."""

import numpy as np
import pytest
from amaranth.hdl import Shape, signed, unsigned

from rtl.contract.packing import Packing
from sim.beats import Beats, pack_fields, unpack_fields
from sim.errors import ProtocolError


def test_streams_become_beats_by_hand():
    one = np.array([[1, 2], [3, 4], [5, 6]], np.uint8)
    beats = Beats.from_streams([one, one[:0], one[:2]], lanes=2)
    assert beats.data.tolist() == [[1, 2, 3, 4], [5, 6, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4]]
    full, none = [True] * 4, [False] * 4
    assert beats.keep.tolist() == [full, [True, True, False, False], none, full]
    assert beats.last.tolist() == [False, True, True, True]
    assert beats.starts.tolist() == [0, 2, 3]
    assert [stream.tolist() for stream in beats.streams(2)] == [
        one.tolist(),
        [],
        one[:2].tolist(),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda keep, last: keep.__setitem__((1, 3), False), "beat 1 keeps a part of a tuple"),
        (lambda keep, last: keep.__setitem__((1, [0, 1]), False), "beat 1 has a gap"),
        (lambda keep, last: keep.__setitem__((0, [2, 3]), False), "beat 0 is short, but"),
        (lambda keep, last: last.__setitem__(1, False), "the last beat has no tlast"),
    ],
)
def test_malformed_beats_are_refused(change, message):
    keep, last = np.ones((2, 4), np.bool_), np.array([False, True])
    change(keep, last)
    with pytest.raises(ProtocolError, match=message):
        Beats(np.zeros((2, 4), np.uint8), keep, last).streams(2)


def test_no_beats_are_no_streams():
    assert Beats.from_streams([np.zeros((3, 1), np.uint8)], lanes=2)[:0].streams(1) == []


def test_same_looks_at_kept_bytes_only():
    a = Beats.from_streams([np.array([[1], [2], [3]], np.uint8)], lanes=2)
    b = Beats(a.data.copy(), a.keep, a.last)
    b.data[1, 1] = 99
    assert a.same(b)
    b.data[1, 0] = 99
    assert not a.same(b)
    assert not a.same(a[:1])
    assert not a.same(Beats(a.data, a.keep, ~a.last))


def test_users_by_hand():
    one = np.array([[1, 2], [3, 4]], np.uint8)
    users = [np.array([False, True]), np.zeros(0, np.bool_), np.array([True])]
    beats = Beats.from_streams([one, one[:0], one[:1]], 1, users)
    assert beats.user.tolist() == [False, True, False, True]
    assert beats.last.tolist() == [False, True, True, True]
    assert beats[1:3].user.tolist() == [True, False]
    plain = Beats.from_streams([one, one[:0], one[:1]], 1)
    assert plain.user is plain[1:].user is None
    assert plain.users.tolist() == [False] * 4


def test_pauses_stay_with_their_beats():
    """A beat without a pause of its own has none, and `same` ignores pauses."""
    plain = Beats.from_streams([np.array([[1], [2], [3]], np.uint8)], lanes=1)
    assert plain.pause is plain[1:].pause is None
    assert plain.pauses.tolist() == [0, 0, 0]
    paused = Beats(plain.data, plain.keep, plain.last, pause=np.array([5, 0, 7], np.uint32))
    assert paused[1:].pauses.tolist() == [0, 7]
    assert paused.same(plain)


def test_same_looks_at_users():
    data, keep, last = np.zeros((2, 1), np.uint8), np.ones((2, 1), np.bool_), np.ones(2, np.bool_)
    a, b, c, d = (
        Beats(data, keep, last, None if user is None else np.array(user, np.bool_))
        for user in (None, (0, 0), (0, 1), (1, 0))
    )
    assert a.same(b)
    assert b.same(a)
    for x, y in ((a, c), (c, a), (b, c), (c, d)):
        assert not x.same(y)
    assert c.same(Beats(data, keep, last, c.user.copy()))


def test_fields_by_hand():
    fields = Packing([("a", signed(12)), ("b", unsigned(8)), ("c", signed(68))]).fields
    columns = [[-2, 0x7FF], [255, 1], [-1, 1 << 66]]
    tuples = pack_fields(columns, fields)
    assert tuples[0].tolist() == [0xFE, 0xFF, 255, *[0xFF] * 9]
    assert tuples[1].tolist() == [0xFF, 0x07, 1, *[0] * 8, 4]
    assert [column.tolist() for column in unpack_fields(tuples, fields)] == columns


@pytest.mark.parametrize(
    ("width", "sign", "kind"),
    [
        *((width, False, kind) for width in (1, 31, 32, 63) for kind in ("i8", "u8", object)),
        *((width, True, kind) for width in (1, 31, 32, 64) for kind in ("i8", object)),
        *((64, False, kind) for kind in ("u8", object)),
        *((128, sign, object) for sign in (False, True)),
    ],
)
def test_fields_at_their_ends(width, sign, kind):
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if sign else (0, (1 << width) - 1)
    fields = Packing([("x", Shape(width, sign)), ("y", 8)]).fields
    column = np.array([low, high, 0], kind)
    x, y = unpack_fields(pack_fields([column, np.arange(3)], fields), fields)
    assert x.tolist() == [low, high, 0]
    assert y.tolist() == [0, 1, 2]


def test_padding_bits_are_ignored():
    tuples = np.array([[0xF7], [0x0F]], np.uint8)
    assert unpack_fields(tuples, Packing([("x", signed(4))]).fields)[0].tolist() == [7, -1]
    assert unpack_fields(tuples, Packing([("x", 4)]).fields)[0].tolist() == [7, 15]


def test_wrong_arrays_are_refused():
    with pytest.raises(ValueError, match="keep must be bool of shape"):
        Beats(np.zeros((2, 4), np.uint8), np.zeros((2, 3), np.bool_), np.zeros(2, np.bool_))
    two = Beats.from_streams([np.zeros((2, 1), np.uint8)], 1)
    with pytest.raises(ValueError, match="data must be a 2-dimensional array of uint8, not 1-"):
        Beats(np.zeros(2, np.uint8), np.zeros(2, np.bool_), np.zeros(2, np.bool_))
    with pytest.raises(ValueError, match="pause must be uint32 of shape"):
        Beats(two.data, two.keep, two.last, pause=np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="pause must be uint32 of shape"):
        Beats(two.data, two.keep, two.last, pause=np.zeros(3, np.uint32))
    with pytest.raises(ValueError, match="tuple_bytes must divide 1, not 2"):
        two.streams(2)
    with pytest.raises(ValueError, match="user must be bool of shape"):
        Beats(two.data, two.keep, two.last, np.zeros(3, np.bool_))
    with pytest.raises(ValueError, match="a stream must be a 2-dimensional array of uint8"):
        Beats.from_streams([np.zeros(3, np.uint8)], lanes=2)
    with pytest.raises(ValueError, match="streams must hold at least one"):
        Beats.from_streams([], lanes=2)
    one = np.zeros((3, 1), np.uint8)
    with pytest.raises(ValueError, match="lanes must be 1 where there are users, not 2"):
        Beats.from_streams([one], 2, [np.zeros(3, np.bool_)])
    with pytest.raises(ValueError, match=r"must be bool of shape \(3,\), not bool of \(2,\)"):
        Beats.from_streams([one], 1, [np.zeros(2, np.bool_)])
    with pytest.raises(ValueError, match=r"must be bool of shape \(3,\), not int64 of \(3,\)"):
        Beats.from_streams([one], 1, [np.zeros(3, np.int64)])
