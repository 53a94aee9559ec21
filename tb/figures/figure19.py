"""Figure 19 of seed 000: gain of a window cache for a single key, with a window after each tuple.

The seed's cache returns 128 values in a cycle. Ours returns 128 or 256, so a window of up to 128 or
256 values takes one cycle.
"""

from dataclasses import dataclass

from tb.figures.figure import Figure
from tb.figures.key_rates import MEGAHERTZ
from tb.rtl.engine.cache_rates import measured, predicted

WINDOWS = tuple(1 << k for k in range(4, 11))
#: Designs by our names, each with its options besides ``codec=xor`` and a colour.
DESIGNS = {
    "xor": ({}, "tab:orange"),
    "xor, cached_keys=1": ({"cached_keys": 1}, "tab:blue"),
    "xor, cached_keys=1, cache_lanes=256": ({"cached_keys": 1, "cache_lanes": 256}, "tab:green"),
}
#: Greatest gain of the seed's cache over the same design without a cache (section 4.3.2).
SEED = 3


@dataclass(frozen=True, kw_only=True)
class CacheGains(Figure):
    """Throughput on ddr3 over ROWS, for values of 64 bits from a random walk.

    Runs with ROWS of 16, 64, 128, 256 and 1,024 are measured.
    """

    def predicted(self):
        return [
            {
                "design": name,
                "ws": ws,
                "wa": 1,
                "keys": 1,
                "predicted MT/s": round(predicted("xor", ws, "ddr3", **options) * MEGAHERTZ, 3),
            }
            for name, (options, _) in DESIGNS.items()
            for ws in WINDOWS
        ]

    def measured(self, row):
        if row["ws"].bit_length() % 2 == 0 and row["ws"] != 128:
            return {"measured MT/s": None}
        rate = measured("xor", row["ws"], "ddr3", **DESIGNS[row["design"]][0])
        return {"measured MT/s": round(rate * MEGAHERTZ, 3)}

    def paint(self, canvas, rows):
        axes = canvas.subplots()
        axes.set_title("one key, WA = 1")
        axes.set_xlabel("WS (tuples)")
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylabel("throughput (MT/s)")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)
        for name, (_, colour) in DESIGNS.items():
            selected = [row for row in rows if row["design"] == name]
            predictions = [(row["ws"], row["predicted MT/s"]) for row in selected]
            axes.plot(*zip(*predictions, strict=True), color=colour, label=f"{name}, predicted")
            points = [(row["ws"], row["measured MT/s"]) for row in selected if row["measured MT/s"]]
            axes.plot(*zip(*points, strict=True), "o", color=colour, label=f"{name}, measured")
        base = [row for row in rows if row["design"] == "xor"]
        seed = [(row["ws"], SEED * row["predicted MT/s"]) for row in base]
        label = f"{SEED} times that without, as seed 000 gains at most"
        axes.plot(*zip(*seed, strict=True), color="black", lw=0.8, ls=":", label=label)
        axes.legend(fontsize=8)


FIGURE = CacheGains(name="figure19", inches=(8, 5))
