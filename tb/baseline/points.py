"""The standard points of all engines, and how their figures are found and compared."""

import json
from dataclasses import dataclass
from pathlib import Path

from gen.design.build import resolve
from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from query.parser import parse
from rtl.engine import ENGINES

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("figures.json")
TOLERANCE = 0.03

EVERY = (
    "min(val), median(val), max(val), sum(val), count(*), count(distinct val), avg(val), "
    "percentile(val, 0.9)"
)


@dataclass(frozen=True)
class Point:
    """A design of the core, and a target. ``quick``: synthesised in a minute of processor time."""

    example: str
    options: tuple[str, ...]
    target: str = "xcup"
    quick: bool = False

    def design(self):
        return resolve(ROOT / "examples" / self.example, given=self.options).design


class EveryOperator(Point):
    """The engine swag with every operator, two passes in one tree: seed 003's largest figure."""

    def design(self):
        text = (
            "CREATE INPUT STREAM Pairs (grp uint(32), val uint(32));"
            f"SELECT grp, {EVERY} FROM Pairs [ROWS 128 SLIDE 32] GROUP BY grp;"
        )
        given = dict(option.split("=") for option in self.options)
        return ENGINES["swag"](
            query=parse(text), lanes=4, capacity=int(given["capacity"]), results="select"
        )


POINTS = {
    "group-by, 4 lanes, select": Point("cluster_groupby.toml", ("results=select",), quick=True),
    "group-by, 4 lanes, all": Point("cluster_groupby.toml", ()),
    "swag, 4 lanes, capacity 16": Point("rows_median.toml", ("capacity=16",)),
    "swag, 4 lanes, capacity 128, every operator": EveryOperator("", ("capacity=128",)),
    "window-id, 11 modules": Point("trades_windowid.toml", ("modules=11",), "xc6v"),
    "window-id, 61 modules": Point("trades_windowid.toml", ("modules=61",), "xc6v"),
    "pane, 64 panes": Point("trades_pane.toml", ("panes=64",), "xc6v"),
    "pane, 64 panes, sequential": Point(
        "trades_pane.toml", ("panes=64", "window_level=sequential"), "xc6v"
    ),
    "pane, 4096 panes": Point("trades_pane.toml", ("panes=4096",), "xc6v"),
    "two-stacks": Point("rows_trades.toml", ()),
}
EXACT = ("bram36", "uram", "dsp", "depth")
NEARLY = ("lut", "ff")


def figures(point, cache=".cache"):
    """What is kept of a point: LUTs with those that are memory, registers, memories, depth."""
    report = synthesise(core_rtlil(point.design(), cache), point.target, cache)
    exact = {name: getattr(report, name) for name in EXACT}
    return {"lut": report.lut + report.lutram, "ff": report.ff} | exact


def kept():
    """The baseline: the figures of every point by its name."""
    return json.loads(KEPT.read_text())


def differences(before, now):
    """What is not as it was, in words, one for each figure. LUT and FF may differ by 3 %."""
    told = [
        f"{name}: {now[name]}, was {before[name]}" for name in EXACT if now[name] != before[name]
    ]
    told += [
        f"{name}: {now[name]}, was {before[name]} ({now[name] / before[name] - 1:+.1%})"
        for name in NEARLY
        if abs(now[name] - before[name]) > TOLERANCE * before[name]
    ]
    return told
