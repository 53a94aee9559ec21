"""Designs of the engines without groups: refusals, derived options and predictions."""

import pytest
from amaranth.hdl import Fragment, Shape, unsigned

from rtl.bus.ports import ports_of
from rtl.engine.window_id.options import open_window_count
from tb.rtl.engine import rows_bench
from tb.rtl.engine.time_bench import AGGREGATES
from tb.rtl.engine.time_designs import TIMED, design_of, timed, window_of

EVERY = (*TIMED, "two-stacks")


def sizes(design):
    """Returns the resolved values of the options that may be derived."""
    built = design.options.resolved
    return {n: getattr(built, n) for n in ("modules", "panes", "window_max") if hasattr(built, n)}


def refused(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return f"{type(caught.value).__name__}: {caught.value}"


@pytest.mark.parametrize(
    ("window", "modules", "pane", "pane_modules", "panes"),
    [
        ((40, 10, 10), 4 + 1, 10, 2, 4),
        ((40, 15, 10), 3 + 1, 5, 5, 8),  # SLIDE divides neither RANGE nor SLACK
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
    assert open_window_count(*window) == modules
    assert sizes(timed("window-id", *window)) == {"modules": modules}
    design = timed("pane", *window)
    assert design.options.pane == pane
    assert sizes(design) == {"modules": pane_modules, "panes": panes}
    assert (design.options.modules, design.options.panes) == (None, None)


def test_derived_sizes_of_fractions():
    """A step of the time is an eighth: RANGE 12, SLIDE 4, SLACK 2."""
    window = (1.5, 0.5, 0.25)
    assert sizes(timed("window-id", *window, time="fixed(6,3)")) == {"modules": 3 + 1}
    design = timed("pane", *window, time="fixed(6,3)")
    assert design.options.pane == 4
    assert sizes(design) == {"modules": 2, "panes": 4}
    assert design.settings.values == {"range": 12, "slide": 4, "slack": 2}


@pytest.mark.parametrize(
    ("rows", "window_max"), [(1, 2), (2, 2), (3, 4), (8, 8), (9, 16), (1000, 1024), (1 << 20,) * 2]
)
def test_derived_window_max(rows, window_max):
    assert sizes(design_of("two-stacks", f"ROWS {rows} SLIDE 1")) == {"window_max": window_max}


def test_explicit_sizes_are_not_derived():
    assert sizes(timed("window-id", 40, 10, 10, modules=9)) == {"modules": 9}
    explicit = {"modules": 3, "panes": 64}
    assert sizes(timed("pane", 40, 10, 10, **explicit)) == explicit
    assert sizes(timed("pane", 40, 10, 10, modules=3)) == {"modules": 3, "panes": 4}
    assert sizes(design_of("two-stacks", "ROWS 8 SLIDE 3", window_max=32)) == {"window_max": 32}


@pytest.mark.parametrize(
    ("engine", "window", "select", "clauses", "reason"),
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
def test_queries_they_cannot_run(engine, window, select, clauses, reason):
    assert refused(lambda: design_of(engine, window, select, clauses)) == (
        f"ValueError: query must be one that {engine} can run: {reason}"
    )


def test_two_stacks_reads_a_column_of_where():
    design = design_of("two-stacks", "ROWS 8 SLIDE 3", "count(*)", "WHERE y < 3")
    assert design.input.packing.names == ("y",)
    for engine in TIMED:
        assert design_of(engine, window_of(engine), "count(*)").input.packing.names == ("t",)


@pytest.mark.parametrize(
    ("engine", "options", "text"),
    [
        *(
            (engine, options, text)
            for engine in TIMED
            for options, text in (
                ({"count_width": 0}, "ValueError: count_width must be from 1 to 48, not 0"),
                ({"count_width": 49}, "ValueError: count_width must be from 1 to 48, not 49"),
                ({"count_width": "8"}, "TypeError: count_width must be an integer, not '8'"),
                (
                    {"punctuations": "none"},
                    "ValueError: punctuations must be one of made, stream, not 'none'",
                ),
                ({"modules": 1025}, "ValueError: modules must be from 1 to 1024, not 1025"),
                ({"modules": 0}, "ValueError: modules must be from 1 to 1024, not 0"),
                ({"modules": -1}, "ValueError: modules must be from 1 to 1024, not -1"),
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
        (
            *("pane", {"panes": 6}),
            "ValueError: panes must be a power of two from 2 to 65536, not 6",
        ),
        *(
            (
                "pane",
                {"panes": panes},
                f"ValueError: panes must be a power of two from 2 to 65536, not {panes}",
            )
            for panes in (1 << 17, 1, 0, -4)
        ),
        (*("pane", {"panes": 4.0}), "TypeError: panes must be an integer, not 4.0"),
        (
            *("pane", {"window_level": "one"}),
            "ValueError: window_level must be one of two-stacks, sequential, not 'one'",
        ),
        (
            *("two-stacks", {"window_max": 12}),
            "ValueError: window_max must be a power of two from 2 to 1048576, not 12",
        ),
        (
            *("two-stacks", {"window_max": 1}),
            "ValueError: window_max must be a power of two from 2 to 1048576, not 1",
        ),
        (
            *("two-stacks", {"window_max": 4}),
            "ValueError: ROWS must be at most window_max, 4, not 8; window_max=8 would do",
        ),
        (
            *("two-stacks", {"window_max": 1 << 21}),
            "ValueError: window_max must be a power of two from 2 to 1048576, not 2097152",
        ),
    ],
)
def test_wrong_options_are_refused(engine, options, text):
    assert refused(lambda: design_of(engine, window_of(engine), **options)) == text


def test_windows_that_no_build_could_have():
    assert refused(lambda: timed("window-id", 2049, 2)) == (
        "ValueError: modules must be at most 1024, and the query needs 1025"
    )
    assert refused(lambda: timed("pane", 10, 10, 20480)) == (
        "ValueError: modules must be at most 1024, and the query needs 2049"
    )
    assert refused(lambda: timed("pane", 65537, 1)) == (
        "ValueError: panes must be at most 65536, and the query needs 65537"
    )
    assert refused(lambda: design_of("two-stacks", "ROWS 1048577 SLIDE 1")) == (
        "ValueError: ROWS must be at most 1048576, not 1048577"
    )
    assert sizes(timed("pane", 65536, 1))["panes"] == 65536


@pytest.mark.parametrize("engine", TIMED)
def test_lengths_that_do_not_fit_the_time(engine):
    """A signed time allows lengths of as many steps as an unsigned time."""
    for time in ("uint(5)", "int(5)"):
        assert timed(engine, 31, 31, 31, time=time).settings.values["slack"] == 31
        steps = f"must be below 32 steps, and t {time} has steps of 1: not"
        assert refused(lambda time=time: timed(engine, 32, 8, time=time)) == (
            f"ValueError: RANGE {steps} 32"
        )
        assert refused(lambda time=time: timed(engine, 16, 16, 40, time=time)) == (
            f"ValueError: SLACK {steps} 40"
        )
    assert timed(engine, 63.875, 63.875, time="fixed(6,3)").settings.values["range"] == 511
    assert refused(lambda: timed(engine, 64, 8, time="fixed(6,3)")) == (
        "ValueError: RANGE must be below 512 steps, and t fixed(6,3) has steps of 0.125: not 512"
    )


@pytest.mark.parametrize(
    ("design", "cycles"),
    [
        (design_of("window-id", window_of("window-id")), 4),
        (design_of("window-id", window_of("window-id"), AGGREGATES), 4 + 6),  # 2, and 4 for 7 bits
        (design_of("window-id", window_of("window-id"), clauses="WHERE y < 3"), 4),
        (design_of("pane", window_of("pane")), 6),
        (design_of("pane", window_of("pane"), AGGREGATES), 6 + 6),
        (design_of("pane", window_of("pane"), window_level="sequential"), 7),
        (design_of("pane", window_of("pane"), AGGREGATES, window_level="sequential"), 7 + 6),
        (design_of("pane", window_of("pane"), punctuations="stream"), 6),
        (rows_bench.point(select="min(x), count(*)"), 3),
        (rows_bench.point(), 3 + 6),
        (rows_bench.point(where="WHERE y < 3"), 3 + 6),
        (rows_bench.point(value="float", select="max(x)"), 3),
    ],
)
def test_latency(design, cycles):
    """WHERE and settings are evaluated in a cycle that the latency already contains."""
    core = design.create()
    Fragment.get(core, None)
    assert design.prediction.cycles == core.latency == cycles
    # A slide has 10 tuples, and a punctuation if the stream contains them.
    punctuated = design.input.punctuations
    assert design.prediction.tuples_per_cycle == (10 / 11 if punctuated else 1.0)


def test_memory():
    """A count has 8 bits; a minimum has 7 bits and a bit for the presence of a value."""
    assert design_of("window-id", window_of("window-id")).prediction.memory_bits == 0
    for level in ("two-stacks", "sequential"):
        for panes in (4, 64):
            options = {"count_width": 8, "panes": panes, "window_level": level}
            prediction = design_of("pane", window_of("pane"), **options).prediction
            assert prediction.memory_bits == panes * (8 + 8)
    # The count of a tuple has one bit, and its minimum 7.
    rows = rows_bench.point(select="count(*)", where="WHERE y < 3", window_max=64)
    assert rows.prediction.memory_bits == 64


@pytest.mark.parametrize("engine", TIMED)
def test_the_hardware_depends_on_no_register(engine):
    explicit = {"modules": 8} | ({"panes": 16} if engine == "pane" else {})
    windows = [(40, 10, 10), (60, 20, 0), (7, 7, 3), (12, 3, 2)]
    points = [timed(engine, *window, **explicit) for window in windows]
    assert len({design.configuration_hash for design in points}) == 1
    assert len({design.query_text for design in points}) == 1
    # Derived options with the same values give the same hardware.
    derived = [timed(engine, *window) for window in ((40, 10, 10), (400, 100, 100))]
    assert derived[0].configuration() == derived[1].configuration()
    assert sizes(derived[0])["modules"] == (5 if engine == "window-id" else 2)
    others = [
        timed(engine, 40, 10, 10, **explicit | {"modules": 9}),
        timed(engine, 40, 10, 10, count_width=9, **explicit),
        timed(engine, 40, 10, 10, punctuations="stream", **explicit),
        timed(engine, 40, 10, 10, time="int(21)", **explicit),
        timed(engine, 40, 10, 10, select="count(*), max(x)", **explicit),
        timed(engine, 40, 10, 10, clauses="WHERE x < 3", **explicit),
    ]
    hashes = {design.configuration_hash for design in [points[0], *others]}
    assert len(hashes) == 1 + len(others)


def test_the_hardware_of_rows_depends_on_no_register():
    windows = [(8, 3), (5, 5), (7, 1)]
    points = [rows_bench.point(*window) for window in windows]
    assert [sizes(design)["window_max"] for design in points] == [8, 8, 8]
    assert len({design.configuration_hash for design in points}) == 1
    others = [rows_bench.point(8, 3, window_max=16), rows_bench.point(8, 3, select="max(x)")]
    assert len({design.configuration_hash for design in [points[0], *others]}) == 3


def test_punctuations_come_with_a_flag():
    for engine in TIMED:
        made_here, stream = (
            design_of(engine, window_of(engine), punctuations=where) for where in ("made", "stream")
        )
        assert (made_here.input.punctuations, stream.input.punctuations) == (False, True)
        assert "s_axis_tuser" not in ports_of(made_here)
        assert Shape.cast(ports_of(stream)["s_axis_tuser"].shape) == unsigned(1)
