"""Compression ratios of the codecs for windows of keys: section 4.3 of seed 000."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from golden.codecs.ratio import by_key
from golden.codecs.registry import CODECS
from golden.codecs.scaled_sz import ScaledSz
from golden.codecs.symbols import BLOCK_BITS
from golden.generate.cluster import cluster
from golden.readers import read
from tb.figures.figure import Figure
from tb.golden.codecs.ratios import block_sizes
from tb.golden.data_files import DATA, query_of, shared

WIDTH = 64
WINDOWS = (256, 512, 1024, 2048, 4096)
#: The seed's ratios on its part of Google's trace; its XOR has independent blocks, and 6.5 with
#: dependent ones. The seed has no codec grid.
SEED = {"base-delta": 5.3, "xor": 5.6, "xor-chained": 6.5, "sz": 23}
MEASURED = ("of blocks", "of windows")
GOOGLE, DEBS = "google_cluster_task_events.txt.gz", "debs2012_manufacturing.txt.gz"


@dataclass(frozen=True)
class Trace:
    """Values of keys. Each value is a double and a multiple of 2^``exponent``.

    ``file`` is the file of a trace that the project may not distribute, or None. ``load`` returns
    keys and values. Without the file it returns a generated trace with the same columns, which has
    other ratios than the figure.
    """

    colour: str
    exponent: int
    load: object
    file: str | None = None

    @property
    def is_available(self):
        """True if the trace itself is available."""
        return self.file is None or (DATA / self.file).exists()


def generated():
    """Returns keys and values of `sluice trace cluster --tuples 100000 --jobs 8 --changes 0.15`."""
    trace = cluster(100_000, seed=1, jobs=8, changes=0.15)
    return trace["job"].to_numpy(), np.array(trace["cpu"].to_pylist(), float)


def google():
    """Returns keys and values of Google's trace."""
    table = read(
        shared(GOOGLE), query_of("job uint(64)", "cpu double"), "google-task-events-excerpt"
    )
    return table.table["job"].to_numpy(), table.table["cpu"].to_numpy()


def sensors(*names):
    """Returns a function that loads sensors of the DEBS trace; each sensor is a key."""

    def load():
        columns = ("index uint(32)", *(f"{name} uint(16)" for name in names))
        table = read(shared(DEBS), query_of(*columns), "debs2012").table
        values = [table[name].to_numpy().astype(float) for name in names]
        return np.repeat(np.arange(len(names)), len(table)), np.concatenate(values)

    return load


TRACES = {
    "made": Trace("black", -24, generated),
    "Google": Trace("tab:blue", -24, google, GOOGLE),
    "DEBS mf01-03": Trace("tab:green", 0, sensors("mf01", "mf02", "mf03"), DEBS),
    "DEBS pc13-15": Trace("tab:orange", 0, sensors("pc13", "pc14", "pc15"), DEBS),
}


@cache
def blocks_of(trace, codec):
    """Returns for each key of a trace the number of values in each block; the last block grows.

    Base and delta encodes integers of 64 bits, the other codecs doubles. SZ's error bound is 1 %,
    and its exponent is adaptive.
    """
    entry = TRACES[trace]
    keys, numbers = entry.load()
    if codec == "base-delta":
        values = np.rint(numbers * 2.0**-entry.exponent).astype(np.int64)
    else:
        values = numbers.view(np.int64)
    instance = ScaledSz(WIDTH) if codec == "sz" else CODECS[codec](WIDTH)
    return [block_sizes(instance, part) for part in by_key(keys, values)]


@dataclass(frozen=True, kw_only=True)
class Ratios(Figure):
    """Bits of values divided by bits of blocks, for keys with at least ``ws`` values.

    ``of blocks`` counts only full blocks, and is the limit for long windows. ``of windows`` counts
    all blocks that have a value of a window, for all windows with a slide of 1, and so is the ratio
    of the data that an engine reads. Example: with 184 values in each block a window of 256 values
    lies in 2 or 3 blocks, on average in 1 + 255 / 184, so the ratios are 23 and 13.4.
    """

    def predicted(self):
        return [
            {"trace": trace, "codec": codec, "ws": ws, "seed": SEED.get(codec)}
            for trace in TRACES
            for codec in CODECS
            for ws in WINDOWS
        ]

    def measured(self, row):
        """Returns the row's ratios, or None for each ratio if no key has ``ws`` values.

        Without the trace's file the ratios are those of the table in docs/figures.
        """
        identity = {name: row[name] for name in ("trace", "codec", "ws")}
        if not TRACES[row["trace"]].is_available:
            (old,) = (old for old in self.read() if identity.items() <= old.items())
            return {"keys": int(old["keys"])} | {name: old[name] for name in MEASURED}
        sizes = [s for s in blocks_of(row["trace"], row["codec"]) if sum(s) >= row["ws"]]
        ratios = (full_ratio(sizes), windows_ratio(sizes, row["ws"])) if sizes else (None, None)
        rounded = (ratio and round(ratio, 2) for ratio in ratios)
        return {"keys": len(sizes)} | dict(zip(MEASURED, rounded, strict=True))

    def paint(self, canvas, rows):
        for axes, codec in zip(canvas.subplots(1, len(CODECS)), CODECS, strict=True):
            axes.set_title(codec)
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter("{x:g}")
            axes.set_xlabel("WS (tuples)")
            axes.set_ylabel("compression ratio")
            axes.grid(alpha=0.3)
            for name, trace in TRACES.items():
                selected = [
                    r for r in rows if (r["trace"], r["codec"]) == (name, codec) and r["keys"]
                ]
                for column, line in zip(MEASURED, (":", "o-"), strict=True):
                    points = [(row["ws"], row[column]) for row in selected]
                    label = f"{name}, {column}"
                    axes.plot(*zip(*points, strict=True), line, color=trace.colour, label=label)
            if codec in SEED:
                axes.axhline(SEED[codec], color="tab:red", lw=0.8, label="seed 000")
            axes.set_yscale("log", base=2)
            axes.set_ylim(2, 64)
            axes.yaxis.set_major_formatter("{x:g}")
        canvas.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


def full_ratio(sizes):
    """Returns the ratio of the full blocks, which are all blocks except the last of each key."""
    blocks = sum(len(counts) - 1 for counts in sizes)
    return (
        sum(sum(counts[:-1]) for counts in sizes) * WIDTH / (blocks * BLOCK_BITS)
        if blocks
        else None
    )


def windows_ratio(sizes, ws):
    """Returns the ratio of the blocks that windows of ``ws`` values lie in, with a slide of 1."""
    windows = blocks = 0
    for counts in sizes:
        place = np.repeat(np.arange(len(counts)), counts)
        spans = place[ws - 1 :] - place[: len(place) - ws + 1] + 1
        windows, blocks = windows + len(spans), blocks + int(spans.sum())
    return windows * ws * WIDTH / (blocks * BLOCK_BITS)


FIGURE = Ratios(name="ratios", inches=(12, 5))
