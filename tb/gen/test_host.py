"""What a host writes, where windows of time begin, and what a run must have counted."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from gen.host import host_sets, writes
from gen.simulation import _miscounted
from gen.start import start_of, start_text
from golden.answer import Answer
from golden.tuples import Tuples
from query.errors import UserError
from query.parser import parse
from rtl.bus.registers import COUNTERS
from rtl.engine.parameters import RunTime

FIXED = parse(
    "CREATE INPUT STREAM S (t fixed(8,4), v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t] WHERE v > 0;"
)
ROWS = parse("CREATE INPUT STREAM S (v int); SELECT sum(v) FROM S [ROWS 4 SLIDE 2];")


def number(name, width, signed=False):
    return RunTime(name=name, width=width, doc="", signed=signed)


def top(numbers, values, query=FIXED, functions=()):
    """As much of a top as its host looks at: register k of the settings is at 0x20 + 4k."""
    names = [
        name
        for n in numbers
        for name in ((n.name,) if n.width <= 32 else (f"{n.name}_low", f"{n.name}_high"))
    ]
    registers = {name: SimpleNamespace(address=0x20 + 4 * k) for k, name in enumerate(names)}
    registers["function"] = SimpleNamespace(address=0x18)
    parameters = SimpleNamespace(query=query, run_time=numbers, run_time_values=values)
    return SimpleNamespace(parameters=parameters, registers=registers, functions=functions)


def test_start_is_a_literal_of_the_time_column():
    assert start_of(FIXED, None) is None
    assert start_of(FIXED, "12.5") == 200
    assert start_of(FIXED, "-0.0625") == -1
    assert [start_text(FIXED, raw) for raw in (200, -1, -32, None)] == [
        "12.5",
        "-0.0625",
        "-2",
        None,
    ]


@pytest.mark.parametrize(
    ("query", "text", "message"),
    [
        (ROWS, "0", "the query has no RANGE"),
        (
            FIXED,
            "noon",
            "--start, a time as in t fixed(8,4): 'noon' is not a number for fixed(8,4)",
        ),
        (FIXED, "128", "--start, a time as in t fixed(8,4): 128 does not fit fixed(8,4)"),
        (FIXED, "", "is not a number"),
    ],
)
def test_start_that_is_none(query, text, message):
    with pytest.raises(UserError) as raised:
        start_of(query, text)
    assert message in str(raised.value)


def test_numbers_of_one_word_and_of_two():
    numbers = (number("range", 64), number("slide", 13), number("start", 64, signed=True))
    made = writes(top(numbers, {"range": (5 << 32) + 7, "slide": 4095}), start=-2)
    words = [(0x20, 7), (0x24, 5), (0x28, 4095), (0x2C, 0xFFFFFFFE), (0x30, 0xFFFFFFFF)]
    assert made == {0: words}


def test_a_negative_number_of_one_word_is_extended_by_its_sign():
    made = writes(top((number("start", 13, signed=True),), {}), start=-2048)
    assert made == {0: [(0x20, 0xFFFFF800)]}


def test_without_a_tuple_the_start_is_left_as_it_is():
    assert writes(top((number("start", 32, signed=True),), {})) == {0: []}


def test_a_start_goes_nowhere_when_the_engine_has_none():
    assert writes(top((number("size", 8),), {"size": 4}, ROWS), start=7) == {0: [(0x20, 4)]}


def test_each_function_is_written_before_its_own_stream():
    made = writes(top((number("size", 8),), {"size": 4}, ROWS, functions=("a", "b")))
    assert made == {0: [(0x20, 4), (0x18, 0)], 1: [(0x18, 1)]}


@pytest.mark.parametrize(
    ("width", "signed", "start", "fits"),
    [
        (13, True, -4097, False),  # 12 bits, and one that tells a misfit
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
    one = top((number("start", width, signed),), {})
    if fits:
        assert len(writes(one, start)[0]) == (1 if width <= 32 else 2)
    else:
        with pytest.raises(UserError, match=r"start must be from .*; --start gives another"):
            writes(one, start)


def test_a_misfit_is_told_as_the_user_knows_it():
    with pytest.raises(UserError) as raised:
        writes(top((number("start", 13, signed=True),), {}), start=-2056)
    text = "start must be from -128 to 127.9375 here, not -128.5; --start gives another"
    assert str(raised.value) == text
    with pytest.raises(UserError) as raised:
        writes(top((number("slide", 9),), {"slide": 256}))
    assert str(raised.value) == "slide must be from 0 to 15.9375 here, not 16"


def test_numbers_of_tuples_are_for_their_engine_to_judge():
    made = writes(top((number("slide", 8), number("size", 8)), {"slide": 128, "size": 255}, ROWS))
    assert made == {0: [(0x20, 128), (0x24, 255)]}


def test_what_the_data_decide_is_left_to_the_host():
    numbers = (number("range", 32), number("start", 32, signed=True))
    assert host_sets(top(numbers, {"range": 4}).parameters) == ["start"]
    assert host_sets(top((number("size", 8),), {"size": 4}).parameters) == []


def test_counters_that_are_wrong_are_told():
    """Of 4 tuples WHERE leaves out 2; golden says that 1 is late; and 2 streams were fed."""
    table = pa.table({"t": [0, 16, 32, 1], "v": [1, 0, 5, -1]})
    tuples, rows = Tuples(FIXED.schema, table), pa.table({"window": [0, 1, 2]})
    answer = Answer(rows=rows, start=0, late=1)
    right = dict.fromkeys(COUNTERS, 0)
    right |= {"tuples": 8, "streams": 2, "filtered": 4, "late": 2, "rows": 6}
    assert _miscounted(FIXED, tuples, answer, rows, right, 2) == []
    for name in ("tuples", "streams", "filtered", "late", "rows", "overrun", "nan", "collision"):
        wrong = right | {name: right[name] + 1}
        expected = [f"counter {name} must be {right[name]}, not {right[name] + 1}"]
        assert _miscounted(FIXED, tuples, answer, rows, wrong, 2) == expected
