"""Tests the published figures that stand beside a report."""

from dataclasses import asdict

import pytest

from gen.commands.report import figures_table
from gen.report.seed_figures import of_design, of_unit
from gen.units.registry import UNITS
from query.parser import parse
from rtl.engine import ENGINES

SCHEMA = "CREATE INPUT STREAM S (g int, v int);"
ITEMS = "min(v), max(v), sum(v), count(*), count(distinct v)"


def test_the_seeds_figures():
    group_by = parse(f"{SCHEMA} SELECT g, {ITEMS} FROM S GROUP BY g;")
    windows = parse(f"{SCHEMA} SELECT g, {ITEMS}, median(v) FROM S [ROWS 128 SLIDE 32] GROUP BY g;")
    three = parse(
        f"{SCHEMA} SELECT g, min(v), median(v), max(v) FROM S [ROWS 8 SLIDE 4] GROUP BY g;"
    )
    one = {"results": "select"}
    assert of_design(ENGINES["group-by"](query=group_by, **one), "xcup").lut == 2552
    result = of_design(ENGINES["swag"](query=windows, **one), "xcup")
    assert (result.lut, result.ff, result.bram36) == (43_441, 54_694, 89)
    assert of_design(ENGINES["swag"](query=three, **one), "xcup").lut == 41_963
    assert of_design(ENGINES["swag"](query=three, capacity=64, **one), "xcup") is None
    assert of_design(ENGINES["swag"](query=three), "xcup") is None
    assert of_design(ENGINES["swag"](query=three, **one), "ecp5") is None
    assert of_unit("compactor", {"lanes": 4, "width": 64}, "xcup").lut == 1260
    assert of_unit("compactor", {"lanes": 4, "width": 64}, "ecp5") is None
    assert of_unit("compactor", {"lanes": 8, "width": 64}, "xcup") is None
    assert of_unit("flims", UNITS["flims"].settings, "xcup") is None


TRADES = "CREATE INPUT STREAM Trades (Symbol string(4), Price int, Time int);"


def trades(select="count(*)", where='WHERE Symbol = "UBSN"', window="SLACK 60"):
    return parse(
        f"{TRADES} SELECT {select} FROM Trades [RANGE 600 SLIDE 60 WATTR Time {window}] {where}"
    )


@pytest.mark.parametrize(("modules", "lut", "ff"), [(11, 1764, 1855), (61, 9241, 9594)])
def test_figures_of_seed_002(modules, lut, ff):
    result = of_design(ENGINES["window-id"](query=trades(), modules=modules), "xc6v")
    assert (result.lut, result.ff, result.bram36) == (lut, ff, None)


@pytest.mark.parametrize(("panes", "bram36"), [(64, 1), (512, 2), (4096, 17)])
@pytest.mark.parametrize("window_level", ["two-stacks", "sequential"])
def test_figures_of_seed_001(panes, bram36, window_level):
    design = ENGINES["pane"](query=trades(), panes=panes, window_level=window_level)
    result = of_design(design, "xc6v")
    assert (result.lut, result.ff, result.bram36) == (None, None, bram36)


@pytest.mark.parametrize(
    ("query", "options", "target"),
    [
        (trades(), {}, "xcup"),
        (trades(), {"modules": 12}, "xc6v"),
        (trades(), {"count_width": 16}, "xc6v"),
        (trades(window="SLACK 0"), {}, "xc6v"),
        (trades(select="sum(Price)"), {}, "xc6v"),
        (trades(where=""), {}, "xc6v"),
        (trades(where='WHERE Symbol != "UBSN"'), {}, "xc6v"),
        (trades(where='WHERE Symbol = "UBSN" AND Price > 0'), {}, "xc6v"),
    ],
)
def test_no_figure_for_what_is_not_alike(query, options, target):
    assert of_design(ENGINES["window-id"](query=query, **options), target) is None


def test_other_sizes_have_no_figure():
    assert of_design(ENGINES["pane"](query=trades()), "xc6v") is None  # 10 panes a window
    rows = parse(f"{TRADES} SELECT count(*), min(Price) FROM Trades [ROWS 64 SLIDE 1]")
    assert of_design(ENGINES["two-stacks"](query=rows), "xc6v") is None


def test_a_figure_that_the_source_lacks_is_blank():
    seed = of_design(ENGINES["pane"](query=trades(), panes=64), "xc6v")
    rows = [("pane", {"lut": 1730, "ff": 1403, "bram36": 1}), ("the seed's", asdict(seed))]
    printed = figures_table("", rows)
    assert [[*column.cells] for column in printed.columns] == [
        ["pane", "the seed's"],
        ["1,730", "-"],
        ["1,403", "-"],
        ["1", "1"],
    ]
