"""Checks row fields and host settings of the engines without groups."""

import pytest
from amaranth.hdl import signed, unsigned

from rtl.bus.top_registers import registers_of
from rtl.contract.rows import Packet, Role
from tb.rtl.engine import rows_bench
from tb.rtl.engine.time_bench import AGGREGATES
from tb.rtl.engine.time_designs import TIMED, design_of, timed, window_of
from tb.rtl.gates import evaluate


def described_fields(design):
    """Returns the name, shape and role of each row field, and the field that it refers to."""
    return tuple((field.name, field.shape, field.role, field.of) for field in design.rows.fields)


def values(**shapes):
    return tuple((name, shape, Role.VALUE, None) for name, shape in shapes.items())


@pytest.mark.parametrize("engine", TIMED)
def test_rows_of_windows_of_time(engine):
    """Results may be NULL, except counts and sums; the end of a window is exact."""
    design = design_of(engine, window_of(engine), f"{AGGREGATES}, max(f)", count_width=9)
    nullable = {"min(x)": signed(7), "max(x)": signed(7), "avg(x)": signed(7)}
    nullable |= {"max(f)": unsigned(32)}
    assert described_fields(design) == (
        ("window_end", signed(22), Role.WINDOW_END, None),
        *values(**{"count(*)": unsigned(9), "sum(x)": signed(16)}),
        *(
            field
            for name, shape in nullable.items()
            for field in (
                (f"valid({name})", unsigned(1), Role.VALID, name),
                (name, shape, Role.VALUE, None),
            )
        ),
    )
    assert design.rows.packet is Packet.WINDOW
    assert design.stream_max == 511
    wide = timed(engine, 40, 10, time="uint(64)").rows.fields[0]
    assert (wide.name, wide.shape) == ("window_end", signed(66))


def test_rows_of_windows_of_tuples():
    """Windows of up to 8 tuples: a count has 4 bits, a sum 3 bits more than x; none is NULL."""
    design = rows_bench.point()
    numbers = dict.fromkeys(("min(x)", "max(x)", "avg(x)"), signed(7))
    assert described_fields(design) == values(
        **{"count(*)": unsigned(4), "sum(x)": signed(10)}, **numbers
    )
    assert design.options.resolved.window_max == 8
    assert design.stream_max is None


@pytest.mark.parametrize(
    ("time", "length", "start"),
    [
        ("int(32)", 32, 32),
        ("uint(32)", 32, 33 + 1),
        ("int(20)", 20 + 1, 20 + 1),
        ("uint(20)", 20 + 1, 21 + 1),
        ("fixed(6,3)", 9 + 1, 9 + 1),
        ("int(64)", 64, 64),
        ("uint(64)", 64, 64),  # a start of 2**63 or more has no register
        ("uint(63)", 63 + 1, 64),
        ("uint(31)", 31 + 1, 32),
        ("int(31)", 31 + 1, 31 + 1),
        ("int(33)", 33 + 1, 33 + 1),
    ],
)
@pytest.mark.parametrize("engine", TIMED)
def test_widths_of_settings(engine, time, length, start):
    """A setting has one bit more than its numbers, up to 64 bits, to detect overflow."""
    design = timed(engine, 4, 2, 1, time=time)
    assert [(n.name, n.width, n.signed, n.words) for n in design.settings.numbers] == [
        *((name, length, False, 1 + (length > 32)) for name in ("range", "slide", "slack")),
        ("start", start, True, 1 + (start > 32)),
    ]
    registers = registers_of(design)
    for number in design.settings.numbers:
        pair = {f"{number.name}_low", f"{number.name}_high"}
        assert (pair <= registers.keys()) == (number.words == 2)
        assert (number.name in registers) == (number.words == 1)


def counter_names(design):
    """Returns the names of the counters of the core."""
    return tuple(counter.name for counter in design.counters)


def test_what_is_set_at_run_time():
    condition = {"clauses": "WHERE y < 3 AND x != -2", "constants": "run-time"}
    known_names = {"range": 40, "slide": 10, "slack": 10, "where0": 3, "where1": -2}
    for engine in TIMED:
        design = design_of(engine, window_of(engine), **condition)
        assert design.settings.values == known_names
        assert design.settings.set_by_host == ("start",)  # the start depends on the data
        names = ["range", "slide", "slack", "start", "where0", "where1"]
        assert list(design.settings.layout.members) == names
        assert counter_names(design) == ("late", "overrun", "nan", "filtered")
        assert counter_names(design_of(engine, window_of(engine))) == ("late", "overrun")
    rows = design_of("two-stacks", "ROWS 8 SLIDE 3", **condition)
    assert rows.settings.values == {"size": 8, "slide": 3, "where0": 3, "where1": -2}
    assert rows.settings.set_by_host == ()
    assert [(n.name, n.width) for n in rows.settings.numbers] == [
        *(("size", 4), ("slide", 4), ("where0", 5), ("where1", 8))
    ]
    assert counter_names(rows) == ("nan", "filtered", "overrun")
    assert counter_names(design_of("two-stacks", "ROWS 8 SLIDE 3")) == ("overrun",)


@pytest.mark.parametrize(
    ("design", "good", "vectors"),
    [
        pytest.param(
            timed(engine, 4, 2, time=time, clauses="WHERE x < 3", constants="run-time"),
            {"range": 4, "slide": 2, "slack": 0, "start": 0, "where0": 63},
            vectors,
            id=f"{engine} {time}",
        )
        for engine in TIMED
        for time, vectors in (
            (
                "int(20)",
                [
                    ({"slide": 5}, 0),  # greater than the range
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
                ({"size": 2}, 1),  # each number is allowed
                *(({name: value}, 1) for name in ("size", "slide") for value in (0, 9, 15)),
                ({"slide": 8}, 0),
                *(({"where0": value}, 1) for value in (16, 31)),
            ],
            id="two-stacks",
        )
    ],
)
def test_refused_settings(design, good, vectors):
    """The component with the windows checks if the lengths fit each other."""
    vectors = [({}, 0), *vectors]
    settings = design.settings
    outputs = evaluate(
        {"values": settings.layout},
        {"bad": 1},
        lambda values: {"bad": settings.refused(values)},
        [{"values": good | changes} for changes, _ in vectors],
    )
    assert [
        (changes, g["bad"]) for (changes, _), g in zip(vectors, outputs, strict=True)
    ] == vectors
