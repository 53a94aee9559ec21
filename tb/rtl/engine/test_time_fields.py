"""What the engines without groups have on the bus: fields of rows, and numbers set at run time."""

import pytest
from amaranth.hdl import signed, unsigned

from rtl.bus.top import AxiTop
from tb.rtl.engine import rows_bench
from tb.rtl.engine.test_time_parameters import TIMED, made, timed, window_of
from tb.rtl.engine.time_bench import ALL
from tb.rtl.gates import evaluate


@pytest.mark.parametrize("engine", TIMED)
def test_rows_of_windows_of_time(engine):
    """NULL for all but counts and sums; the end of a window is exact."""
    parameters = made(engine, window_of(engine), f"{ALL}, max(f)", count_width=9)
    assert parameters.row_fields == (
        ("window_end", signed(22)),
        ("count(*)", unsigned(9)),
        ("sum(x)", signed(16)),
        ("valid(min(x))", unsigned(1)),
        ("min(x)", signed(7)),
        ("valid(max(x))", unsigned(1)),
        ("max(x)", signed(7)),
        ("valid(avg(x))", unsigned(1)),
        ("avg(x)", signed(7)),
        ("valid(max(f))", unsigned(1)),
        ("max(f)", unsigned(32)),
    )
    assert parameters.tuples_max == parameters.stream_max == 511
    assert timed(engine, 40, 10, time="uint(64)").row_fields[0] == ("window_end", signed(66))


def test_rows_of_windows_of_tuples():
    """Of up to 8 of them: 4 bits of a count, 3 more than x of a sum; nothing is ever NULL."""
    parameters = rows_bench.point()
    assert parameters.row_fields == (
        ("count(*)", unsigned(4)),
        ("sum(x)", signed(10)),
        ("min(x)", signed(7)),
        ("max(x)", signed(7)),
        ("avg(x)", signed(7)),
    )
    assert parameters.tuples_max == 8
    assert parameters.stream_max is None


@pytest.mark.parametrize(
    ("time", "length", "start"),
    [
        ("int(32)", 32, 32),
        ("uint(32)", 32, 33 + 1),
        ("int(20)", 20 + 1, 20 + 1),
        ("uint(20)", 20 + 1, 21 + 1),
        ("fixed(6,3)", 9 + 1, 9 + 1),
        ("int(64)", 64, 64),
        ("uint(64)", 64, 64),  # a start from 2**63 has no register
        ("uint(63)", 63 + 1, 64),
        ("uint(31)", 31 + 1, 32),
        ("int(31)", 31 + 1, 31 + 1),
        ("int(33)", 33 + 1, 33 + 1),
    ],
)
@pytest.mark.parametrize("engine", TIMED)
def test_widths_of_what_is_set_at_run_time(engine, time, length, start):
    """A bit more than the numbers have, for those that do not fit, but where registers are full."""
    parameters = timed(engine, 4, 2, 1, time=time)
    assert [(n.name, n.width, n.signed, n.words) for n in parameters.run_time] == [
        *((name, length, False, 1 + (length > 32)) for name in ("range", "slide", "slack")),
        ("start", start, True, 1 + (start > 32)),
    ]
    registers = AxiTop(parameters).registers
    for number in parameters.run_time:
        pair = {f"{number.name}_low", f"{number.name}_high"}
        assert (pair <= registers.keys()) == (number.words == 2)
        assert (number.name in registers) == (number.words == 1)


def test_what_is_set_at_run_time():
    where = {"rest": "WHERE y < 3 AND x != -2", "constants": "run-time"}
    values = {"range": 40, "slide": 10, "slack": 10, "where0": 3, "where1": -2}
    for engine in TIMED:
        parameters = made(engine, window_of(engine), **where)
        assert parameters.run_time_values == values  # the start depends on the data
        names = ["range", "slide", "slack", "start", "where0", "where1"]
        assert list(parameters.settings_layout.members) == names
        assert parameters.dropped == ("late", "overrun", "nan", "filtered")
        assert made(engine, window_of(engine)).dropped == ("late", "overrun")
    rows = made("two-stacks", "ROWS 8 SLIDE 3", **where)
    assert rows.run_time_values == {"size": 8, "slide": 3, "where0": 3, "where1": -2}
    assert [(n.name, n.width) for n in rows.run_time] == [
        *(("size", 4), ("slide", 4), ("where0", 5), ("where1", 8))
    ]
    assert rows.dropped == ("overrun", "nan", "filtered")
    assert made("two-stacks", "ROWS 8 SLIDE 3").dropped == ("overrun",)


@pytest.mark.parametrize(
    ("parameters", "good", "vectors"),
    [
        pytest.param(
            timed(engine, 4, 2, time=time, rest="WHERE x < 3", constants="run-time"),
            {"range": 4, "slide": 2, "slack": 0, "start": 0, "where0": 63},
            vectors,
            id=f"{engine} {time}",
        )
        for engine in TIMED
        for time, vectors in (
            (
                "int(20)",
                [
                    ({"slide": 5}, 0),  # by itself
                    ({"range": (1 << 20) - 1, "slide": (1 << 20) - 1, "slack": (1 << 20) - 1}, 0),
                    *(({"start": start}, 0) for start in (-(1 << 19), (1 << 19) - 1)),
                    *(({"start": start}, 1) for start in (-(1 << 19) - 1, 1 << 19, -(1 << 20))),
                    *(({name: 1 << 20}, 1) for name in ("range", "slide", "slack")),
                    *(({name: 0}, 0) for name in ("range", "slide")),
                    ({"slack": 0, "where0": -64}, 0),
                    *(({"where0": constant}, 1) for constant in (64, -65, -128, 127)),
                ],
            ),
            (
                "uint(32)",
                [
                    ({"range": (1 << 32) - 1, "slide": 1 << 31, "slack": (1 << 32) - 1}, 0),
                    *(({"start": start}, 0) for start in (-(1 << 32), (1 << 32) - 1)),
                    *(({"start": start}, 1) for start in (-(1 << 32) - 1, 1 << 32)),
                    *(({name: 0}, 0) for name in ("range", "slide")),
                ],
            ),
            (
                "int(31)",
                [
                    *(({"start": start}, 0) for start in (-(1 << 30), (1 << 30) - 1)),
                    *(({"start": start}, 1) for start in (-(1 << 30) - 1, 1 << 30)),
                    ({"slack": (1 << 31) - 1}, 0),
                    ({"slack": 1 << 31}, 1),
                ],
            ),
            ("uint(64)", [({"range": (1 << 64) - 1, "start": -(1 << 63)}, 0)]),
        )
    ]
    + [
        pytest.param(
            rows_bench.point(8, 3, where="WHERE y < 3", constants="run-time"),
            {"size": 8, "slide": 3, "where0": 15},
            [
                ({"size": 1, "slide": 1, "where0": 0}, 0),
                ({"size": 2}, 0),  # by itself
                *(({name: value}, 1) for name in ("size", "slide") for value in (0, 9, 15)),
                ({"slide": 8}, 0),
                *(({"where0": value}, 1) for value in (16, 31)),
            ],
            id="two-stacks",
        )
    ],
)
def test_refused_settings(parameters, good, vectors):
    """Each by itself; what windows of time make no sense is seen where the windows are."""
    vectors = [({}, 0), *vectors]
    got = evaluate(
        {"settings": parameters.settings_layout},
        {"bad": 1},
        lambda settings: {"bad": parameters.refused(settings)},
        [{"settings": good | some} for some, _ in vectors],
    )
    assert [(some, g["bad"]) for (some, _), g in zip(vectors, got, strict=True)] == vectors
