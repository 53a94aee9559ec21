"""Figures 16 and 17 of seed 000: throughput and latency of windows of each key over the slide."""

from dataclasses import dataclass

from matplotlib.ticker import LogLocator

from tb.figures.figure import Figure
from tb.rtl.engine.key_rates import RatePoint

#: Clock of the seed's designs and of our DDR3 controller, in MHz.
MEGAHERTZ = 156.25
#: Million tuples per second that the seed's board can receive in theory (section 4.2).
LINE_RATE = 78.125
#: Million tuples per second that the seed measured on its board (section 4.2).
BOARD_RATE = 70
#: For each of our options ``memory``: the seed's name, and the greatest share of the line rate in
#: the seed's text (section 4.3).
SEED = {"mlq": ("MLQ", 0.9), "dram-only": ("DFE-Base", 0.15)}
COLOURS = {"mlq": "tab:blue", "dram-only": "tab:red"}


@dataclass(frozen=True, kw_only=True)
class KeyRates(Figure):
    """Rates and latencies of mlq and dram-only on ddr3, with random keys and a saturated input.

    The latency is the median time from the tuple that closes a window to the beat with the window's
    row. It is predicted for the tuples of the measurement, one by one. Rates are measured after all
    keys have had their first window.

    Attributes
    ----------
    windows : tuple of int
        ROWS of each row of pictures. SLIDE is each power of two up to ROWS; powers of four, and
        ROWS, are measured.
    keys : int
        Number of keys.
    """

    windows: tuple[int, ...]
    keys: int = 64
    stream_columns: tuple[str, ...] = ("predicted us",)

    def predicted(self):
        rows = []
        for ws in self.windows:
            for memory, (_, share) in SEED.items():
                for wa in (1 << k for k in range(ws.bit_length())):
                    predictions = self._point(memory, ws, wa).predicted
                    rows.append(
                        {
                            "memory": memory,
                            "ws": ws,
                            "wa": wa,
                            "keys": self.keys,
                            "predicted MT/s": round(predictions.tuples_per_cycle * MEGAHERTZ, 3),
                            "seed at most MT/s": round(share * LINE_RATE, 3),
                        }
                    )
        return rows

    def stream_prediction(self, row):
        latency = self._point(row["memory"], row["ws"], row["wa"]).stream_prediction().latency
        return {"predicted us": round(latency / MEGAHERTZ, 3)}

    def measured(self, row):
        if row["wa"] < row["ws"] and row["wa"].bit_length() % 2 == 0:
            return {"measured MT/s": None, "measured us": None}
        result = self._point(row["memory"], row["ws"], row["wa"]).measured()
        return {
            "measured MT/s": round(result.rate * MEGAHERTZ, 3),
            "measured us": round(result.latency / MEGAHERTZ, 3),
        }

    def _point(self, memory, ws, wa):
        return RatePoint(memory=memory, dram="ddr3", ws=ws, wa=wa, keys=self.keys)

    def paint(self, canvas, rows):
        pictures = canvas.subplots(len(self.windows), 2, squeeze=False)
        for letter, ws, (rate, latency) in zip("abcd", self.windows, pictures, strict=False):
            selected = [row for row in rows if row["ws"] == ws]
            self._axes(rate, f"({letter}) WS = {ws}", "throughput (MT/s)")
            self._axes(latency, f"({letter}) WS = {ws}", "latency (microseconds)")
            for memory in SEED:
                self._curve(rate, [row for row in selected if row["memory"] == memory], "MT/s")
                self._curve(latency, [row for row in selected if row["memory"] == memory], "us")
            latency.set_yscale("log")
            latency.yaxis.set_major_formatter("{x:g}")
            latency.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
            latency.yaxis.set_minor_formatter("{x:g}")
            rate.set_ylim(0, 1.06 * MEGAHERTZ)
            self._seed(rate)
        canvas.legend(
            *pictures[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3
        )

    @staticmethod
    def _axes(axes, title, quantity):
        axes.set_title(title)
        axes.set_xscale("log", base=4)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("WA (tuples)")
        axes.set_ylabel(quantity)
        axes.grid(alpha=0.3)

    @staticmethod
    def _curve(axes, rows, unit):
        """Draws predictions as a line and measurements as points."""
        memory = rows[0]["memory"]
        slides = [row["wa"] for row in rows]
        predictions = [row[f"predicted {unit}"] for row in rows]
        axes.plot(slides, predictions, color=COLOURS[memory], label=f"{memory}, predicted")
        points = [(row["wa"], row[f"measured {unit}"]) for row in rows if row[f"measured {unit}"]]
        axes.plot(
            *zip(*points, strict=True), "o", color=COLOURS[memory], label=f"{memory}, measured"
        )

    @staticmethod
    def _seed(axes):
        """Draws the numbers of the seed's text."""
        axes.axhline(LINE_RATE, color="black", lw=0.8, label="seed 000: line rate")
        axes.axhline(
            BOARD_RATE, color="black", lw=0.8, ls="--", label="seed 000: most on the board"
        )
        for memory, (name, share) in SEED.items():
            label = f"seed 000: {name}, at most {share:.0%} of the line rate"
            axes.axhline(share * LINE_RATE, color=COLOURS[memory], lw=0.8, ls=":", label=label)
