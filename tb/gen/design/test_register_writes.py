"""Tests the register writes of a host before each stream."""

from types import SimpleNamespace

import pytest

from gen.design.register_writes import register_writes
from query.errors import UserError
from query.parser import parse
from rtl.bus.registers import register_map
from rtl.contract.settings import HostSetting, HostSettings

FIXED = parse(
    "CREATE INPUT STREAM S (t fixed(8,4), v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t] WHERE v > 0;"
)
ROWS = parse("CREATE INPUT STREAM S (v int); SELECT sum(v) FROM S [ROWS 4 SLIDE 2];")


def number(name, width, signed=False, value=None):
    return HostSetting(name=name, width=width, doc="", signed=signed, value=value)


def writes(*numbers, start=None, query=FIXED, functions=()):
    """Returns the writes for a design with these numbers: register k is at 0x20 + 4 k."""
    settings = HostSettings(numbers=numbers, functions=functions)
    registers = register_map(
        configuration=0, capabilities=0, settings=settings, counters=(), flags=()
    )
    return register_writes(SimpleNamespace(query=query, settings=settings), registers, start)


def test_numbers_of_one_word_and_of_two():
    lengths = number("range", 64, value=(5 << 32) + 7), number("slide", 13, value=4095)
    created = writes(*lengths, number("start", 64, signed=True), start=-2)
    words = [(0x20, 7), (0x24, 5), (0x28, 4095), (0x2C, 0xFFFFFFFE), (0x30, 0xFFFFFFFF)]
    assert created == {0: words}


def test_a_negative_number_of_one_word_is_extended_by_its_sign():
    created = writes(number("start", 13, signed=True), start=-2048)
    assert created == {0: [(0x20, 0xFFFFF800)]}


def test_without_a_tuple_the_start_is_left_as_it_is():
    assert writes(number("start", 32, signed=True)) == {0: []}


def test_a_start_goes_nowhere_when_the_engine_has_none():
    assert writes(number("size", 8, value=4), start=7, query=ROWS) == {0: [(0x20, 4)]}


def test_each_function_is_written_before_its_own_stream():
    created = writes(number("size", 8, value=4), query=ROWS, functions=("a", "b"))
    assert created == {0: [(0x20, 4), (0x18, 0)], 1: [(0x18, 1)]}


@pytest.mark.parametrize(
    ("width", "signed", "start", "fits"),
    [
        (13, True, -4097, False),  # a number has 12 bits; the 13th bit shows that it does not fit
        (13, True, -2048 - 1, False),
        (13, True, -2048, True),
        (13, True, 2047, True),
        (13, True, 2048, False),
        (13, False, -1, False),
        (13, False, 4095, True),
        (13, False, 4096, False),
        (32, True, -(1 << 31), True),
        (32, True, 1 << 31, False),
        (34, True, (1 << 32) - 1, True),
        (34, True, 1 << 32, False),
        (64, False, (1 << 64) - 1, True),
        (64, True, 1 << 63, False),
    ],
)
def test_what_fits_a_register(width, signed, start, fits):
    one = number("start", width, signed)
    if fits:
        low, high = start & 0xFFFF_FFFF, start >> 32 & 0xFFFF_FFFF
        words = [(0x20, low)] if width <= 32 else [(0x20, low), (0x24, high)]
        assert writes(one, start=start) == {0: words}
    else:
        with pytest.raises(UserError, match=r"start must be from .*; --start gives another"):
            writes(one, start=start)


def test_a_misfit_is_told_as_the_user_knows_it():
    with pytest.raises(UserError) as raised:
        writes(number("start", 13, signed=True), start=-2056)
    text = "start must be from -128 to 127.9375 here, not -128.5; --start gives another"
    assert str(raised.value) == text
    with pytest.raises(UserError) as raised:
        writes(number("slide", 9, value=256))
    assert str(raised.value) == "slide must be from 0 to 15.9375 here, not 16"


def test_numbers_of_tuples_are_for_their_engine_to_judge():
    both = number("slide", 8, value=128), number("size", 8, value=255)
    created = writes(*both, query=ROWS)
    assert created == {0: [(0x20, 128), (0x24, 255)]}
