"""Figures 16 to 18 of seed 000 for the seed's query: average, minimum, maximum and median.

All designs find medians by pivots, ``dram-only`` too: with a sorter it would be slower, and the
gains over it would be larger.
"""

from dataclasses import dataclass, replace
from functools import cache

from tb.figures.figure import Figure
from tb.figures.key_rates import BOARD_RATE, LINE_RATE, MEGAHERTZ
from tb.rtl.engine.seed_points import SeedPoint

KEYS = 64
WINDOWS = (64, 256, 1024, 4096)
#: Windows of a measurement: at least so many, if the stream is not too long for them.
MEASUREMENT = {"windows": 1500}
#: Design whose rate divides the rates of all designs to give their gains.
BASE = "dram-only"
MEASURED = ("measured MT/s", "measured us", "passes per window")


@dataclass(frozen=True, kw_only=True)
class SeedDesign:
    """A design of the figure, and the seed's design that it is compared with.

    Attributes
    ----------
    point : SeedPoint
        With any window.
    colour, seed : str
        Colour, and name in the seed.
    gain : float or None
        Greatest gain over DFE-Base in the seed's text (section 4.3.1).
    """

    point: SeedPoint
    colour: str
    seed: str
    gain: float | None = None


def design_point(codec="none", memory="mlq", **fields):
    """Returns a point of a design; its window is not set yet."""
    return SeedPoint(memory=memory, codec=codec, dram="ddr3", ws=1, wa=1, keys=KEYS, **fields)


#: XOR and SZ add doubles in each decoder, so they need more decoders than the 16 that are usual.
#: The DDR3 has no room for 16,384 rings of SZ for the worst case. The kernels take a block of SZ in
#: a cycle, and a line of the DDR3 takes somewhat more, so the last 4 blocks of each key are also on
#: the chip.
DESIGNS = {
    BASE: SeedDesign(point=design_point(memory="dram-only"), colour="tab:red", seed="DFE-Base"),
    "mlq": SeedDesign(point=design_point(), colour="tab:blue", seed="MLQ"),
    "base-delta": SeedDesign(
        point=design_point("base-delta", stripe=8),
        colour="tab:green",
        seed="Lossless-Fixed",
        gain=5.7,
    ),
    "xor": SeedDesign(
        point=design_point("xor", value="double", stripe=8, options=(("decoders", 32),)),
        colour="tab:orange",
        seed="Lossless-Float",
        gain=6,
    ),
    "sz": SeedDesign(
        point=design_point(
            "sz",
            value="double",
            stripe=2,
            options=(("decoders", 24), ("entries", 8192), ("m2_blocks", 4)),
        ),
        colour="tab:purple",
        seed="Lossy-Float",
        gain=23,
    ),
}


def point_of(name, ws, wa):
    """Returns the point of a design and a window."""
    point = DESIGNS[name].point
    options = {"neighbours": neighbours_of(name, wa)} | dict(point.options)
    return replace(point, ws=ws, wa=wa, options=tuple(sorted(options.items())))


@cache
def stream_prediction_of(name, ws, wa):
    """Returns the rate and latency of a point, predicted from the tuples of its measurement."""
    return point_of(name, ws, wa).stream_prediction(**MEASUREMENT)


def neighbours_of(name, wa):
    """Returns the option ``neighbours``: 16, but 4 for a window after each tuple.

    One pass suffices for a SLIDE of up to so many tuples, and several windows of a key may be under
    way if SLIDE is smaller. XOR and SZ always have 4, because each of their 24 or 32 decoders has
    the neighbours: with 16, XOR needs more than 17 GB of memory to be elaborated.
    """
    return 4 if wa == 1 or name in ("xor", "sz") else 16


@dataclass(frozen=True, kw_only=True)
class SeedQuery(Figure):
    """Rates, gains and latencies on ddr3, with random keys and values of the project's own trace.

    SLIDE is each power of four up to ROWS, and ROWS. Runs with a SLIDE of 1, of 16 and of ROWS are
    measured; all other points have predictions only.
    """

    stream_columns: tuple[str, ...] = (
        "predicted MT/s",
        "predicted gain",
        "predicted us",
        "predicted passes",
    )

    def predicted(self):
        return [
            {
                "design": name,
                "ws": ws,
                "wa": wa,
                "keys": KEYS,
                "neighbours": neighbours_of(name, wa),
                "seed gain at most": DESIGNS[name].gain,
            }
            for ws in WINDOWS
            for wa in [4**k for k in range(ws.bit_length()) if 4**k < ws] + [ws]
            for name in DESIGNS
        ]

    def stream_prediction(self, row):
        """Predicts rate, latency and passes from the tuples of the measurement, one by one.

        The number of passes of a window depends on its values, so a prediction without the tuples
        must suppose that each window with a SLIDE above ``neighbours`` takes as many as possible.
        """
        ws, wa = row["ws"], row["wa"]
        prediction, base = (stream_prediction_of(name, ws, wa) for name in (row["design"], BASE))
        passes = point_of(row["design"], ws, wa).predicted_passes(**MEASUREMENT)
        return {
            "predicted MT/s": round(prediction.rate * MEGAHERTZ, 3),
            "predicted gain": round(prediction.rate / base.rate, 2),
            "predicted us": round(prediction.latency / MEGAHERTZ, 3),
            "predicted passes": round(passes, 3),
        }

    def measured(self, row):
        if row["wa"] not in (1, 16, row["ws"]):
            return dict.fromkeys(MEASURED)
        result = point_of(row["design"], row["ws"], row["wa"]).measured(**MEASUREMENT)
        numbers = (result.rate * MEGAHERTZ, result.latency / MEGAHERTZ, result.passes)
        return dict(zip(MEASURED, (round(number, 3) for number in numbers), strict=True))

    def paint(self, canvas, rows):
        pictures = canvas.subplots(3, len(WINDOWS), squeeze=False)
        for ws, (rate, gain, latency) in zip(WINDOWS, pictures.T, strict=True):
            selected = [row for row in rows if row["ws"] == ws]
            self._axes(rate, f"WS = {ws}", "throughput (MT/s)")
            self._axes(gain, f"WS = {ws}", "gain over dram-only")
            self._axes(latency, f"WS = {ws}", "latency (microseconds)")
            base = {r["wa"]: r["measured MT/s"] for r in selected if r["design"] == BASE}
            for name in DESIGNS:
                curve = [row for row in selected if row["design"] == name]
                self._curve(rate, curve, "MT/s")
                self._curve(latency, curve, "us")
                self._gains(gain, curve, base)
            rate.axhline(LINE_RATE, color="black", lw=0.8, label="seed 000: line rate")
            label = "seed 000: most on the board"
            rate.axhline(BOARD_RATE, color="black", lw=0.8, ls="--", label=label)
        handles, labels = pictures[0][0].get_legend_handles_labels()
        more_handles, more_labels = pictures[1][0].get_legend_handles_labels()
        canvas.suptitle("average, minimum, maximum and median; lines: predicted, points: measured")
        canvas.legend(
            handles + more_handles, labels + more_labels, loc="outside lower center", ncols=4
        )

    @staticmethod
    def _axes(axes, title, quantity):
        axes.set_title(title)
        axes.set_xlabel("WA (tuples)")
        axes.set_xscale("log", base=4)
        axes.set_ylabel(quantity)
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)

    @staticmethod
    def _curve(axes, rows, unit):
        """Draws predictions as a line and measurements as points."""
        name = rows[0]["design"]
        colour, slides = DESIGNS[name].colour, [row["wa"] for row in rows]
        predictions = [row[f"predicted {unit}"] for row in rows]
        axes.plot(slides, predictions, color=colour, label=name)
        points = [(row["wa"], row[f"measured {unit}"]) for row in rows if row["measured MT/s"]]
        if points:
            axes.plot(*zip(*points, strict=True), "o", color=colour)

    @staticmethod
    def _gains(axes, rows, base):
        """Draws gains over dram-only, and the seed's greatest gain with a window after each
        tuple.
        """
        design = DESIGNS[rows[0]["design"]]
        slides = [row["wa"] for row in rows]
        axes.plot(slides, [row["predicted gain"] for row in rows], color=design.colour)
        points = [
            (row["wa"], row["measured MT/s"] / base[row["wa"]])
            for row in rows
            if row["measured MT/s"] and base[row["wa"]]
        ]
        if points:
            axes.plot(*zip(*points, strict=True), "o", color=design.colour)
        if design.gain:
            label = f"seed 000: {design.seed}, WA = 1, up to {design.gain:g}"
            axes.axhline(design.gain, color=design.colour, lw=0.8, ls=":", label=label)


FIGURE = SeedQuery(name="seed_query", inches=(15, 10))
