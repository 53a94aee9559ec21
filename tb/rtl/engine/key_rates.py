"""Rates and latencies of the engine for windows of each key, measured where they are predicted."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from gen.prediction.codec_model import lossy_codec
from rtl.engine.streamzip.key_mix import KeyMix
from sim.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_values import FITTING, RATIOS, VALUES, kept_of, values_of, windows_of

SMALL = {"entries": 64, "window_max": 256, "ports": 4, "port_bits": 128}
#: Read before anything is measured.
LINES = 200_000
#: Options of designs: small enough for tests; and as the seed's, 16,384 keys, values of 64 bits,
#: windows of up to 4,096.
SIZES = {"small": SMALL, "seed": SMALL | {"entries": 16384, "window_max": 4096, "ways": 4}}


@cache
def design_of(size="seed", memory="mlq", m2="block", codec="none", **more):
    """The design of such a size, for any window that has room; ``m2`` is outside with 2 lines."""
    options = SIZES[size] | {"memory": memory, "m2_kind": m2, "codec": codec}
    options |= FITTING.get(codec, {}) | more
    options |= {"m2_lines": 2} if m2 == "external" else {}
    value, select = VALUES[codec]
    return point(options["window_max"], 1, value, select, "uint(32)", **options)


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
    codec : str
        The design's option; values are as :func:`~tb.rtl.engine.key_values.values_of` has them.
    stripe : int
        The design's ``stripe_lines``.
    """

    memory: str
    dram: str
    ws: int
    wa: int
    keys: int
    skew: float = 0.0
    size: str = "seed"
    m2: str = "block"
    codec: str = "none"
    stripe: int = 1

    def __str__(self):
        more = f"-skew{self.skew:g}" if self.skew else ""
        more += "-m2outside" if self.m2 == "external" else ""
        more += f"-stripes{self.stripe}" if self.stripe > 1 else ""
        name = self.memory if self.codec == "none" else self.codec
        return f"{name}-{self.dram}-{self.ws}-{self.wa}-{self.keys}keys{more}"

    @property
    def design(self):
        more = {} if self.stripe == 1 else {"stripe_lines": self.stripe}
        return design_of(self.size, self.memory, self.m2, self.codec, **more)

    @property
    def predicted(self):
        """What the design expects."""
        more = {} if self.codec == "none" else {"ratio": RATIOS[self.codec]}
        return self.design.predict(
            size=self.ws, slide=self.wa, keys=self.keys, skew=self.skew, dram=self.dram, **more
        )

    @property
    def spread(self):
        """How many tuples more the oldest key begins with: a slide, so windows close at all times.

        With longer stripes also as many as one has, so that windows begin anywhere in it; but no
        more than some :data:`LINES` take.
        """
        if self.stripe == 1:
            return self.wa
        held = RATIOS[self.codec] * 8
        affordable = 2 * LINES / self.keys / (self.ws / held + 1) * self.wa
        return max(self.wa, int(min(self.stripe * held, affordable)))

    def measured(self, cycles=40_000, windows=300, most=100_000, seed=1):
        """What a simulation gives; its rows are right.

        At first each key has its first window, and up to :attr:`spread` tuples more, in any order.
        Then the keys come as often as they do, for so many cycles, if the prediction is right, or
        longer, for so many windows, but no more than ``most`` tuples. Rate and latency are those
        from a tenth of that on.
        """
        rng = np.random.default_rng(seed)
        begun = self.ws + rng.permutation(self.keys) * self.spread // self.keys
        filling = np.repeat(np.arange(self.keys), begun)
        mix = KeyMix(count=self.keys, skew=self.skew).shares
        share = np.repeat([one for one, _ in mix], [keys for _, keys in mix])
        expected = cycles * self.predicted.tuples_per_cycle
        count = int(min(max(expected, windows * self.wa), most))
        key = np.concatenate([rng.permutation(filling), rng.choice(self.keys, count, p=share)])
        value = values_of(self.codec, key, rng)
        names = rng.choice(1 << 32, self.keys, replace=False)
        given = Given(key=key, value=value, names=names, ws=self.ws, wa=self.wa)
        begin = len(filling) + count // 10
        return given.measured(self.design, self.dram, begin)


def busy_cycles(taken, closers, given):
    """Cycles behind the tuple that closes the first window, up to the last row.

    But for those in which a tuple is taken and no window is under way, as none is when keys come
    anew. A window is under way behind the cycle in which its last tuple is taken, up to that of its
    row. For instance tuples taken in cycles 0 to 5, 7 and 8, of which those in 1 and 8 close
    windows, with rows in 3 and 12: 2, 3, 6 and 9 to 12; in 4, 5, 7 and 8 nothing waits.
    """
    closed = taken[closers]
    before = np.concatenate([closed[:1], given[:-1]])
    number = np.searchsorted(taken, closed, "right") - np.searchsorted(taken, before, "right")
    return int(given[-1] - closed[0] - number[closed > before].sum())


@dataclass(frozen=True, kw_only=True, eq=False)
class Given:
    """Tuples, by the numbers of their keys, the ``names`` of these, and windows."""

    key: np.ndarray
    value: np.ndarray
    names: np.ndarray
    ws: int
    wa: int

    def measured(self, design, dram, begin):
        """What a simulation gives from tuple ``begin`` on; all of its rows are right."""
        _, taken, closers, given = self._timed(design, dram)
        late = closers >= begin
        waited = (given - taken[closers])[late]
        return Measured(
            rate=(len(self.key) - 1 - begin) / int(taken[-1] - taken[begin]),
            latency=float(np.median(waited)) if late.any() else float("nan"),
        )

    def collected(self, design, dram):
        """Lines per cycle of which windows are made: those read, and of each one on the chip.

        Of a simulation's :func:`busy_cycles`; all of its rows are right.
        """
        done, taken, closers, given = self._timed(design, dram)
        lines = done.counters["m3_lines_read"] + len(closers)
        return lines / busy_cycles(taken, closers, given)

    def _timed(self, design, dram):
        """A simulation, all of whose rows are right; when tuples were taken, which of them closed
        windows, and when the rows of these were given.
        """
        done = self._run(design, dram)
        sums = "sum" in str(design.query)
        value = kept_of(lossy_codec(design), self.key, self.value)
        closers, rows = windows_of(self.key, value, self.ws, self.wa, sums)
        places, names = done.packets[0], self.names.tolist()
        assert places == [(window, names[k], *rest) for window, k, *rest in rows]
        (into,) = done.outcome.inputs.values()
        return (
            done,
            into.beat_cycles,
            closers,
            done.outcome.outputs["m_axis"].beat_cycles[: len(closers)],
        )

    def _run(self, design, dram):
        pairs = zip(self.names[self.key].tolist(), self.value.tolist(), strict=True)
        events = [{"k": k, "x": x, "y": 0} for k, x in pairs]
        settings = design.settings.values | {"size": self.ws, "slide": self.wa}
        done = shipped(design).run(
            [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
        )
        assert done.errors == set()
        assert done.counters["collision"] == 0
        return done
