"""Checks constants of WHERE that each stream may set anew, in the Verilog of two engines."""

import random

import pytest

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine import group_bench, swag_bench
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.model import group_rows, rank, without_nan

hdl = pytest.mark.hdl

NAN = 0x7FC00001
WHERE = "WHERE g != 3 AND (y < -5 OR x >= 1.5)"  # where0 of 4 bits, where1 of 7, where2 a float
FLOATS = [0x3FC00000, 0xBFC00000, 0, 0x80000000, 0x7F800000, 0xFF800000, NAN]
OPTIONS = {"constants": "run-time", "lanes": 2}
SELECT = "min(x), max(x), count(*)"
POINTS = {
    "group-by": group_bench.point("uint(4)", "float", SELECT, WHERE, **OPTIONS),
    "swag": swag_bench.point(
        "uint(4)", "float", SELECT, WHERE, capacity=4, window_max=16, **OPTIONS
    ),
}
UNFIT = [
    *({"where0": value} for value in (16, 31, 255, 1 << 31)),
    *({"where1": value} for value in (64, 127, -65, 1 << 20, -(1 << 31))),
]


def constants(rng):
    """Returns random constants that fit, often the least or the greatest."""
    return {
        "where0": rng.choice([0, 15, rng.randrange(16)]),
        "where1": rng.choice([-64, 63, rng.randrange(-64, 64)]),
        "where2": rng.choice(FLOATS),
    }


def passes(design, settings, tuple_):
    x = design.query.schema["x"].type
    great = rank(x, tuple_["x"]) >= rank(x, settings["where2"])
    return tuple_["g"] != settings["where0"] and (tuple_["y"] < settings["where1"] or great)


def selected_tuples(design, stream, settings):
    return [t for t in without_nan(design.query, stream) if passes(design, settings, t)]


def window(design, rng):
    """Returns random settings ``size`` and ``slide``; none for the group-by engine."""
    if design.engine == "group-by":
        return {}
    size = 2 * rng.randint(1, 8)
    return {"size": size, "slide": 2 * rng.randint(1, size // 2)}


def packets_of(design, stream, settings):
    """Returns the expected packets of a stream."""
    selected = selected_tuples(design, stream, settings)
    if design.engine == "group-by":
        return [group_rows(design.query, selected)]
    return swag_bench.expected(design, [selected], [settings])[0]


def run(design, streams, settings, bad, **options):
    """Runs streams; returns the run and the expected packets.

    ``bad`` has a flag for each stream: a constant does not fit, so the stream has no packet.
    """
    expected = []
    for stream, set_, unfit in zip(streams, settings, bad, strict=True):
        expected += [] if unfit else packets_of(design, stream, set_)
    result = shipped(design).run(streams, settings, packets=len(expected), drain=500, **options)
    return result, expected


def some_streams(design, rng, counts):
    bench = group_bench if design.engine == "group-by" else swag_bench
    streams = bench.streams_of(design, rng, counts)
    for tuple_ in (tuple_ for stream in streams for tuple_ in stream):
        tuple_["x"] = rng.choice([tuple_["x"], tuple_["x"], *FLOATS])
    return streams


@pytest.mark.in_turn
@hdl
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("seed", range(3))
def test_each_stream_has_its_own(name, seed, stalls):
    """A stream with a constant that does not fit has no rows; the other streams are answered.

    WHERE is undefined for such a constant, so a tuple counts as filtered or as overrun.
    """
    design, rng = POINTS[name], random.Random(f"{name} {seed} {stalls}")
    streams = some_streams(design, rng, [40, 0, 7, 1, 90, 0, 33, 2, 120, 60])
    bad = [rng.random() < 0.3 for _ in streams]
    settings = [
        window(design, rng) | constants(rng) | (rng.choice(UNFIT) if unfit else {}) for unfit in bad
    ]
    result, expected = run(design, streams, settings, bad, seed=seed, **stalls)
    assert result.packets == expected
    valid_counts = [len(without_nan(design.query, stream)) for stream in streams]
    answered = [
        len(selected_tuples(design, stream, set_))
        for stream, set_, unfit in zip(streams, settings, bad, strict=True)
        if not unfit
    ]
    counters = result.counters
    assert counters["nan"] == sum(map(len, streams)) - sum(valid_counts)
    assert counters["filtered"] + counters["overrun"] == sum(valid_counts) - sum(answered)
    assert counters["overrun"] <= sum(
        n for n, unfit in zip(valid_counts, bad, strict=True) if unfit
    )
    assert result.errors == ({"bad_setting"} if any(bad) else set())


@pytest.mark.in_turn(5)
@hdl
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("unfit", UNFIT, ids=str)
def test_an_unfit_constant_swallows_the_stream(name, unfit):
    """Every tuple passes: g differs from every constant that fits, or x is great enough."""
    design = POINTS[name]
    stream = [{"g": g, "x": 0x3FC00000, "y": 0} for g in range(1, 11)]
    good = {"where0": 0, "where1": -64, "where2": 0}
    if design.engine == "swag":
        good |= {"size": 4, "slide": 2}
    result, expected = run(design, [stream] * 3, [good, good | unfit, good], [False, True, False])
    assert result.packets == expected
    assert [len(rows) for rows in expected] == ([10] * 2 if name == "group-by" else [4] * 8)
    counters = result.counters
    assert (counters["nan"], counters["filtered"], counters["overrun"]) == (0, 0, 10)
    assert result.errors == {"bad_setting"}


@hdl
@pytest.mark.parametrize("name", POINTS)
def test_a_write_that_does_not_fit_is_reported_at_once(name):
    """A flag reports the write; the stream is answered, because a good write follows before it."""
    design, rng = POINTS[name], random.Random(5)
    dut = shipped(design)
    (stream,) = some_streams(design, rng, [30])
    good = window(design, rng) | constants(rng)
    expected = packets_of(design, stream, good)
    writes = {0: dut.writes(good | {"where0": 16}) + dut.writes(good)}
    result = dut.run([stream], writes=writes, packets=len(expected))
    assert result.packets == expected
    assert result.counters["overrun"] == 0
    assert result.errors == {"bad_setting"}


TEXTS = {
    "group-by": "FROM S {} GROUP BY g",
    "swag": "FROM S [ROWS 8 SLIDE 4] {} GROUP BY g",
    "window-id": "FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {}",
    "pane": "FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {}",
    "two-stacks": "FROM S [ROWS 8 SLIDE 4] {}",
}


def design_of(engine, where, constants="run-time"):
    schema = "CREATE INPUT STREAM S (g uint(4), x int(7), s string(9), e string(8), f float, t int)"
    text = f"{schema}; SELECT count(*), min(x) {TEXTS[engine].format(where)};"
    return ENGINES[engine](query=parse(text), constants=constants)


@pytest.mark.parametrize("engine", TEXTS)
def test_hardware_depends_only_on_built_in_constants(engine):
    first, other = "WHERE g < 3 OR x = -7", "WHERE g < 15 OR x = 12"
    one, two = (design_of(engine, condition) for condition in (first, other))
    assert one.query_text == two.query_text
    assert one.configuration_hash == two.configuration_hash
    one_built, two_built = (
        design_of(engine, condition, "compiled") for condition in (first, other)
    )
    assert one_built.query_text != two_built.query_text
    hashes = {one.configuration_hash, one_built.configuration_hash, two_built.configuration_hash}
    assert len(hashes) == 3
    # Columns and operators are always built in.
    for condition in ("WHERE g <= 3 OR x = -7", "WHERE g < 3 AND x = -7", "WHERE g < 3 OR g = 7"):
        assert design_of(engine, condition).query_text != one.query_text
        assert design_of(engine, condition).configuration_hash not in hashes


@pytest.mark.parametrize("engine", TEXTS)
def test_a_register_for_each_comparison(engine):
    """Registers are as wide as the column plus a bit for values that do not fit, in text order."""
    condition = 'WHERE (f > 1.5 OR x = -7) AND e >= "ab" AND x != 9 AND g < 3'
    settings, plain = design_of(engine, condition).settings, design_of(engine, "").settings
    registers = settings.numbers[len(plain.numbers) :]
    assert settings.numbers[: len(plain.numbers)] == plain.numbers
    assert [(n.name, n.width, n.signed, n.words) for n in registers] == [
        ("where0", 32, False, 1),
        ("where1", 8, True, 1),
        ("where2", 64, False, 2),
        ("where3", 8, True, 1),
        ("where4", 5, False, 1),
    ]
    assert [number.doc.rpartition("is ")[2] for number in registers] == [
        *("f > 1.5", "x = -7", 'e >= "ab"', "x != 9", "g < 3")
    ]
    raws = [0x3FC00000, -7, int.from_bytes(b"ab".ljust(8, b"\0"), "big"), 9, 3]
    assert settings.values == plain.values | {f"where{k}": raw for k, raw in enumerate(raws)}
    built = design_of(engine, condition, "compiled").settings
    assert built.numbers == plain.numbers
    assert built.values == plain.values


@pytest.mark.parametrize("engine", TEXTS)
def test_constants_of_more_than_64_bits_have_no_register(engine):
    condition = 'WHERE g < 3 AND s = "abc"'
    with pytest.raises(ValueError, match="must be compiled") as caught:
        design_of(engine, condition)
    assert str(caught.value) == (
        "constants must be compiled for columns of more than 64 bits, not run-time for s string(9)"
    )
    built = design_of(engine, condition, "compiled").settings
    assert not any(number.name.startswith("where") for number in built.numbers)
    with pytest.raises(ValueError, match="must be one of") as caught:
        design_of(engine, condition, "late")
    assert str(caught.value) == "constants must be one of compiled, run-time, not 'late'"


def test_the_group_by_engine_has_an_overrun_only_with_registers():
    """Settings and tuples are judged in the same cycle, so registers cost no latency."""
    late, built = (
        design_of("group-by", "WHERE g < 3"),
        design_of("group-by", "WHERE g < 3", "compiled"),
    )
    assert [counter.name for counter in late.counters] == ["nan", "filtered", "overrun"]
    assert [counter.name for counter in built.counters] == ["nan", "filtered"]
    assert design_of("group-by", "").counters == ()
    assert [flag.name for flag in late.flags] == ["bad_setting", "unsorted"]
    assert [flag.name for flag in built.flags] == ["unsorted"]
    assert late.prediction.cycles == built.prediction.cycles
