"""Figure 2 of seed 000: throughput of windows of each key over WS, by the size of a value."""

from dataclasses import dataclass

from rtl.keyed.store.lines.line_values import most_values
from tb.figures.figure import Figure
from tb.figures.key_rates import BOARD_RATE, LINE_RATE, MEGAHERTZ
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_rates import SIZES, RatePoint

KEYS = 64
WINDOWS = (64, 256, 1024, 4096)
#: Bits of a value, with a colour.
WIDTHS = {64: "blue", 32: "green", 16: "orange", 8: "brown", 4: "purple", 2: "red"}
#: Greatest gain in the seed's text, with a 32nd of the data (section 1).
SEED_GAIN = 28


@dataclass(frozen=True, kw_only=True)
class WidthPoint(RatePoint):
    """Windows of random integers of ``width`` bits, as many in a line as fit."""

    width: int

    @property
    def design(self):
        options = {"line_values": most_values(self.width), "stripe_lines": self.stripe}
        select = "min(x), max(x), count(*)"
        value = f"uint({self.width})"
        return point(4096, 1, value, select, "uint(32)", **SIZES["seed"] | options)

    def values(self, key, rng):
        return rng.integers(0, 1 << min(self.width, 63), len(key))


@dataclass(frozen=True, kw_only=True)
class ValueSizes(Figure):
    """Throughput of ``mlq`` on ddr3 with a window after every tuple, and random keys.

    Example: with values of 2 bits a line of 64 bytes has 256 values, 32 times as many as with
    values of 64 bits. So a window of 4,096 values has 16 lines and not 512. Rates are predicted
    tuple by tuple: many windows read no line at all, and a mean number of lines says too little.
    """

    stream_columns: tuple[str, ...] = ("predicted MT/s",)

    def predicted(self):
        return [
            {
                "bits of a value": width,
                "ws": ws,
                "wa": 1,
                "keys": KEYS,
                "seed gain at most": SEED_GAIN if width == 2 else None,
            }
            for ws in WINDOWS
            for width in WIDTHS
        ]

    def stream_prediction(self, row):
        rate = self._point(row["ws"], row["bits of a value"]).stream_prediction().rate
        return {"predicted MT/s": round(rate * MEGAHERTZ, 3)}

    def measured(self, row):
        result = self._point(row["ws"], row["bits of a value"]).measured()
        return {"measured MT/s": round(result.rate * MEGAHERTZ, 3)}

    @staticmethod
    def _point(ws, width):
        return WidthPoint(
            memory="mlq", dram="ddr3", stripe=4, ws=ws, wa=1, keys=KEYS, width=int(width)
        )

    def paint(self, canvas, rows):
        axes = canvas.subplots()
        axes.set_title("mlq, a window after every tuple")
        axes.set_xlabel("WS (tuples)")
        axes.set_xscale("log", base=4)
        axes.set_ylabel("throughput (MT/s)")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)
        for width, colour in WIDTHS.items():
            selected = [row for row in rows if row["bits of a value"] == width]
            sizes = [row["ws"] for row in selected]
            predictions = [row["predicted MT/s"] for row in selected]
            axes.plot(sizes, predictions, color=f"tab:{colour}", label=f"{width} bits, predicted")
            points = [row["measured MT/s"] for row in selected]
            axes.plot(sizes, points, "o", color=f"tab:{colour}", label=f"{width} bits, measured")
        base = [(row["ws"], row["measured MT/s"]) for row in rows if row["bits of a value"] == 64]
        axes.plot(
            [ws for ws, _ in base],
            [rate * SEED_GAIN for _, rate in base],
            "k:",
            lw=0.8,
            label=f"seed 000: 2 bits, up to {SEED_GAIN} times 64 bits",
        )
        axes.axhline(LINE_RATE, color="black", lw=0.8, label="seed 000: line rate")
        label = "seed 000: most on the board"
        axes.axhline(BOARD_RATE, color="black", lw=0.8, ls="--", label=label)
        canvas.legend(*axes.get_legend_handles_labels(), loc="outside right upper")


FIGURE = ValueSizes(name="figure2", inches=(9, 5))
