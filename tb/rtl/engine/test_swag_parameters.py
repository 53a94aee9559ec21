"""Design points of the sliding-window engine: what they refuse, tell and promise."""

from fractions import Fraction

import pytest
from amaranth.hdl import Fragment, Shape

from query.parser import parse
from rtl.engine.swag import SwagParameters
from tb.rtl.engine.swag_bench import ALL, point
from tb.rtl.gates import evaluate

QUARTERS = "median(x), percentile(x, 0.25), count(*), percentile(x, 0.5)"


def small(select=ALL, **settings):
    return point("uint(4)", "int(6)", select, **{"capacity": 8, "window_max": 64} | settings)


def test_window_max_follows_from_capacity():
    assert point("uint(4)", "int(6)").window_max == 16384
    assert point("uint(4)", "int(6)", capacity=32).window_max == 1024
    assert point("uint(4)", "int(6)", capacity=1024).window_max == 16384


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"capacity": 12}, ValueError, "capacity must be a power of two from 4 to 1024, not 12"),
        ({"capacity": 8, "lanes": 16}, ValueError, "capacity must be at least lanes, 16, not 8"),
        (
            {"capacity": 8, "window_max": 128},
            ValueError,
            "window_max must be from 0 to 64, not 128",
        ),
        (
            {"window_max": 48},
            ValueError,
            "window_max must be 4 times a power of two, not 48",
        ),
        ({"passes": "two"}, ValueError, "passes must be one of shared, pipelined, not 'two'"),
        (
            {"percentiles": "late"},
            ValueError,
            "percentiles must be one of compiled, run-time, not 'late'",
        ),
        ({"size": 18}, ValueError, "ROWS must be a multiple of lanes, 4, not 18"),
        ({"size": 16, "slide": 6}, ValueError, "SLIDE must be a multiple of lanes, 4, not 6"),
        (
            {"size": 128, "window_max": 64},
            ValueError,
            "ROWS must be at most window_max, 64, not 128",
        ),
        ({"lanes": "4", "size": 8, "slide": 4}, TypeError, "lanes must be an integer, not '4'"),
    ],
)
def test_wrong_parameters_are_refused(settings, error, text):
    with pytest.raises(error) as caught:
        point("uint(4)", "int(6)", **settings)
    assert str(caught.value) == text


def test_percentiles_that_no_register_holds():
    with pytest.raises(ValueError, match="must be") as caught:
        small("percentile(x, 0.9)", percentiles="run-time")
    assert str(caught.value) == (
        "percentile(x, 0.9) must be a multiple of 1/65536 to be set at run time, not 9/10"
    )
    many = ", ".join(f"percentile(x, {k / 8})" for k in range(1, 6))
    with pytest.raises(
        ValueError, match=r"^percentiles must be at most 4 different ones .*, not 5"
    ):
        small(many, percentiles="run-time")
    assert len(small(many).fractions) == 5


@pytest.mark.parametrize(
    ("select", "rest", "reason"),
    [
        ("count(*)", "FROM S GROUP BY g", "it has no window where ROWS must be"),
        ("count(*)", "FROM S [RANGE 8 SLIDE 4 WATTR x] GROUP BY g", r"it has the window \[RANGE 8"),
        ("count(*)", "FROM S [PARTITION BY g ROWS 8 SLIDE 4]", r"it has the window \[PARTITION BY"),
        ("count(*)", "FROM S [ROWS 8 SLIDE 4]", "it has no GROUP BY"),
        ("avg(f)", "FROM S [ROWS 8 SLIDE 4] GROUP BY g", r"avg\(f\) adds floating-point numbers"),
        (
            "median(x), count(distinct f)",
            "FROM S [ROWS 8 SLIDE 4] GROUP BY g",
            "it asks for distinct values or percentiles of 2 columns",
        ),
    ],
)
def test_queries_it_cannot_run(select, rest, reason):
    query = parse(f"CREATE INPUT STREAM S (g int, x int, f float); SELECT {select} {rest}")
    with pytest.raises(ValueError, match=reason):
        SwagParameters(query=query)


def test_what_is_set_at_run_time():
    parameters = small(QUARTERS, size=16, slide=8, percentiles="run-time", results="select")
    assert [number.name for number in parameters.run_time] == [
        *("size", "slide", "percentile0", "percentile1")
    ]
    values = {"size": 16, "slide": 8, "percentile0": 32768, "percentile1": 16384}
    assert parameters.run_time_values == values
    assert list(parameters.settings_layout.members) == ["function", *values]
    assert list(parameters.context_layout.members) == ["function", "percentile"]
    compiled = small(QUARTERS)
    assert compiled.run_time_values == {"size": 8, "slide": 4}
    assert compiled.fractions == (Fraction(1, 2), Fraction(1, 4))
    assert compiled.context_layout.size == 0


def test_the_hardware_depends_on_no_register():
    one, other = small(size=16, slide=8), small(size=64, slide=4)
    assert one.configuration() == other.configuration()
    assert one.configuration_hash == other.configuration_hash
    assert one.configuration_hash != small("min(x)").configuration_hash
    assert small("median(x)").configuration() != small("percentile(x, 0.25)").configuration()
    late = [
        small(f"{select}, count(*)", percentiles="run-time").configuration()
        for select in ("median(x)", "percentile(x, 0.25)", "percentile(x, 0.25) AS q")
    ]
    assert late[0] == late[1] != late[2]
    equal = small("median(x), percentile(x, 0.5)", percentiles="run-time")
    apart = small("median(x), percentile(x, 0.25)", percentiles="run-time")
    assert equal.configuration() != apart.configuration()


def test_refused_settings():
    parameters = small("median(x)", percentiles="run-time")
    good = {"size": 16, "slide": 8, "percentile0": 1}
    vectors = [
        (good, 0),
        (good | {"size": 64, "slide": 64, "percentile0": 65536}, 0),
        (good | {"slide": 20}, 0),  # by itself
        (good | {"size": 0}, 1),
        (good | {"slide": 0}, 1),
        (good | {"size": 18}, 1),
        (good | {"slide": 6}, 1),
        (good | {"size": 68}, 1),
        (good | {"slide": 127}, 1),
        (good | {"percentile0": 0}, 1),
        (good | {"percentile0": 65537}, 1),
    ]
    layout = parameters.settings_layout
    got = evaluate(
        {"settings": layout},
        {"bad": 1},
        lambda settings: {"bad": parameters.refused(settings)},
        [{"settings": settings} for settings, _ in vectors],
    )
    assert [g["bad"] for g in got] == [bad for _, bad in vectors]
    for number in parameters.run_time:  # what does not fit is held as all ones
        ones = good | {number.name: (1 << number.width) - 1}
        (found,) = evaluate(
            {"settings": layout},
            {"bad": 1},
            lambda settings: {"bad": parameters.refused(settings)},
            [{"settings": ones}],
        )
        assert found["bad"] == 1


@pytest.mark.parametrize(
    ("tuples", "windows"), [(0, 0), (15, 0), (16, 1), (23, 1), (24, 2), (40, 4)]
)
def test_windows_of_a_stream(tuples, windows):
    assert small(size=16, slide=8).windows(tuples) == windows


def test_sums_are_exact_and_no_wider():
    parameters = point("uint(4)", "int(32)", "sum(x), count(*), avg(x), median(x)", capacity=128)
    assert parameters.result_shapes == tuple(
        Shape(width, signed) for width, signed in ((46, True), (15, False), (32, True), (32, True))
    )


def test_prediction():
    shared, pipelined = (
        point("uint(4)", "int(6)", size=64, slide=8, passes=passes)
        for passes in ("shared", "pipelined")
    )
    assert shared.predicted_tuples_per_cycle == 4 * 8 / 64
    for size in (4, 64, 128):
        for parameters in (shared, pipelined):
            assert parameters.predict(size, 4).tuples_per_cycle == 16 / size
    assert shared.predict(256, 64).tuples_per_cycle == 0.5
    assert pipelined.predict(256, 64).tuples_per_cycle == 1.0
    assert shared.predict(64, 8).latency == shared.latency
    assert shared.memory_bits < pipelined.memory_bits


def test_core_latency_is_the_prediction():
    parameters = small()
    core = parameters.create()
    Fragment.get(core, None)
    assert core.latency == parameters.latency
