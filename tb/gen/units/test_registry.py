"""Tests that each unit can be built, and that wrong settings are refused; and the flat ports."""

import pytest
from amaranth.hdl import Module, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from gen.units.flat_ports import FlatPorts
from gen.units.registry import UNITS, unit
from gen.verilog.elaboration import to_rtlil
from query.errors import UserError
from rtl.stream.beat import beat


@pytest.mark.in_turn
@pytest.mark.parametrize("name", UNITS)
def test_every_unit_can_be_built(name):
    settings, component = unit(name, {})
    assert settings == UNITS[name].settings
    rtlil = to_rtlil(FlatPorts(component))
    assert rtlil.ports
    assert "\\$signal" not in rtlil.read()  # every signal has a name


@pytest.mark.usefixtures("free_components")
@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("flims", {"lanes": 3}, "lanes must be|power of two"),
        ("flims", {"width": 1}, "width must be at least 2, not 1"),
        ("linear-sorter", {"passenger": -1}, "^passenger must be at least 0, not -1$"),
        (
            "merge-sorter",
            {"window_max": 130},
            "^window_max must be 4 times a power of two, not 130$",
        ),
        ("linear-sorter", {"cells": 0}, "cells of unit linear-sorter must be at least 1, not 0"),
        (
            "decompressor",
            {"decoders": 0},
            "decoders of unit .* must be at least 1, not 0",
        ),
        ("pivot-pass", {"tuples": -1}, "tuples of unit pivot-pass must be at least 1, not -1"),
        ("window-cache", {"values": 1 << 62}, "a setting of unit window-cache is too large"),
        (
            "compressor",
            {"codec": "sz", "exponent": 64},
            "exponent must be from 0 to 63 for signed numbers of 64 bits, not 64",
        ),
        (
            "decompressor",
            {"codec": "float-sz", "exponent": -127},
            "exponent must be from -126 to 104 for float numbers of 32 bits, not -127",
        ),
        ("compressor", {"codec": "sz", "width": 16}, "width must be 32 or 64, not 16"),
        (
            "compressor",
            {"codec": "grid", "exponent": 3},
            "exponent is for codec sz and float-sz, not for grid",
        ),
        ("linear-sorter", {"lanes": 2}, "unknown parameter lanes of unit linear-sorter"),
        ("flims", {"lanes": "four"}, "^lanes of unit flims must be of type int, not four$"),
        ("compressor", {"codec": 3}, "^codec of unit compressor must be of type str, not 3$"),
        (
            "network-face",
            {"end_marks": 2},
            "^end_marks of unit network-face must be 0 or 1, not 2$",
        ),
        ("flim", {}, "^unknown unit flim; did you mean flims[?]$"),
    ],
)
def test_what_a_unit_refuses(name, options, message):
    with pytest.raises(UserError, match=message):
        unit(name, options)


@pytest.mark.usefixtures("free_components")
def test_a_switch_that_is_on_by_default_can_be_off():
    settings, _ = unit("network-face", {"end_marks": 0})
    assert settings["end_marks"] == 0


class _Pair(data.Struct):
    """Two fields, one of which has no bits."""

    some: 2
    none: 0


class _Block(wiring.Component):
    """A block with every kind of member."""

    def __init__(self):
        row = data.StructLayout({"key": 3, "value": signed(4)})
        super().__init__(
            {
                "i": In(stream.Signature(beat(row, 2))),
                "o": Out(stream.Signature(data.ArrayLayout(5, 2), always_ready=True)),
                "bus": Out(wiring.Signature({"data": Out(8), "ready": In(1)})),
                "sizes": In(data.ArrayLayout(2, 2)),
                "level": Out(stream.Signature(_Pair, always_valid=True)),
                "none": In(0),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.d.sync += self.i.ready.eq(self.i.valid)
        return m


def test_a_port_for_each_field():
    flat = FlatPorts(_Block())
    assert set(to_rtlil(flat).ports) == {port.name for port in flat.ports}
    ports = {port.name: (port.is_input, port.width, port.is_signed) for port in flat.ports}
    assert ports == {
        "i_valid": (True, 1, False),
        "i_ready": (False, 1, False),
        "i_payload_lane0_key": (True, 3, False),
        "i_payload_lane0_value": (True, 4, True),
        "i_payload_lane1_key": (True, 3, False),
        "i_payload_lane1_value": (True, 4, True),
        "i_payload_valid": (True, 2, False),
        "i_payload_last": (True, 1, False),
        "o_valid": (False, 1, False),
        "o_payload0": (False, 5, False),
        "o_payload1": (False, 5, False),
        "bus_data": (False, 8, False),
        "bus_ready": (True, 1, False),
        "sizes0": (True, 2, False),
        "sizes1": (True, 2, False),
        "level_ready": (True, 1, False),
        "level_payload_some": (False, 2, False),
    }


def test_each_port_knows_its_stream_and_its_field():
    flat = FlatPorts(_Block())
    to_rtlil(flat)  # a component that is never elaborated causes a warning
    parts = {port.name: (port.stream, port.field) for port in flat.ports}
    fields = [f"lane{lane}_{name}" for lane in range(2) for name in ("key", "value")]
    assert parts == {
        **{f"i_payload_{field}": ("i", field) for field in (*fields, "valid", "last")},
        **dict.fromkeys(["i_valid", "i_ready"], ("i", None)),
        **{"o_valid": ("o", None), "o_payload0": ("o", "0"), "o_payload1": ("o", "1")},
        **dict.fromkeys(["bus_data", "bus_ready", "sizes0", "sizes1"], (None, None)),
        **{"level_ready": ("level", None), "level_payload_some": ("level", "some")},
    }


@pytest.mark.usefixtures("free_components")
def test_two_ports_of_one_name():
    block = wiring.Signature({"a": In(data.StructLayout({"b": 1})), "a_b": In(1)}).create()
    with pytest.raises(ValueError, match=r"^a_b must be the name of one port, not of two$"):
        FlatPorts(block)


@pytest.mark.usefixtures("free_components")
def test_ports_that_are_too_wide():
    message = "unit prefix-scan would have a port of 70,001 bits, and 32,768 are allowed"
    with pytest.raises(UserError, match=f"^{message}$"):
        unit("prefix-scan", {"lanes": 1, "width": 70_000})
    with pytest.raises(UserError, match="a port of 32,769 bits"):
        unit("prefix-scan", {"lanes": 1, "width": 32_768})
    unit("prefix-scan", {"lanes": 1, "width": 32_767})
