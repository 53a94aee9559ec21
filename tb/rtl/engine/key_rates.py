"""Rates and latencies of the engine for windows of each key, measured where they are predicted."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rtl.engine.streamzip.key_mix import KeyMix
from tb.harness.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point

SMALL = {"entries": 64, "window_max": 256, "ports": 4, "port_bits": 128}
#: Options of designs: small enough for tests; and as the seed's, 16,384 keys, values of 64 bits,
#: windows of up to 4,096.
SIZES = {"small": SMALL, "seed": SMALL | {"entries": 16384, "window_max": 4096, "ways": 4}}


@cache
def design_of(size="seed", memory="mlq", m2="block"):
    """The design of such a size, for any window that has room; ``m2`` is outside with 2 lines."""
    options = SIZES[size] | {"memory": memory, "m2_kind": m2}
    options |= {"m2_lines": 2} if m2 == "external" else {}
    select = "min(x), max(x), sum(x), count(*)"
    return point(options["window_max"], 1, "int(64)", select, "uint(32)", **options)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a run gave once all keys had a whole window.

    Attributes
    ----------
    rate : float
        Tuples per cycle.
    latency : float
        Cycles from a tuple that closed a window to the beat with its row, the median of all.
    """

    rate: float
    latency: float


@dataclass(frozen=True, kw_only=True)
class RatePoint:
    """A design, windows, keys and a memory, for which a rate is predicted and can be measured.

    Attributes
    ----------
    memory : str
        The design's option: ``"mlq"`` or ``"dram-only"``.
    dram : str
        What is behind its ports: ``"ideal"`` or ``"ddr3"``.
    ws, wa : int
        Tuples.
    keys : int
    skew : float
        As for :class:`~rtl.engine.streamzip.key_mix.KeyMix`.
    size : str
        One of :data:`SIZES`.
    m2 : str
        ``"block"``, or ``"external"``, with 2 lines there.
    """

    memory: str
    dram: str
    ws: int
    wa: int
    keys: int
    skew: float = 0.0
    size: str = "seed"
    m2: str = "block"

    def __str__(self):
        more = f"-skew{self.skew:g}" if self.skew else ""
        more += "-m2outside" if self.m2 == "external" else ""
        return f"{self.memory}-{self.dram}-{self.ws}-{self.wa}-{self.keys}keys{more}"

    @property
    def design(self):
        return design_of(self.size, self.memory, self.m2)

    @property
    def predicted(self):
        """What the design expects."""
        return self.design.predict(
            size=self.ws, slide=self.wa, keys=self.keys, skew=self.skew, dram=self.dram
        )

    def measured(self, cycles=40_000, windows=300, most=100_000, seed=1):
        """What a simulation gives; its rows are right.

        At first each key has its first window, and up to a slide more, in any order; so windows
        close at all times alike. Then the keys come as often as they do, for so many cycles, if the
        prediction is right, or longer, for so many windows, but no more than ``most`` tuples. Rate
        and latency are those from a tenth of that on.
        """
        rng = np.random.default_rng(seed)
        begun = self.ws + rng.permutation(self.keys) * self.wa // self.keys
        filling = np.repeat(np.arange(self.keys), begun)
        mix = KeyMix(count=self.keys, skew=self.skew).shares
        share = np.repeat([one for one, _ in mix], [keys for _, keys in mix])
        expected = cycles * self.predicted.tuples_per_cycle
        count = int(min(max(expected, windows * self.wa), most))
        key = np.concatenate([rng.permutation(filling), rng.choice(self.keys, count, p=share)])
        value = rng.integers(-(1 << 40), 1 << 40, len(key))
        names = rng.choice(1 << 32, self.keys, replace=False)
        done = self._run(names[key], value)
        closers, rows = windows_of(key, value, self.ws, self.wa)
        assert [(row[0], row[1], row[4], row[5]) for row in done.packets[0]] == [
            (window, names[k], total, self.ws) for window, k, total in rows
        ]
        (into,) = done.outcome.inputs.values()
        begin = len(filling) + count // 10
        waited = done.outcome.outputs["m_axis"].taken[: len(closers)] - into.taken[closers]
        late = waited[closers >= begin]
        return Measured(
            rate=float((len(key) - 1 - begin) / (into.taken[-1] - into.taken[begin])),
            latency=float(np.median(late)) if len(late) else float("nan"),
        )

    def _run(self, key, value):
        events = [{"k": int(k), "x": int(x), "y": 0} for k, x in zip(key, value, strict=True)]
        settings = self.design.settings.values | {"size": self.ws, "slide": self.wa}
        memory = Memory(backend=self.dram)
        done = shipped(self.design).run(
            [events], [settings], memory=memory, idle_timeout=50_000, drain=5_000
        )
        assert done.errors == set()
        assert done.counters["collision"] == 0
        return done


def windows_of(key, value, ws, wa):
    """Places of the tuples that close windows, and of each (its number, key, sum of its values).

    Of a key's n-th tuple, from 1 on, the window's sum is that of n tuples less that of n - ws.
    """
    order = np.argsort(key, kind="stable")
    sums = np.concatenate([[0], np.cumsum(value[order])])
    first = np.searchsorted(key[order], key[order])
    nth = np.arange(len(key)) - first + 1
    closes = np.flatnonzero((nth >= ws) & ((nth - ws) % wa == 0))
    total = sums[closes + 1] - sums[closes + 1 - ws]
    number = (nth[closes] - ws) // wa
    back = np.argsort(order[closes])
    told = zip(number[back], key[order[closes[back]]], total[back], strict=True)
    return order[closes[back]], [tuple(map(int, row)) for row in told]
