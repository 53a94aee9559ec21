"""Design points of the engines without groups: what they refuse, derive and promise."""

import pytest
from amaranth.hdl import Shape, unsigned

from query.parser import parse
from rtl.bus.top import AxiTop
from rtl.engine import ENGINES
from rtl.engine.window_id import windows_open
from tb.rtl.engine import rows_bench
from tb.rtl.engine.time_bench import ALL

TIMED = ("window-id", "pane")
EVERY = (*TIMED, "two-stacks")


def made(engine, window, select="count(*), min(x)", rest="", time="int(20)", **settings):
    """Parameters of ``SELECT select FROM S [window] rest``."""
    text = (
        f"CREATE INPUT STREAM S (x int(7), y uint(4), f float, g uint(4), t {time});"
        f"SELECT {select} FROM S {f'[{window}]' if window else ''} {rest};"
    )
    return ENGINES[engine](query=parse(text), **settings)


def timed(engine, range_, slide, slack=0, **settings):
    return made(engine, f"RANGE {range_} SLIDE {slide} WATTR t SLACK {slack}", **settings)


def window_of(engine):
    return "ROWS 8 SLIDE 3" if engine == "two-stacks" else "RANGE 40 SLIDE 10 WATTR t SLACK 10"


def refused(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return f"{type(caught.value).__name__}: {caught.value}"


@pytest.mark.parametrize(
    ("window", "modules", "pane", "pane_modules", "panes"),
    [
        ((40, 10, 10), 4 + 1, 10, 2, 4),
        ((40, 15, 10), 3 + 1, 5, 5, 8),  # RANGE / SLIDE and SLACK / SLIDE are not whole
        ((10, 10, 0), 1, 10, 1, 2),
        ((7, 3, 7), 3 + 3, 1, 10, 8),
        ((36, 24, 0), 2, 12, 2, 4),
        ((100, 60, 30), 2 + 1, 20, 5, 8),
        ((160, 10, 1), 16 + 1, 10, 2, 16),
        ((170, 10, 0), 17, 10, 1, 32),
        ((1024, 1, 0), 1024, 1, 1, 1024),
        ((65536, 64, 0), 1024, 64, 1, 1024),
    ],
)
def test_derived_sizes(window, modules, pane, pane_modules, panes):
    assert windows_open(*window) == modules
    assert timed("window-id", *window).modules == modules
    parameters = timed("pane", *window)
    assert (parameters.pane, parameters.modules, parameters.panes) == (pane, pane_modules, panes)


def test_derived_sizes_of_fractions():
    """Steps of the time are eighths: RANGE 12, SLIDE 4, SLACK 2."""
    window = (1.5, 0.5, 0.25)
    assert timed("window-id", *window, time="fixed(6,3)").modules == 3 + 1
    parameters = timed("pane", *window, time="fixed(6,3)")
    assert (parameters.pane, parameters.modules, parameters.panes) == (4, 2, 4)
    assert parameters.run_time_values == {"range": 12, "slide": 4, "slack": 2}


@pytest.mark.parametrize(
    ("rows", "window_max"), [(1, 2), (2, 2), (3, 4), (8, 8), (9, 16), (1000, 1024), (1 << 20,) * 2]
)
def test_derived_window_max(rows, window_max):
    assert made("two-stacks", f"ROWS {rows} SLIDE 1").window_max == window_max


def test_given_sizes_stay():
    assert timed("window-id", 40, 10, 10, modules=9).modules == 9
    parameters = timed("pane", 40, 10, 10, modules=3, panes=64)
    assert (parameters.modules, parameters.panes) == (3, 64)
    assert made("two-stacks", "ROWS 8 SLIDE 3", window_max=32).window_max == 32


@pytest.mark.parametrize(
    ("engine", "window", "select", "rest", "reason"),
    [
        *((e, window_of(e), "count(*)", "GROUP BY g", "it has GROUP BY") for e in EVERY),
        *((e, window_of(e), "avg(f)", "", "avg(f) adds floating-point numbers") for e in EVERY),
        *((e, window_of(e), "sum(f)", "", "sum(f) adds floating-point numbers") for e in EVERY),
        *(
            (e, window_of(e), "max(x), median(x)", "", "median(x) needs sorted windows")
            for e in EVERY
        ),
        *(
            (e, window_of(e), "percentile(x, 0.25)", "", "percentile(x, 0.25) needs sorted windows")
            for e in EVERY
        ),
        *(
            (e, window_of(e), "count(distinct x)", "", "count(distinct x) needs sorted windows")
            for e in EVERY
        ),
        *((e, "", "min(x)", "GROUP BY g", "it has no window where RANGE must be") for e in TIMED),
        ("two-stacks", "", "min(x)", "GROUP BY g", "it has no window where ROWS must be"),
        *(
            (
                e,
                "ROWS 8 SLIDE 3",
                "min(x)",
                "",
                "it has the window [ROWS 8 SLIDE 3] where RANGE must be",
            )
            for e in TIMED
        ),
        (
            *("two-stacks", "RANGE 8 SLIDE 3 WATTR t", "min(x)", ""),
            "it has the window [RANGE 8 SLIDE 3 WATTR t] where ROWS must be",
        ),
        *(
            (
                *(e, f"PARTITION BY g {window_of(e)}", "min(x)", ""),
                f"it has the window [PARTITION BY g {window_of(e)}], and windows here are those of "
                "the whole stream",
            )
            for e in EVERY
        ),
        ("two-stacks", "ROWS 8 SLIDE 3", "count(*)", "", "it reads no column"),
    ],
)
def test_queries_they_cannot_run(engine, window, select, rest, reason):
    assert refused(lambda: made(engine, window, select, rest)) == (
        f"ValueError: query must be one that {engine} can run: {reason}"
    )


def test_two_stacks_reads_a_column_of_where():
    parameters = made("two-stacks", "ROWS 8 SLIDE 3", "count(*)", "WHERE y < 3")
    assert [name for name, _ in parameters.input_fields] == ["y"]
    for engine in TIMED:
        parameters = made(engine, window_of(engine), "count(*)")
        assert [name for name, _ in parameters.input_fields] == ["t"]


@pytest.mark.parametrize(
    ("engine", "settings", "text"),
    [
        *(
            (engine, settings, text)
            for engine in TIMED
            for settings, text in (
                ({"count_width": 0}, "ValueError: count_width must be from 1 to 48, not 0"),
                ({"count_width": 49}, "ValueError: count_width must be from 1 to 48, not 49"),
                ({"count_width": "8"}, "TypeError: count_width must be an integer, not '8'"),
                (
                    {"punctuations": "none"},
                    "ValueError: punctuations must be one of made, stream, not 'none'",
                ),
                ({"modules": 1025}, "ValueError: modules must be from 0 to 1024, not 1025"),
                ({"modules": -1}, "ValueError: modules must be from 0 to 1024, not -1"),
                ({"modules": True}, "TypeError: modules must be an integer, not True"),
            )
        ),
        (
            *("window-id", {"modules": 4}),
            "ValueError: modules must be at least 5 for the query, not 4",
        ),
        (
            *("pane", {"modules": 1}),
            "ValueError: modules must be at least 2 for the query, not 1",
        ),
        (*("pane", {"panes": 2}), "ValueError: panes must be at least 4 for the query, not 2"),
        (*("pane", {"panes": 6}), "ValueError: panes must be a power of two from 2, not 6"),
        (*("pane", {"panes": 1 << 17}), "ValueError: panes must be from 0 to 65536, not 131072"),
        (*("pane", {"panes": 4.0}), "TypeError: panes must be an integer, not 4.0"),
        (
            *("pane", {"window_level": "one"}),
            "ValueError: window_level must be one of two-stacks, sequential, not 'one'",
        ),
        (
            *("two-stacks", {"window_max": 12}),
            "ValueError: window_max must be a power of two from 2, not 12",
        ),
        (
            *("two-stacks", {"window_max": 1}),
            "ValueError: window_max must be a power of two from 2, not 1",
        ),
        (
            *("two-stacks", {"window_max": 4}),
            "ValueError: ROWS must be at most window_max, 4, not 8",
        ),
        (
            *("two-stacks", {"window_max": 1 << 21}),
            "ValueError: window_max must be from 0 to 1048576, not 2097152",
        ),
    ],
)
def test_wrong_parameters_are_refused(engine, settings, text):
    assert refused(lambda: made(engine, window_of(engine), **settings)) == text


def test_windows_that_no_build_could_have():
    assert refused(lambda: timed("window-id", 2049, 2)) == (
        "ValueError: modules must be at most 1024, and the query needs 1025"
    )
    assert refused(lambda: timed("pane", 10, 10, 20480)) == (
        "ValueError: modules must be at most 1024, and the query needs 2049"
    )
    assert refused(lambda: timed("pane", 65537, 1)) == (
        "ValueError: panes must be at most 65536, and the query needs 131072"
    )
    assert refused(lambda: made("two-stacks", "ROWS 1048577 SLIDE 1")) == (
        "ValueError: ROWS must be at most 1048576, not 1048577"
    )
    assert timed("pane", 65536, 1).panes == 65536


@pytest.mark.parametrize("engine", TIMED)
def test_lengths_that_do_not_fit_the_time(engine):
    """A signed time has lengths of as many steps as an unsigned one."""
    for time in ("uint(5)", "int(5)"):
        assert timed(engine, 31, 31, 31, time=time).run_time_values["slack"] == 31
        steps = f"must be below 32 steps, and t {time} has steps of 1: not"
        assert refused(lambda time=time: timed(engine, 32, 8, time=time)) == (
            f"ValueError: RANGE {steps} 32"
        )
        assert refused(lambda time=time: timed(engine, 16, 16, 40, time=time)) == (
            f"ValueError: SLACK {steps} 40"
        )
    assert timed(engine, 63.875, 63.875, time="fixed(6,3)").run_time_values["range"] == 511
    assert refused(lambda: timed(engine, 64, 8, time="fixed(6,3)")) == (
        "ValueError: RANGE must be below 512 steps, and t fixed(6,3) has steps of 0.125: not 512"
    )


@pytest.mark.parametrize(
    ("parameters", "cycles"),
    [
        (made("window-id", window_of("window-id")), 4),
        (made("window-id", window_of("window-id"), ALL), 4 + 6),  # 2, and 4 for 7 bits
        (made("window-id", window_of("window-id"), rest="WHERE y < 3"), 4),
        (made("pane", window_of("pane")), 6),
        (made("pane", window_of("pane"), ALL), 6 + 6),
        (made("pane", window_of("pane"), window_level="sequential"), 7),
        (made("pane", window_of("pane"), ALL, window_level="sequential"), 7 + 6),
        (made("pane", window_of("pane"), punctuations="stream"), 6),
        (rows_bench.point(select="min(x), count(*)"), 3),
        (rows_bench.point(), 3 + 6),
        (rows_bench.point(where="WHERE y < 3"), 1 + 3 + 6),
        (rows_bench.point(value="float", select="max(x)"), 1 + 3),
    ],
)
def test_latency(parameters, cycles):
    assert parameters.latency == parameters.create().latency == cycles
    assert parameters.predicted_tuples_per_cycle == 1.0


def test_memory():
    """A count of 8 bits, and a minimum of 7 with a bit that says whether there is one."""
    assert made("window-id", window_of("window-id")).memory_bits == 0
    for level in ("two-stacks", "sequential"):
        for panes in (4, 64):
            settings = {"count_width": 8, "panes": panes, "window_level": level}
            assert made("pane", window_of("pane"), **settings).memory_bits == panes * (8 + 8)
    # A tuple's count is one bit, its minimum 7.
    assert rows_bench.point(select="count(*)", where="WHERE y < 3", window_max=64).memory_bits == 64


def test_windows_of_a_stream():
    assert [rows_bench.point(8, 3).windows(n) for n in (0, 7, 8, 10, 11, 14)] == [0, 0, 1, 1, 2, 3]


@pytest.mark.parametrize("engine", TIMED)
def test_the_hardware_depends_on_no_register(engine):
    sizes = {"modules": 8} | ({"panes": 16} if engine == "pane" else {})
    windows = [(40, 10, 10), (60, 20, 0), (7, 7, 3), (12, 3, 2)]
    points = [timed(engine, *window, **sizes) for window in windows]
    assert len({parameters.configuration_hash for parameters in points}) == 1
    assert len({parameters.asked for parameters in points}) == 1
    # So do those that are derived, where they come to the same.
    derived = [timed(engine, *window) for window in ((40, 10, 10), (400, 100, 100))]
    assert derived[0].configuration() == derived[1].configuration()
    assert derived[0].modules == (5 if engine == "window-id" else 2)
    others = [
        timed(engine, 40, 10, 10, **sizes | {"modules": 9}),
        timed(engine, 40, 10, 10, count_width=9, **sizes),
        timed(engine, 40, 10, 10, punctuations="stream", **sizes),
        timed(engine, 40, 10, 10, time="int(21)", **sizes),
        timed(engine, 40, 10, 10, select="count(*), max(x)", **sizes),
        timed(engine, 40, 10, 10, rest="WHERE x < 3", **sizes),
    ]
    hashes = {parameters.configuration_hash for parameters in [points[0], *others]}
    assert len(hashes) == 1 + len(others)


def test_the_hardware_of_rows_depends_on_no_register():
    windows = [(8, 3), (5, 5), (7, 1)]
    points = [rows_bench.point(*window) for window in windows]
    assert [parameters.window_max for parameters in points] == [8, 8, 8]
    assert len({parameters.configuration_hash for parameters in points}) == 1
    others = [rows_bench.point(8, 3, window_max=16), rows_bench.point(8, 3, select="max(x)")]
    assert len({parameters.configuration_hash for parameters in [points[0], *others]}) == 3


def test_punctuations_come_with_a_flag():
    for engine in TIMED:
        made_here, stream = (
            made(engine, window_of(engine), punctuations=where) for where in ("made", "stream")
        )
        assert (made_here.punctuated, stream.punctuated) == (False, True)
        assert not hasattr(AxiTop(made_here), "s_axis_tuser")
        assert Shape.cast(AxiTop(stream).s_axis_tuser.shape()) == unsigned(1)
