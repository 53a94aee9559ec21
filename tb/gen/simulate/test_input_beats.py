"""Tests the input of an engine: tuples in order, and the punctuations among them."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from amaranth.hdl import Shape
from amaranth.lib import data

from gen.simulate.input_beats import input_beats
from gen.simulate.punctuation_beats import punctuations
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from rtl.contract.face import PLAIN, Face
from rtl.contract.rows import InputSchema
from rtl.contract.settings import HostSettings
from sim.beats import unpack_fields

SCHEMA = "CREATE INPUT STREAM S (g uint(12), v int(8), t int, c string(9)); "


def design_of(text, punctuations=False, lanes=1, sorted_by=()):
    """Returns the part of a design that input beats depend on."""
    query = parse(SCHEMA + text)
    columns = {c.name: Shape(c.type.width, c.type.signed) for c in query.columns}
    schema = InputSchema(
        layout=data.StructLayout(columns),
        lanes=lanes,
        sorted_by=sorted_by,
        punctuations=punctuations,
    )
    return SimpleNamespace(query=query, face=PLAIN, input=schema, settings=HostSettings())


def fed(design, start=None, **columns):
    """The tuples of the stream, and the beats."""
    schema, packing = design.query.schema, design.input.packing
    arrays = {n: pa.array(v, arrow_type(schema[n].type)) for n, v in columns.items()}
    beats = input_beats(design, Tuples(schema, pa.table(arrays)), start)
    (stream,) = beats.streams(packing.bytes)
    unpacked = (column.tolist() for column in unpack_fields(stream, packing.fields))
    return list(zip(*unpacked, strict=True)), beats


def test_tuples_of_windows_stay_in_their_order():
    design = design_of("SELECT g, min(v) FROM S [ROWS 4 SLIDE 2] GROUP BY g;", lanes=2)
    tuples, beats = fed(design, g=[3, 1, 2, 1, 3], v=[1, -2, 3, -4, 5])
    assert tuples == [(3, 1), (1, -2), (2, 3), (1, -4), (3, 5)]
    assert (len(beats), beats.user) == (3, None)


SORTED = "SELECT g, min(v), count(distinct t) FROM S GROUP BY g;"


def test_tuples_are_sorted_as_the_design_asks():
    """Tuples are sorted by group, and by t within a group; equal tuples keep their order."""
    columns = {"g": [3, 1, 2, 1, 3, 1], "v": [1, -2, 3, -4, 5, 6], "t": [9, 4, 4, 4, -1, -4]}
    tuples, _ = fed(design_of(SORTED, sorted_by=("g",)), **columns)
    assert tuples == [(1, -2, 4), (1, -4, 4), (1, 6, -4), (2, 3, 4), (3, 1, 9), (3, 5, -1)]
    tuples, _ = fed(design_of(SORTED, sorted_by=("g", "t")), **columns)
    assert tuples == [(1, 6, -4), (1, -2, 4), (1, -4, 4), (2, 3, 4), (3, 5, -1), (3, 1, 9)]


def test_each_function_has_a_stream_of_its_own():
    design = design_of("SELECT min(v) FROM S [ROWS 4 SLIDE 2];", lanes=2)
    design.settings = HostSettings(functions=("min(v)", "max(v)", "sum(v)"))
    schema = design.query.schema
    table = pa.table({"v": pa.array([1, -2, 3], arrow_type(schema["v"].type))})
    beats = input_beats(design, Tuples(schema, table))
    streams = beats.streams(design.input.packing.bytes)
    assert [stream.ravel().tolist() for stream in streams] == [[1, 254, 3]] * 3


def test_tuples_fill_the_beats_of_a_face_that_sets_their_width():
    """Three tuples of 3 bytes take two beats of 8 bytes; each function has the same two."""
    design = design_of("SELECT g, min(v) FROM S [ROWS 4 SLIDE 2] GROUP BY g;", lanes=2)
    design.face = Face(bus_bits=64)
    for functions in ((), ("min(v)", "max(v)")):
        design.settings = HostSettings(functions=functions)
        schema = design.query.schema
        columns = {"g": [0x321, 1, 2], "v": [1, -2, 3]}
        arrays = {n: pa.array(v, arrow_type(schema[n].type)) for n, v in columns.items()}
        beats = input_beats(design, Tuples(schema, pa.table(arrays)))
        streams = beats.streams(1)
        expected = [0x21, 3, 1, 1, 0, 254, 2, 0, 3]
        assert [stream.ravel().tolist() for stream in streams] == [expected] * len(functions or [0])
        assert (beats.bytes, len(beats)) == (8, 2 * len(streams))


OVER_TIME = "SELECT sum(v) FROM S [RANGE 20 SLIDE 10 WATTR t SLACK 5]"


def test_an_engine_that_makes_punctuations_gets_none():
    tuples, beats = fed(design_of(OVER_TIME + ";"), start=0, t=[7, 21, 9], v=[1, 2, 3])
    assert tuples == [(1, 7), (2, 21), (3, 9)]
    assert beats.user is None


def test_a_punctuation_goes_before_the_tuple_that_moves_it():
    """By hand with start 0: 15 makes 10 and 47 makes 40, at once; 24 is too late to make another
    one.
    """
    tuples, beats = fed(
        design_of(OVER_TIME + ";", punctuations=True),
        start=0,
        t=[7, 14, 15, 9, 24, 47, 48],
        v=[1] * 7,
    )
    assert tuples == [(1, 7), (1, 14), (0, 10), (1, 15), (1, 9), (1, 24), (0, 40), (1, 47), (1, 48)]
    assert np.flatnonzero(beats.user).tolist() == [2, 6]
    assert np.flatnonzero(beats.last).tolist() == [8]
    assert beats.keep.all()


def test_only_tuples_that_pass_move_punctuations():
    """30 is filtered; 35 makes 30, before it and behind the filtered 40 and 50."""
    design = design_of(OVER_TIME + ' WHERE c = "abcdefghi";', punctuations=True)
    times, names = [3, 30, 40, 50, 35], ["abcdefghi", "", "a", "b", "abcdefghi"]
    tuples, beats = fed(design, start=0, t=times, v=[1] * 5, c=names)
    assert [t for _, t, _ in tuples] == [3, 30, 40, 50, 30, 35]
    assert np.flatnonzero(beats.user).tolist() == [4]
    assert tuples[4] == (0, 30, 0)


def test_no_tuple_passes():
    design = design_of(OVER_TIME + " WHERE v > 5;", punctuations=True)
    tuples, beats = fed(design, t=[100, 200], v=[1, 2])
    assert (tuples, beats.user.tolist()) == ([(1, 100), (2, 200)], [False, False])
    tuples, beats = fed(design, t=[], v=[])
    assert (tuples, beats.user.tolist(), beats.keep.any()) == ([], [False], False)


@pytest.mark.parametrize(
    ("type_", "window", "start", "times", "expected"),
    [
        # A tuple before the start moves nothing, however old.
        ("int", "RANGE 4 SLIDE 4", 100, [5, 99, 100, 103, 104], [(4, 104)]),
        ("int", "RANGE 4 SLIDE 4 WATTR t SLACK 1", -8, [-7, -4, -3, 4], [(2, -4), (3, 0)]),
        ("int(64)", "RANGE 9 SLIDE 9", -(1 << 63), [-(1 << 63), -9], [(1, -17)]),
        # Below 0 there is no time to say: 0 stands for -5, before the tuple at 4.
        ("uint(8)", "RANGE 9 SLIDE 5 WATTR t SLACK 9", -10, [3, 4, 8, 9, 19], [(1, 0), (4, 10)]),
        ("uint(64)", "RANGE 9 SLIDE 8", (1 << 64) - 32, [(1 << 64) - 1], [(0, (1 << 64) - 8)]),
        ("uint(64)", "RANGE 9 SLIDE 8 WATTR t SLACK 18446744073709551615", 0, [1 << 62], []),
        # Raw units of fixed point: a slide of 1.5 is 24.
        ("fixed(8,4)", "RANGE 3 SLIDE 1.5", 0, [23, 24, 47, 95], [(1, 24), (3, 72)]),
    ],
)  # fmt: skip
def test_punctuations_by_hand(type_, window, start, times, expected):
    window = window if "WATTR" in window else f"{window} WATTR t"
    query = parse(f"CREATE INPUT STREAM S (t {type_}); SELECT count(*) FROM S [{window}];")
    unsigned = type_.startswith("uint")
    earlier, values = punctuations(query.window, np.array(times, "u8" if unsigned else "i8"), start)
    assert list(zip(earlier.tolist(), values.tolist(), strict=True)) == expected
