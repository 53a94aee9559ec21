"""Designs of the sliding-window engine: refusals, properties and predictions."""

from fractions import Fraction

import pytest
from amaranth.hdl import Fragment, Shape

from query.parser import parse
from rtl.contract.rows import Role
from rtl.engine import ENGINES
from rtl.engine.parts.percentiles import fractions_of
from tb.rtl.engine.setting_verdicts import verdicts
from tb.rtl.engine.swag_bench import AGGREGATES, point

QUARTERS = "median(x), percentile(x, 0.25), count(*), percentile(x, 0.5)"


def small(select=AGGREGATES, **options):
    return point("uint(4)", "int(6)", select, **{"capacity": 8, "window_max": 64} | options)


def test_window_max_follows_from_capacity():
    for capacity, window_max in ((128, 16384), (32, 1024), (1024, 16384)):
        options = point("uint(4)", "int(6)", capacity=capacity).options
        assert options.window_max is None
        assert options.resolved.window_max == window_max
    assert point("uint(4)", "int(6)").options.resolved.window_max == 16384


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"capacity": 12}, ValueError, "capacity must be a power of two from 4 to 1024, not 12"),
        ({"capacity": 8, "lanes": 16}, ValueError, "capacity must be at least lanes, 16, not 8"),
        (
            {"capacity": 8, "window_max": 128},
            ValueError,
            "window_max must be at most capacity squared, 64, not 128",
        ),
        (
            {"window_max": 48},
            ValueError,
            "window_max must be 4 times a power of two, not 48",
        ),
        ({"window_max": 0}, ValueError, "window_max must be from 1 to 1048576, not 0"),
        ({"window_max": 2}, ValueError, "window_max must be 4 times a power of two, not 2"),
        ({"passes": "two"}, ValueError, "passes must be one of shared, pipelined, not 'two'"),
        (
            {"percentiles": "late"},
            ValueError,
            "percentiles must be one of compiled, run-time, not 'late'",
        ),
        (
            {"size": 18},
            ValueError,
            "ROWS must be a multiple of lanes, 4, not 18; lanes=2 would do",
        ),
        (
            {"size": 16, "slide": 6},
            ValueError,
            "SLIDE must be a multiple of lanes, 4, not 6; lanes=2 would do",
        ),
        (
            {"size": 128, "window_max": 64},
            ValueError,
            "ROWS must be at most window_max, 64, not 128; window_max=128 would do",
        ),
        (
            {"size": 20_000},
            ValueError,
            "ROWS must be at most window_max, 16384, not 20000; "
            "window_max=32768 with capacity=256 would do",
        ),
        (
            {"size": (1 << 20) + 4},
            ValueError,
            "ROWS must be at most window_max, 16384, not 1048580",
        ),
        ({"lanes": "4", "size": 8, "slide": 4}, TypeError, "lanes must be an integer, not '4'"),
    ],
)
def test_wrong_options_are_refused(options, error, text):
    with pytest.raises(error) as caught:
        point("uint(4)", "int(6)", **options)
    assert str(caught.value) == text


def test_percentiles_that_fit_no_register():
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
    assert len(fractions_of(small(many).query)) == 5


@pytest.mark.parametrize(
    ("select", "clauses", "reason"),
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
def test_queries_it_cannot_run(select, clauses, reason):
    query = parse(f"CREATE INPUT STREAM S (g int, x int, f float); SELECT {select} {clauses}")
    with pytest.raises(ValueError, match=reason):
        ENGINES["swag"](query=query)


def test_what_is_set_at_run_time():
    settings = small(QUARTERS, size=16, slide=8, percentiles="run-time", results="select").settings
    values = {"size": 16, "slide": 8, "percentile0": 32768, "percentile1": 16384}
    assert [number.name for number in settings.numbers] == list(values)
    assert settings.values == values
    assert settings.set_by_host == ()
    assert list(settings.layout.members) == ["function", *values]
    assert settings.functions == (
        *("median(x)", "percentile(x, 0.25)", "count(*)", "percentile(x, 0.5)"),
    )
    compiled = small(QUARTERS)
    assert compiled.settings.values == {"size": 8, "slide": 4}
    assert fractions_of(compiled.query) == (Fraction(1, 2), Fraction(1, 4))


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
    run_time = small("median(x), percentile(x, 0.25)", percentiles="run-time")
    assert equal.configuration() != run_time.configuration()


def test_refused_settings():
    settings = small("median(x)", percentiles="run-time").settings
    good = {"size": 16, "slide": 8, "percentile0": 1}
    cases = [
        ({}, set(), 0),
        ({"size": 64, "slide": 64, "percentile0": 65536}, set(), 0),
        ({"slide": 16}, set(), 0),
        ({"slide": 20}, set(), 1),  # each number is allowed
        ({"size": 0}, {"size"}, 1),
        ({"slide": 0}, {"slide"}, 0),
        ({"size": 18}, {"size"}, 0),
        ({"slide": 6}, {"slide"}, 0),
        ({"size": 68}, {"size"}, 0),
        ({"slide": 127}, {"slide"}, 1),
        ({"percentile0": 0}, {"percentile0"}, 0),
        ({"percentile0": 65537}, {"percentile0"}, 0),
    ]
    # A register stores all ones for a value that does not fit.
    ones = {number.name: (1 << number.width) - 1 for number in settings.numbers}
    cases += [({name: value}, {name}, name == "slide") for name, value in ones.items()]
    assert verdicts(settings, [good | values for values, _, _ in cases]) == [
        (refused_names, inconsistent, bool(refused_names) or inconsistent)
        for _, refused_names, inconsistent in cases
    ]


def test_sums_are_exact_and_no_wider():
    items = "sum(x), count(*), avg(x), median(x)"
    shapes = tuple(
        Shape(width, signed) for width, signed in ((46, True), (15, False), (32, True), (32, True))
    )
    plain = point("uint(4)", "int(32)", items, capacity=128).rows
    assert tuple(field.shape for field in plain.with_role(Role.VALUE)) == shapes
    assert plain.selected == ()
    chosen = point("uint(4)", "int(32)", items, capacity=128, results="select").rows
    assert chosen.selected == shapes
    assert [(field.name, field.role) for field in chosen.fields] == [
        ("g", Role.KEY),
        ("result", Role.VALUE),
    ]


def test_prediction():
    shared, pipelined = (
        point("uint(4)", "int(6)", size=64, slide=8, passes=passes)
        for passes in ("shared", "pipelined")
    )
    assert shared.prediction.tuples_per_cycle == 4 * 8 / 64
    for size in (4, 64, 128):
        for design in (shared, pipelined):
            assert design.predict(size=size, slide=4).tuples_per_cycle == 16 / size
    assert shared.predict(size=256, slide=64).tuples_per_cycle == 0.5
    assert pipelined.predict(size=256, slide=64).tuples_per_cycle == 1.0
    assert shared.predict(size=64, slide=8) == shared.predict(size=64) == shared.prediction
    assert shared.prediction.memory_bits < pipelined.prediction.memory_bits


def test_core_latency_is_the_prediction():
    design = small()
    core = design.create()
    Fragment.get(core, None)
    assert core.latency == design.prediction.cycles


def rate_with_rows(design, row_cycles):
    """Returns the rate of 400 windows of 256 tuples, whose rows take ``row_cycles`` cycles each."""
    pace = design.predict(size=256, slide=256).pace
    return pace.rate([(256, 1)] * 400, [row_cycles] * 400)


@pytest.mark.parametrize(
    ("options", "row_cycles", "measured"),
    [
        # Measured with some 252 rows of 15 bytes in a window, over buses of 32, 64 and 128 bits.
        ({"capacity": 16, "window_max": 256}, 0, 0.484),
        ({"capacity": 16, "window_max": 256}, 947, 0.2171),
        ({"capacity": 16, "window_max": 256}, 474, 0.3524),
        ({"capacity": 32, "window_max": 1024}, 474, 0.3443),
        ({"capacity": 32, "window_max": 1024, "lanes": 4}, 237, 0.9408),
    ],
)
def test_rows_that_leave_slowly_hold_up_the_next_window(options, row_cycles, measured):
    """With one merge tree the first pass of a window waits for the rows of the window before."""
    design = point("uint(32)", "int(32)", "count(*), max(x)", **{"lanes": 1} | options)
    assert rate_with_rows(design, row_cycles) == pytest.approx(measured, rel=0.05)


@pytest.mark.parametrize(
    "options", [{"capacity": 256}, {"capacity": 16, "passes": "pipelined"}], ids=["one pass", "two"]
)
def test_rows_hold_up_no_window_of_one_pass_or_of_a_tree_of_its_own(options):
    """The rows of a window leave while the next window is sorted."""
    design = point("uint(32)", "int(32)", "count(*)", **{"lanes": 1, "window_max": 256} | options)
    assert rate_with_rows(design, 512) == pytest.approx(256 / 512, rel=0.01)
