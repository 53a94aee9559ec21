"""Rewrites the committed Verilog of the presets: `make verilog`."""

from pathlib import Path

from gen.design.build import resolve
from gen.verilog.shipped_verilog import verilog_of

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "examples" / "verilog"
#: Names of design points in `examples/`, which have no board.
PRESETS = ("cluster_groupby", "rows_trades", "trades_windowid")


def verilog(preset, cache):
    """Returns the path of a preset's Verilog file, and the text that the file must have."""
    build = resolve(ROOT / "examples" / f"{preset}.toml")
    return PLACE / f"{build.name}.v", verilog_of(build.design, build.name, cache)


if __name__ == "__main__":
    for preset in PRESETS:
        file, text = verilog(preset, ROOT / ".cache")
        file.write_text(text)
