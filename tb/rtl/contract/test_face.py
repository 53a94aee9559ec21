"""The face of a top: refused faces, and the changes that a face makes to a design."""

from dataclasses import replace

import pytest

from rtl.contract.face import PLAIN, Face
from rtl.contract.options import option_fields
from rtl.contract.packing import Packing
from rtl.contract.rows import Packet, Role, RowField
from rtl.engine import ENGINES
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.bus.packets import packets


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
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
        ({"network": "yes"}, TypeError, "network must be true or false, not 'yes'"),
        (
            {"host_link": True},
            ValueError,
            "host_link must not be true without network=true: registers are read by datagrams",
        ),
        (
            {"network": True, "bus_bits": 64},
            ValueError,
            "bus_bits must not be given with network, not 64: a MAC of 10 Gb/s has 64 bits",
        ),
        (
            {"network": True, "packets": "beats:4"},
            ValueError,
            "packets must be window or stream with network, not beats:4: datagrams are cut between "
            "two rows",
        ),
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
def test_what_is_refused(arguments, kind, message):
    with pytest.raises(kind) as refused:
        Face(**arguments)
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
        (Face(network=True), (True, False), (False, False)),
        (Face(network=True, packets="window"), (False, False), None),
        (Face(network=True, packets="window", end_marker=True), (False, True), None),
    ],
)
def test_joins_and_marks(face, of_windows, of_streams):
    """An engine whose packets are windows, and an engine with a packet for each stream."""
    for packet, expected in ((Packet.WINDOW, of_windows), (Packet.STREAM, of_streams)):
        rows = replace(packets().rows, packet=packet)
        if expected is None:
            with pytest.raises(ValueError, match=r"^packets must be stream or beats:N, not window"):
                face.check(rows, packets().streams)
        else:
            face.check(rows, packets().streams)
            assert (face.joins(rows), face.marks(rows)) == expected


def test_rows_that_do_not_say_of_which_window_they_are():
    rows = packets().rows
    key, window = (RowField(name=str(r), shape=8, role=r) for r in (Role.KEY, Role.WINDOW))
    keyed = replace(rows, fields=(key, *rows.fields))
    with pytest.raises(ValueError, match=r"^packets must be window, not stream: a window has"):
        Face(packets="stream").check(keyed, ())
    Face(packets="window").check(keyed, ())
    Face(packets="stream").check(replace(keyed, fields=(window, *keyed.fields)), ())


def test_windows_of_many_rows_are_packets_of_a_network():
    """Windows are not joined, because no row determines its window."""
    rows = packets().rows
    key, window = (RowField(name=str(r), shape=8, role=r) for r in (Role.KEY, Role.WINDOW))
    keyed = replace(rows, fields=(key, *rows.fields))
    assert not Face(network=True).joins(keyed)
    assert Face(network=True).joins(replace(keyed, fields=(window, *keyed.fields)))


def test_a_network_changes_the_pins_alone():
    design = packets(lanes=8).with_face(Face(network=True))
    assert [(bus.name, bus.bytes, bus.short) for bus in design.streams] == [
        ("s_axis", 8, 1),
        ("m_axis", 8, None),
    ]
    pins = [(bus.name, bus.slave, bus.bytes, bus.user) for bus in design.pins]
    assert pins == [("s_axis_rx", True, 8, 1), ("m_axis_tx", False, 8, 0)]
    other_design = many_buses(flagged=False)
    names = [
        [bus.name for bus in face.pins]
        for face in (other_design, other_design.with_face(Face(network=True)))
    ]
    assert names[0] == [bus.name for bus in other_design.streams]
    assert names[1] == ["s_axis_rx", "m_axis_tx", *names[0][2:]]
    assert {bus.bytes for bus in other_design.with_face(Face(network=True)).pins} == {8}


def test_what_a_datagram_cannot_have():
    with pytest.raises(ValueError, match=r"^host_link must be true with network and punctuations"):
        many_buses().with_face(Face(network=True))
    design = packets()
    # A datagram ends with a whole row and a whole transfer of 8 bytes: 183 * 8 and 184 * 8 bytes
    # fit, and 185 * 8 do not. With a link to a host 8 bytes of the number come first.
    for size, has_link, datagram_bytes in (
        *((1472, False, None), (1473, False, 8 * 1473), (184, False, None), (185, False, 1480)),
        *((1464, True, None), (1472, True, 1472), (183, True, None), (184, True, None)),
    ):
        face = Face(network=True, host_link=has_link)
        wide = RowField(name="x", shape=8 * size, role=Role.VALUE)
        rows = replace(design.rows, fields=(wide,))
        if datagram_bytes is None:
            face.check(rows, design.streams)
        else:
            with pytest.raises(ValueError, match=r"^network must not be given with") as refused:
                face.check(rows, design.streams)
            assert str(refused.value) == (
                f"network must not be given with rows of {size} bytes: a datagram of whole rows "
                f"would have {datagram_bytes}, and {1464 if has_link else 1472} is the most"
            )
    wide = replace(design.streams[0], packing=Packing([("x", 8 * 1473)]))
    with pytest.raises(ValueError, match=r"with tuples of 1473 bytes: .* 1473, and 1472 is the"):
        Face(network=True).check(design.rows, (wide, design.streams[1]))


def test_a_flag_beside_a_tuple_has_no_room():
    with pytest.raises(ValueError, match=r"^bus_bits must not be given where tuser flags a tuple"):
        many_buses().with_face(Face(bus_bits=64))
    many_buses(flagged=False).with_face(Face(bus_bits=64))
    many_buses().with_face(Face(packets="stream"))


def test_a_plain_face_changes_nothing():
    design = packets(lanes=4)
    plain = design.with_face(Face())
    assert plain == design
    assert "bus" not in plain.configuration()
    assert plain.configuration_hash == design.configuration_hash == 0x421C16FE


def test_another_face_is_another_design():
    design = packets(lanes=4)
    faces = [Face(bus_bits=32), Face(packets="stream"), Face(end_marker=True)]
    faced = [design.with_face(face) for face in faces]
    assert len({design.configuration_hash, *(d.configuration_hash for d in faced)}) == 4
    assert all(d != design for d in faced)
    assert faced[0].configuration()["bus"] == {"bus_bits": 32}
    assert faced[2].configuration() == design.configuration() | {"bus": {"end_marker": True}}
    assert [d.parameters for d in faced] == [design.parameters] * 3


def test_the_pins_are_as_wide_as_asked_and_let_in_no_more():
    design = packets(lanes=8)
    narrow, wide = (design.with_face(Face(bus_bits=bits)) for bits in (32, 512))
    for design_, size in ((design, 8), (narrow, 4), (wide, 64)):
        assert [bus.bytes for bus in design_.streams] == [size, size]
        assert [bus.beat_bytes for bus in design_.streams] == [8, 8]
    rates = [design_.prediction.tuples_per_cycle for design_ in (design, narrow, wide)]
    assert rates == [8, 4, 8]


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_has_an_option_of_that_name(engine):
    names = {field.name for field in option_fields(ENGINES[engine].options)}
    assert not names & {field.name for field in option_fields(Face)}
