"""Lists the standard points of all engines, measures their figures and compares figures."""

import json
from dataclasses import dataclass
from pathlib import Path

from gen.design.build import resolve
from gen.report.synthesis import synthesise
from gen.verilog.elaboration import core_rtlil
from query.parser import parse
from rtl.engine import ENGINES

ROOT = Path(__file__).parents[2]
BASELINE = Path(__file__).with_name("figures.json")
TOLERANCE = 0.01

EVERY = (
    "min(val), median(val), max(val), sum(val), count(*), count(distinct val), avg(val), "
    "percentile(val, 0.9)"
)


@dataclass(frozen=True)
class Point:
    """A design of an engine's core, and a target; ``quick`` if synthesis takes under a minute."""

    example: str
    options: tuple[str, ...]
    target: str = "xcup"
    quick: bool = False

    def design(self):
        """Returns the design."""
        return resolve(ROOT / "examples" / self.example, options=self.options).design


class EveryOperator(Point):
    """The engine swag with every operator and two passes in one tree, seed 003's largest design."""

    def design(self):
        text = (
            "CREATE INPUT STREAM Pairs (grp uint(32), val uint(32));"
            f"SELECT grp, {EVERY} FROM Pairs [ROWS 128 SLIDE 32] GROUP BY grp;"
        )
        options = dict(option.split("=") for option in self.options)
        return ENGINES["swag"](
            query=parse(text), lanes=4, capacity=int(options["capacity"]), results="select"
        )


@dataclass(frozen=True)
class PerKey(Point):
    """The engine streamzip with one port of DRAM and 256 keys; ``example`` is the query."""

    def design(self):
        text = f"CREATE INPUT STREAM S (t uint(32), k uint(32), v {VALUE_OF_KEY}); {self.example};"
        options = dict(option.split("=") for option in self.options)
        return ENGINES["streamzip"](query=parse(text), entries=256, ports=1, **options)


VALUE_OF_KEY = "int(32)"
LAST_ROWS = "SELECT k, avg(v), min(v), max(v) FROM S [PARTITION BY k ROWS 256 SLIDE 4]"
LAST_MINUTE = "SELECT k, max(v) FROM S [PARTITION BY k RANGE 60 SLIDE 5 WATTR t SLACK 5]"

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
    "streamzip, mlq": PerKey(LAST_ROWS, ()),
    "streamzip, windows of time": PerKey(LAST_MINUTE, ()),
}
EXACT = ("bram36", "uram", "dsp", "depth")
NEARLY = ("lut", "ff")


def figures(point, cache=".cache"):
    """Returns a point's figures: LUTs (logic and memory), registers, memories and depth."""
    report = synthesise(core_rtlil(point.design(), cache), point.target, cache)
    exact = {name: getattr(report, name) for name in EXACT}
    return {"lut": report.lut + report.lutram, "ff": report.ff} | exact


def baseline():
    """Returns the recorded figures of every point, by the name of the point."""
    return json.loads(BASELINE.read_text())


def differences(recorded, current):
    """Returns a text for each figure that differs; LUTs and registers may differ by 1 %."""
    texts = [
        f"{name}: {current[name]}, was {recorded[name]}"
        for name in EXACT
        if current[name] != recorded[name]
    ]
    texts += [
        f"{name}: {current[name]}, was {recorded[name]} ({current[name] / recorded[name] - 1:+.1%})"
        for name in NEARLY
        if abs(current[name] - recorded[name]) > TOLERANCE * recorded[name]
    ]
    return texts
