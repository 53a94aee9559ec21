"""Measures rates and latencies of windows of each key, for comparison with predictions."""

import random
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from gen.prediction.codec_model import lossy_codec
from gen.prediction.key_streams import key_stream
from rtl.bus.top import latency_around_core
from rtl.engine.streamzip.rates.key_mix import KeyMix
from sim.memory import Memory
from tb.rtl.engine.bench import shipped
from tb.rtl.engine.key_bench import Answers, Stream, evicted, point
from tb.rtl.engine.key_values import FITTING, RATIOS, VALUES, restored_of, values_of, windows_of

SMALL = {"entries": 64, "window_max": 256, "ports": 4, "port_bits": 128}
#: Approximate limit of lines read before the measurement begins.
LINES = 200_000
#: Options of designs: "small" for quick tests; "seed" as the seed's design, with 16,384 keys,
#: values of 64 bits, and windows of up to 4,096.
SIZES = {"small": SMALL, "seed": SMALL | {"entries": 16384, "window_max": 4096, "ways": 4}}


@cache
def design_of(size="seed", memory="mlq", m2="block", codec="none", **more):
    """Returns a design of this size for all windows that fit.

    Without a codec an external M2 has 2 lines.
    """
    options = SIZES[size] | {"memory": memory, "m2_kind": m2, "codec": codec}
    options |= FITTING.get(codec, {}) | more
    options |= {"m2_lines": 2} if m2 == "external" and codec == "none" else {}
    value, select = VALUES[codec]
    return point(options["window_max"], 1, value, select, "uint(32)", **options)


@dataclass(frozen=True, kw_only=True)
class RateAndLatency:
    """Rate and latency of a stream from the cycle on in which all keys have a full window.

    Attributes
    ----------
    rate : float
        Tuples per cycle.
    latency : float
        Median of the cycles from a tuple that closes a window to the beat with its row.
    """

    rate: float
    latency: float


@dataclass(frozen=True, kw_only=True)
class RatePoint:
    """A design with windows, keys and a memory, whose rate is predicted and measured.

    Attributes
    ----------
    memory : str
        Option of the design: ``"mlq"`` or ``"dram-only"``.
    dram : str
        Memory behind its ports: ``"ideal"`` or ``"ddr3"``.
    ws, wa : int
        Size and slide of windows, in tuples.
    keys : int
    skew : float
        Skew of :class:`~rtl.engine.streamzip.rates.key_mix.KeyMix`.
    size : str
        One of :data:`SIZES`.
    m2 : str
        ``"block"``, or ``"external"`` with 2 lines.
    codec : str
        Option of the design; its values are those of :func:`~tb.rtl.engine.key_values.values_of`.
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
        suffix = f"-skew{self.skew:g}" if self.skew else ""
        suffix += "-m2outside" if self.m2 == "external" else ""
        suffix += f"-stripes{self.stripe}" if self.stripe > 1 else ""
        name = self.memory if self.codec == "none" else self.codec
        return f"{name}-{self.dram}-{self.ws}-{self.wa}-{self.keys}keys{suffix}"

    @property
    def design(self):
        stripes = {} if self.stripe == 1 else {"stripe_lines": self.stripe}
        return design_of(self.size, self.memory, self.m2, self.codec, **stripes)

    @property
    def predicted(self):
        """Prediction of the design for this point."""
        ratio = {} if self.codec == "none" else {"ratio": self.ratio}
        return self.design.predict(
            size=self.ws,
            slide=self.wa,
            keys=self.keys,
            skew=self.skew,
            dram=self.dram,
            tuples_per_key=self.ws + self.spread,
            **ratio,
        )

    @property
    def ratio(self):
        """Compression ratio of the values."""
        return RATIOS[self.codec]

    @property
    def spread(self):
        """Number of extra tuples of the key with the most, so that windows close at all times.

        The number is one slide. Stripes of several lines raise it to the tuples of one stripe, so
        that windows begin anywhere in a stripe, but no further than about :data:`LINES` lines
        allow.
        """
        if self.stripe == 1:
            return self.wa
        values_per_line = RATIOS[self.codec] * 8
        affordable = 2 * LINES / self.keys / (self.ws / values_per_line + 1) * self.wa
        return max(self.wa, int(min(self.stripe * values_per_line, affordable)))

    def stream_prediction(self, **sizes):
        """Returns the rate and the latency that the design predicts for :meth:`drawn` tuples."""
        tuples, begin = self.drawn(**sizes)
        return tuples.stream_prediction(self.design, self.dram, begin)

    def measured(self, **sizes):
        """Returns the rate and the latency of a simulation of :meth:`drawn` tuples; checks rows."""
        tuples, begin = self.drawn(**sizes)
        return tuples.measured(self.design, self.dram, begin)

    def drawn(self, cycles=40_000, windows=300, most=100_000, seed=1):
        """Returns random tuples, and the number of the first tuple that is measured.

        First each key gets its first window, and up to :attr:`spread` extra tuples, in random
        order. Then keys come by their shares: as many tuples as fit ``cycles`` cycles at the
        predicted rate, or ``windows`` windows if these need more tuples, but at most ``most``
        tuples. The first tenth of this second part is not measured.
        """
        rng = np.random.default_rng(seed)
        first_counts = self.ws + rng.permutation(self.keys) * self.spread // self.keys
        filling = np.repeat(np.arange(self.keys), first_counts)
        mix = KeyMix(count=self.keys, skew=self.skew).shares
        share = np.repeat([one for one, _ in mix], [keys for _, keys in mix])
        expected = cycles * self.predicted.tuples_per_cycle
        count = int(min(max(expected, windows * self.wa), most))
        key = np.concatenate([rng.permutation(filling), rng.choice(self.keys, count, p=share)])
        value = self.values(key, rng)
        names = rng.choice(1 << 32, self.keys, replace=False)
        tuples = self.tuples(key=key, value=value, names=names, ws=self.ws, wa=self.wa)
        return tuples, len(filling) + count // 10

    @property
    def tuples(self):
        """Class of the tuples of a measurement."""
        return KeyTuples

    def values(self, key, rng):
        """Returns the raw value of each tuple by the number of its key."""
        return values_of(self.codec, key, rng)


def busy_cycles(input_cycles, closers, row_cycles):
    """Returns the number of busy cycles, from the first closed window to the last row.

    A cycle in which a tuple is taken and no window is under way does not count; new keys cause many
    of these. A window is under way from the cycle after its last tuple to the cycle of its row. For
    instance tuples are taken in cycles 0 to 5, 7 and 8; the tuples of cycles 1 and 8 close windows,
    and the rows come in cycles 3 and 12. Cycles 2, 3, 6 and 9 to 12 count; in 4, 5, 7 and 8 a tuple
    is taken and no window is under way.
    """
    closed = input_cycles[closers]
    begin_cycles = np.concatenate([closed[:1], row_cycles[:-1]])
    number = np.searchsorted(input_cycles, closed, "right") - np.searchsorted(
        input_cycles, begin_cycles, "right"
    )
    return int(row_cycles[-1] - closed[0] - number[closed > begin_cycles].sum())


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyTuples:
    """Tuples with the numbers of their keys, the raw ``names`` of the keys, and the windows."""

    key: np.ndarray
    value: np.ndarray
    names: np.ndarray
    ws: int
    wa: int

    def stream_prediction(self, design, dram, begin):
        """Returns rate and latency from tuple ``begin`` on, as the design predicts them."""
        columns = {"k": self.names[self.key], "x": self.value}
        passes = np.ones(len(self.key), bool)
        stream = key_stream(design, columns, passes, start=None, most=len(self.key))
        prediction = design.predict(
            size=self.ws, slide=self.wa, dram=dram, stream=replace(stream, measured_from=begin)
        )
        loaded = prediction.latencies[1]
        latency = loaded.cycles + latency_around_core(design)
        return RateAndLatency(rate=prediction.tuples_per_cycle, latency=latency)

    def measured(self, design, dram, begin):
        """Returns rate and latency of a simulation from tuple ``begin`` on; checks its rows."""
        _, input_cycles, closers, row_cycles = self._timed(design, dram)
        late = closers >= begin
        waited = (row_cycles - input_cycles[closers])[late]
        return RateAndLatency(
            rate=(len(self.key) - 1 - begin) / int(input_cycles[-1] - input_cycles[begin]),
            latency=float(np.median(waited)) if late.any() else float("nan"),
        )

    def collected(self, design, dram):
        """Returns the lines per cycle of all windows: lines read, and one line on the chip per
        window.

        Counts the :func:`busy_cycles` of a simulation, and checks all rows.
        """
        run, input_cycles, closers, row_cycles = self._timed(design, dram)
        lines = run.counters["m3_lines_read"] + len(closers)
        return lines / busy_cycles(input_cycles, closers, row_cycles)

    def _timed(self, design, dram):
        """Simulates the stream and checks its rows.

        Returns the run, the cycles of the tuples, the tuples that close windows, and the cycles of
        the rows of these windows.
        """
        run = self._run(design, dram)
        closers, rows = self.expected(design)
        places, names = run.packets[0], self.names.tolist()
        assert places == [(window, names[k], *rest) for window, k, *rest in rows]
        (into,) = run.outcome.inputs.values()
        return (
            run,
            into.beat_cycles,
            closers,
            run.outcome.outputs["m_axis"].beat_cycles[: len(closers)],
        )

    def expected(self, design):
        """Returns the places of the tuples that close windows, and the rows of a plain model."""
        sums = "sum" in str(design.query)
        value = restored_of(lossy_codec(design), self.key, self.value)
        return windows_of(self.key, value, self.ws, self.wa, sums)

    def _run(self, design, dram):
        pairs = zip(self.names[self.key].tolist(), self.value.tolist(), strict=True)
        events = [{"k": k, "x": x, "y": 0} for k, x in pairs]
        settings = design.settings.values | {"size": self.ws, "slide": self.wa}
        run = shipped(design).run(
            [events], [settings], memory=Memory(backend=dram), idle_timeout=50_000, drain=5_000
        )
        assert run.errors == set()
        assert run.counters["collision"] == 0
        return run


def measure(design, keys, ws, wa, back_end="ideal", skip=0, values=None):
    """Returns the tuples and the lines read per cycle of a stream, and the counters.

    The measurement begins at tuple ``skip`` or later. Values are random by default.
    """
    rng = random.Random(ws * wa)
    if values is None:
        values = (rng.getrandbits(63) - (1 << 62) for _ in keys)
    events = [{"k": int(k), "x": int(x), "y": 0} for k, x in zip(keys, values, strict=True)]
    stream = Stream(size=ws, slide=wa, events=events)
    memory = Memory(backend=back_end)
    run = shipped(design).run(
        [events], [stream.settings(design)], memory=memory, idle_timeout=50_000, drain=5_000
    )
    answers = Answers(design, [stream])
    assert run.packets == answers.packets
    assert evicted(design, run.outcome) == answers.evicted
    assert run.errors == set()
    outcome = run.outcome
    (into,) = outcome.inputs.values()
    swept = 64 + design.options.entries // design.options.ways
    begin = max(skip, int(np.searchsorted(into.beat_cycles, into.beat_cycles[0] + swept)))
    rate = (len(keys) - 1 - begin) / (into.beat_cycles[-1] - into.beat_cycles[begin])
    lines = run.counters["m3_lines_read"] / (outcome.last_output - into.beat_cycles[begin])
    return rate, lines, run.counters


def random_keys(name, count, kind):
    """Returns keys of tuples: as many keys as the table has entries, one key, or bursts of keys."""
    rng = np.random.default_rng(5)
    entries = SIZES[name]["entries"]
    key_names = rng.integers(0, 1 << 32, entries)
    if kind == "single":
        return np.full(count, key_names[0])
    if kind == "bursts":
        return np.repeat(key_names[rng.integers(0, entries, -(-count // 50))], 50)[:count]
    return key_names[rng.integers(0, entries, count)]
