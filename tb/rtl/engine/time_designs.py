"""Designs of the engines without groups."""

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine.time_bench import point

NUMBERS = "min(x), max(x), sum(x), count(*)"  # without the division
MODULES, PANES = 5, 8
PLAIN = {
    "window-id": point("window-id", select=NUMBERS, modules=MODULES),
    "sequential": point(
        "pane", select=NUMBERS, modules=MODULES, panes=PANES, window_level="sequential"
    ),
    "two-stacks": point("pane", select=NUMBERS, modules=MODULES, panes=PANES),
}
PUNCTUATED = {
    "window-id": point("window-id", select=NUMBERS, modules=MODULES, punctuations="stream"),
    "sequential": point(
        "pane",
        select=NUMBERS,
        modules=MODULES,
        panes=PANES,
        window_level="sequential",
        punctuations="stream",
    ),
    "two-stacks": point(
        "pane", select=NUMBERS, modules=MODULES, panes=PANES, punctuations="stream"
    ),
}
TIMED = ("window-id", "pane")


def design_of(engine, window, select="count(*), min(x)", clauses="", time="int(20)", **options):
    """Returns the design for ``SELECT select FROM S [window] clauses``."""
    text = (
        f"CREATE INPUT STREAM S (x int(7), y uint(4), f float, g uint(4), t {time});"
        f"SELECT {select} FROM S {f'[{window}]' if window else ''} {clauses};"
    )
    return ENGINES[engine](query=parse(text), **options)


def timed(engine, range_, slide, slack=0, **options):
    return design_of(engine, f"RANGE {range_} SLIDE {slide} WATTR t SLACK {slack}", **options)


def window_of(engine):
    return "ROWS 8 SLIDE 3" if engine == "two-stacks" else "RANGE 40 SLIDE 10 WATTR t SLACK 10"
