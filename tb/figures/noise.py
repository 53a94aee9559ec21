"""The worst case of the codecs: throughput and memory of windows of white noise."""

from dataclasses import dataclass

from gen.design.key_memory import KeyMemory
from tb.figures.figure import Figure
from tb.figures.key_rates import MEGAHERTZ
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_rates import SIZES, RatePoint

KEYS = 64
WINDOWS = (256, 1024, 4096)
#: Type of a value, and a colour, by codec.
CODECS = {
    "none": ("int(64)", "blue"),
    "base-delta": ("fixed(40,24)", "green"),
    "xor": ("double", "orange"),
    "grid": ("double", "brown"),
    "sz": ("double", "purple"),
}
#: A codec must keep at least this share of the throughput without a codec.
LEAST_SHARE = 0.95
#: Bits of the double infinity. The bits of finite doubles that are not negative are less.
INFINITY = 0x7FF << 52


@dataclass(frozen=True, kw_only=True)
class NoisePoint(RatePoint):
    """Windows of white noise; rings of a codec are sized for a ratio of 1."""

    @property
    def design(self):
        value, _ = CODECS[self.codec]
        options = SIZES["seed"] | {"codec": self.codec, "stripe_lines": self.stripe}
        if self.codec != "none":
            options["expected_ratio"] = "1"
        return point(4096, 1, value, "min(x), max(x), count(*)", "uint(32)", **options)

    @property
    def ratio(self):
        """Ratio from which the number of measured tuples is computed; that of SZ is better."""
        return 1.0

    @property
    def m3_bytes(self):
        """Bytes of M3 for the rings of all keys."""
        return KeyMemory.of(self.design).bytes

    def values(self, key, rng):
        """Returns the bits of random doubles that are not negative, or random 64-bit integers."""
        if CODECS[self.codec][0] == "double":
            return rng.integers(0, INFINITY, len(key))
        return rng.integers(-(1 << 63), (1 << 63) - 1, len(key))


@dataclass(frozen=True, kw_only=True)
class Noise(Figure):
    """Throughput on ddr3 with a window after every tuple, and memory for windows of up to 4,096.

    Example: no lossless codec makes a random double smaller, so a block has 8 values, as many as a
    line. Without a codec a ring has 512 lines. With one it has 528 blocks: 512, 2 % in reserve, 3
    for the ends of a window, and 2 by rounding. So the memory is 1.031 times as large. SZ leaves
    out the bits that its bound of 1 % does not need, so a block has 12 values of noise.
    """

    stream_columns: tuple[str, ...] = ("predicted MT/s",)

    def predicted(self):
        rows = []
        for ws in WINDOWS:
            plain = self._point("none", ws)
            for codec in CODECS:
                memory = self._point(codec, ws).m3_bytes / plain.m3_bytes
                rows.append(
                    {
                        "codec": codec,
                        "ws": ws,
                        "wa": 1,
                        "keys": KEYS,
                        "memory over none": round(memory, 3),
                    }
                )
        return rows

    def stream_prediction(self, row):
        rate = self._point(row["codec"], row["ws"]).stream_prediction().rate
        return {"predicted MT/s": round(rate * MEGAHERTZ, 3)}

    def measured(self, row):
        result = self._point(row["codec"], row["ws"]).measured()
        return {"measured MT/s": round(result.rate * MEGAHERTZ, 3)}

    @staticmethod
    def _point(codec, ws):
        return NoisePoint(memory="mlq", dram="ddr3", codec=codec, ws=ws, wa=1, keys=KEYS)

    def paint(self, canvas, rows):
        axes = canvas.subplots()
        axes.set_title("white noise on ddr3, a window after every tuple")
        axes.set_xlabel("WS (tuples)")
        axes.set_xscale("log", base=4)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylabel("throughput, as a share of that without a codec")
        axes.set_ylim(bottom=0.9)
        axes.grid(alpha=0.3)
        plain = {row["ws"]: row for row in rows if row["codec"] == "none"}
        for codec, (_, colour) in CODECS.items():
            selected = [row for row in rows if row["codec"] == codec]
            sizes = [row["ws"] for row in selected]
            for kind, style in (("predicted", "-"), ("measured", "o")):
                name = f"{kind} MT/s"
                shares = [row[name] / plain[row["ws"]][name] for row in selected]
                axes.plot(sizes, shares, style, color=f"tab:{colour}", label=f"{codec}, {kind}")
        axes.axhline(LEAST_SHARE, color="black", lw=0.8, label=f"bar: {LEAST_SHARE:g}")
        canvas.legend(*axes.get_legend_handles_labels(), loc="outside right upper")


FIGURE = Noise(name="noise", inches=(9, 5))
