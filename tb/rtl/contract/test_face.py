"""The face of a top: which are refused, and what they change of a design that has one."""

from dataclasses import replace

import pytest

from rtl.contract.face import PLAIN, Face
from rtl.contract.options import option_fields
from rtl.contract.rows import Packet, Role, RowField
from rtl.engine import ENGINES
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.bus.packets import packets


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"bus_bits": 16}, ValueError, "bus_bits must be a power of two from 32 to 512, not 16"),
        (
            {"bus_bits": 1024},
            ValueError,
            "bus_bits must be a power of two from 32 to 512, not 1024",
        ),
        ({"bus_bits": 96}, ValueError, "bus_bits must be a power of two from 32 to 512, not 96"),
        ({"bus_bits": "64"}, TypeError, "bus_bits must be an integer, not '64'"),
        ({"end_marker": 1}, TypeError, "end_marker must be true or false, not 1"),
        *(
            (
                {"packets": packets},
                ValueError,
                "packets must be window, stream, or beats:N with N from 1 to 1048576, not "
                f"{packets!r}",
            )
            for packets in ("windows", "beats:0", "beats:1048577", "beats:", "beats:1.5", 3)
        ),
    ],
)
def test_what_is_refused(given, kind, message):
    with pytest.raises(kind) as refused:
        Face(**given)
    assert str(refused.value) == message


def test_beats():
    assert [Face(packets=p).beats for p in (None, "window", "stream")] == [None] * 3
    assert [Face(packets=f"beats:{n}").beats for n in (1, 1 << 20)] == [1, 1 << 20]


@pytest.mark.parametrize(
    ("face", "of_windows", "of_streams"),
    [
        (PLAIN, (False, False), (False, False)),
        (Face(packets="window"), (False, False), None),
        (Face(packets="stream"), (True, False), (False, False)),
        (Face(packets="beats:4"), (True, False), (False, False)),
        (Face(end_marker=True), (False, True), (False, False)),
        (Face(packets="window", end_marker=True), (False, True), None),
        (Face(packets="beats:4", end_marker=True), (True, False), (False, False)),
    ],
)
def test_joins_and_marks(face, of_windows, of_streams):
    """Of an engine whose packets are windows, and one with a packet for each stream."""
    for packet, expected in ((Packet.WINDOW, of_windows), (Packet.STREAM, of_streams)):
        rows = replace(packets().rows, packet=packet)
        if expected is None:
            with pytest.raises(ValueError, match=r"^packets must be stream or beats:N, not window"):
                face.check(rows, ())
        else:
            face.check(rows, ())
            assert (face.joins(rows), face.marks(rows)) == expected


def test_rows_that_do_not_say_of_which_window_they_are():
    rows = packets().rows
    key, window = (RowField(name=str(r), shape=8, role=r) for r in (Role.KEY, Role.WINDOW))
    keyed = replace(rows, fields=(key, *rows.fields))
    with pytest.raises(ValueError, match=r"^packets must be window, not stream: a window has"):
        Face(packets="stream").check(keyed, ())
    Face(packets="window").check(keyed, ())
    Face(packets="stream").check(replace(keyed, fields=(window, *keyed.fields)), ())


def test_a_flag_beside_a_tuple_has_no_room():
    with pytest.raises(ValueError, match=r"^bus_bits must not be given where tuser flags a tuple"):
        many_buses().faced(Face(bus_bits=64))
    many_buses(flagged=False).faced(Face(bus_bits=64))
    many_buses().faced(Face(packets="stream"))


def test_a_plain_face_changes_nothing():
    design = packets(lanes=4)
    plain = design.faced(Face())
    assert plain == design
    assert "bus" not in plain.configuration()
    assert plain.configuration_hash == design.configuration_hash == 0x421C16FE


def test_another_face_is_another_design():
    design = packets(lanes=4)
    faces = [Face(bus_bits=32), Face(packets="stream"), Face(end_marker=True)]
    faced = [design.faced(face) for face in faces]
    assert len({design.configuration_hash, *(d.configuration_hash for d in faced)}) == 4
    assert all(d != design for d in faced)
    assert faced[0].configuration()["bus"] == {"bus_bits": 32}
    assert faced[2].configuration() == design.configuration() | {"bus": {"end_marker": True}}
    assert [d.parameters for d in faced] == [design.parameters] * 3


def test_the_pins_are_as_wide_as_asked_and_let_in_no_more():
    design = packets(lanes=8)
    narrow, wide = (design.faced(Face(bus_bits=bits)) for bits in (32, 512))
    for made, size in ((design, 8), (narrow, 4), (wide, 64)):
        assert [bus.bytes for bus in made.streams] == [size, size]
        assert [bus.beat_bytes for bus in made.streams] == [8, 8]
    rates = [made.prediction.tuples_per_cycle for made in (design, narrow, wide)]
    assert rates == [8, 4, 8]


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_has_an_option_of_that_name(engine):
    names = {field.name for field in option_fields(ENGINES[engine].options)}
    assert not names & {field.name for field in option_fields(Face)}
