"""Capacity of the memory for windows of keys: section 4.3 of seed 000."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from gen.design.key_memory import KeyMemory
from golden.codecs.ratio import by_key
from golden.codecs.registry import CODECS
from golden.codecs.scaled_sz import ScaledSz
from tb.figures.figure import Figure
from tb.figures.ratios import WIDTH, blocks_of
from tb.golden.codecs.ratios import block_sizes
from tb.rtl.engine.key_bench import point

WINDOWS = (256, 1024, 4096)
#: Type of a value, and ``expected_ratio`` for the project's own trace, by codec.
EXPECTED = {
    "none": ("fixed(40,24)", None),
    "base-delta": ("fixed(40,24)", 5),
    "xor": ("double", 5.5),
    "grid": ("double", 5.8),
    "sz": ("double", 21),
}
#: Gain in capacity in the seed's text (section 4.3), by codec.
SEED = {"base-delta": 5, "xor": 5, "sz": 23}
COLOURS = dict(zip(EXPECTED, ("blue", "green", "orange", "brown", "purple"), strict=True))
#: Number of values of each of 8 keys of noise.
NOISE = 12_500


def memory_of(codec, ws, ratio):
    """Returns the KeyMemory and the blocks of a ring, for 16,384 keys with windows of ``ws``."""
    options = {"entries": 16384, "ports": 4, "port_bits": 128, "codec": codec}
    if ratio is not None:
        options["expected_ratio"] = str(ratio)
    design = point(ws, 1, EXPECTED[codec][0], "min(x), max(x)", "uint(32)", **options)
    ring = design.options.coding.ring
    return KeyMemory.of(design), None if ring is None else ring.blocks


@cache
def sizes_of(data, codec):
    """Returns for each key of the data the number of values of each block."""
    if data == "trace":
        return blocks_of("made", codec)
    rng = np.random.default_rng(1)
    values = rng.integers(-(1 << 62), 1 << 62, 8 * NOISE)
    model = ScaledSz(WIDTH) if codec == "sz" else CODECS[codec](WIDTH)
    return [block_sizes(model, part) for part in by_key(np.repeat(np.arange(8), NOISE), values)]


def overflows(sizes, ws, ring):
    """Returns how many windows of ``ws`` values, with a SLIDE of 1, a ring has no room for.

    A ring of n blocks holds the newest n - 1 closed blocks of its key, besides the growing block.
    For instance with blocks of 2 values, windows of 4 and a ring of 2 blocks: the window of the
    values 1 to 4 needs the closed blocks of 0, 1 and of 2, 3, so it does not fit; the window of the
    values 2 to 5 needs one closed block, and fits.
    """
    count = 0
    for counts in sizes:
        place = np.repeat(np.arange(len(counts)), counts)
        closed = place[ws - 1 :] - place[: len(place) - ws + 1]
        count += int((closed > ring - 1).sum())
    return count


@dataclass(frozen=True, kw_only=True)
class Capacity(Figure):
    """Keys that 1 GiB holds, with ``expected_ratio`` for the project's own trace, and for noise.

    The measured column is the number of windows with a SLIDE of 1 that do not fit into their rings,
    by the plain model of the codec.
    """

    def predicted(self):
        rows = []
        for data in ("trace", "noise"):
            for ws in WINDOWS:
                plain, _ = memory_of("none", ws, None)
                for codec, (_, trace_ratio) in EXPECTED.items():
                    ratio = 1 if data == "noise" and codec != "none" else trace_ratio
                    memory, blocks = memory_of(codec, ws, ratio)
                    rows.append(
                        {
                            "data": data,
                            "codec": codec,
                            "ws": ws,
                            "expected_ratio": ratio,
                            "blocks of a ring": blocks,
                            "bytes of a key": memory.bytes_of_key,
                            "keys of 1 GiB": memory.keys_of_gib,
                            "gain": round(plain.bytes / memory.bytes, 2),
                            "seed gain": SEED.get(codec) if data == "trace" else None,
                        }
                    )
        return rows

    def measured(self, row):
        codec, ring = row["codec"], row["blocks of a ring"]
        if ring is None:
            return {"overflowed windows": None}
        return {"overflowed windows": overflows(sizes_of(row["data"], codec), row["ws"], ring)}

    def paint(self, canvas, rows):
        for axes, data in zip(canvas.subplots(1, 2), ("trace", "noise"), strict=True):
            name = "values of the project's own trace" if data == "trace" else "noise"
            axes.set_title(f"1 GiB, {name}")
            axes.set_xlabel("WS (tuples)")
            axes.set_ylabel("keys")
            axes.set_xscale("log", base=4)
            axes.set_yscale("log", base=4)
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter("{x:,.0f}")
            axes.grid(alpha=0.3)
            plain = {r["ws"]: r["keys of 1 GiB"] for r in rows if r["codec"] == "none"}
            for codec in EXPECTED:
                selected = [r for r in rows if (r["data"], r["codec"]) == (data, codec)]
                points = [(row["ws"], row["keys of 1 GiB"]) for row in selected]
                ratio = selected[0]["expected_ratio"]
                label = codec if ratio is None else f"{codec}, expected_ratio={ratio:g}"
                colour = f"tab:{COLOURS[codec]}"
                axes.plot(*zip(*points, strict=True), "o-", color=colour, label=label)
            for gain in sorted(set(SEED.values())) if data == "trace" else ():
                points = [(ws, gain * keys) for ws, keys in plain.items()]
                label = f"seed 000: {gain} times as many"
                axes.plot(*zip(*points, strict=True), "k:", lw=0.8, label=label)
            axes.legend(fontsize=8)


FIGURE = Capacity(name="capacity", inches=(11, 5))
