"""Figure 18 of seed 000: gain of the codecs with a window after every tuple.

The seed draws bars for some ROWS, normalized to DFE-Base. This figure also varies SLIDE. If windows
close seldom, the codecs gain nothing over mlq, because every design except dram-only then accepts
a tuple in every cycle: about 12 times the rate of dram-only.
"""

from dataclasses import dataclass

from tb.figures.figure import Figure
from tb.figures.key_rates import MEGAHERTZ
from tb.rtl.engine.key_rates import RatePoint

KEYS = 64
WINDOWS = (256, 512, 1024, 4096)
#: Designs by our names, each with its ``memory``, ``codec`` and ``stripe_lines``, a colour, the
#: seed's name, and the greatest gains over DFE-Base and over MLQ in the seed's text (sections 4.3.1
#: and 4.3.3).
DESIGNS = {
    "dram-only": ("dram-only", "none", 1, "tab:red", "DFE-Base", None, None),
    "mlq": ("mlq", "none", 1, "tab:blue", "MLQ", None, None),
    "base-delta": ("mlq", "base-delta", 8, "tab:green", "Lossless-Fixed", 5.7, 7),
    "xor": ("mlq", "xor", 8, "tab:orange", "Lossless-Float", 6, 7.5),
    "sz": ("mlq", "sz", 8, "tab:purple", "Lossy-Float", 23, 22),
}
#: Exceptions of ``stripe_lines``, by design and WS. With 8 lines the 22 blocks of such a window are
#: nearly three stripes, so one of the four ports often has no stripe, and another port has two.
STRIPES = {("sz", 4096): 2}


@dataclass(frozen=True, kw_only=True)
class CodecGains(Figure):
    """Throughput on ddr3 over SLIDE, with 64 random keys.

    The compression ratios of the values are close to the seed's, for instance 23.06 with sz. Runs
    with a SLIDE of 1, of 16 and of ROWS are measured.
    """

    def predicted(self):
        rows = []
        for ws in WINDOWS:
            slides = [1 << k for k in range(ws.bit_length())]
            base = {wa: self._rate("dram-only", ws, wa) for wa in slides}
            for name, (*_, over_base, over_mlq) in DESIGNS.items():
                for wa in slides:
                    rate = self._rate(name, ws, wa)
                    rows.append(
                        {
                            "design": name,
                            "ws": ws,
                            "wa": wa,
                            "keys": KEYS,
                            "predicted MT/s": round(rate * MEGAHERTZ, 3),
                            "predicted gain": round(rate / base[wa], 2),
                            "seed gain over DFE-Base": over_base,
                            "seed gain over MLQ": over_mlq,
                        }
                    )
        return rows

    def measured(self, row):
        if row["wa"] not in (1, 16, row["ws"]):
            return {"measured MT/s": None}
        result = self._point(row["design"], row["ws"], row["wa"]).measured()
        return {"measured MT/s": round(result.rate * MEGAHERTZ, 3)}

    def _rate(self, name, ws, wa):
        return self._point(name, ws, wa).predicted.tuples_per_cycle

    @staticmethod
    def _point(name, ws, wa):
        memory, codec, stripe, *_ = DESIGNS[name]
        stripe = STRIPES.get((name, ws), stripe)
        return RatePoint(
            memory=memory, codec=codec, stripe=stripe, dram="ddr3", ws=ws, wa=wa, keys=KEYS
        )

    def paint(self, canvas, rows):
        gain_axes, *rate_axes = canvas.subplots(1, 1 + len(WINDOWS))
        self._gains(gain_axes, rows)
        for axes, ws in zip(rate_axes, WINDOWS, strict=True):
            selected = [row for row in rows if row["ws"] == ws]
            self._rates(axes, ws, selected)
        canvas.legend(*rate_axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=4)
        canvas.legend(*gain_axes.get_legend_handles_labels(), loc="outside lower right", ncols=1)

    @staticmethod
    def _gains(axes, rows):
        """Draws gains over dram-only with a window after every tuple, and the seed's best gains.

        Lines are ratios of predicted rates, points are ratios of measured rates.
        """
        axes.set_title("gain over dram-only, WA = 1")
        axes.set_xlabel("WS (tuples)")
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylabel("gain")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_yticks([1, 2, 5, 10, 20])
        axes.set_ylim(0.8, 30)
        axes.grid(alpha=0.3)
        first = [row for row in rows if row["wa"] == 1]
        base = {row["ws"]: row["measured MT/s"] for row in first if row["design"] == "dram-only"}
        for name, (*_, colour, seed, gain, _) in DESIGNS.items():
            selected = [row for row in first if row["design"] == name]
            sizes = [row["ws"] for row in selected]
            axes.plot(sizes, [row["predicted gain"] for row in selected], color=colour)
            points = [row["measured MT/s"] / base[row["ws"]] for row in selected]
            axes.plot(sizes, points, "o", color=colour)
            if gain:
                label = f"seed 000: {seed}, up to {gain:g}"
                axes.axhline(gain, color=colour, lw=0.8, ls=":", label=label)

    @staticmethod
    def _rates(axes, ws, rows):
        """Draws the rates of all designs over SLIDE, for one ROWS."""
        axes.set_title(f"WS = {ws}")
        axes.set_xlabel("WA (tuples)")
        axes.set_xscale("log", base=4)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylabel("throughput (MT/s)")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)
        for name, (*_, colour, _, _, _) in DESIGNS.items():
            selected = [row for row in rows if row["design"] == name]
            slides = [row["wa"] for row in selected]
            predictions = [row["predicted MT/s"] for row in selected]
            axes.plot(slides, predictions, color=colour, label=f"{name}, predicted")
            points = [(row["wa"], row["measured MT/s"]) for row in selected if row["measured MT/s"]]
            axes.plot(*zip(*points, strict=True), "o", color=colour, label=f"{name}, measured")


FIGURE = CodecGains(name="figure18", inches=(15, 4.5))
