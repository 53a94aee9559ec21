"""Measures rates and latencies of the seed's query, for comparison with predictions."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from gen.prediction.codec_model import lossy_codec
from gen.prediction.key_streams import key_stream
from rtl.engine.streamzip.schedule.key_stream import Life
from rtl.engine.streamzip.schedule.pivot_searches import PivotSearches
from rtl.keyed.pivot.pivot_plan import PivotPlan
from tb.rtl.engine.key_bench import point
from tb.rtl.engine.key_rates import SIZES, KeyTuples, RateAndLatency, RatePoint
from tb.rtl.engine.key_values import restored_of, values_of
from tb.rtl.engine.seed_windows import seed_rows

#: SELECT list of the seed's query: "average, minimum, maximum and median CPU usage of each job".
SELECT = "avg(x), min(x), max(x), median(x)"


#: Least number of windows in a measurement.
MIN_WINDOWS = 20


@dataclass(frozen=True, kw_only=True)
class SeedMeasured(RateAndLatency):
    """Rate and latency of the last half of a run, behind the rows of the keys' first windows.

    Attributes
    ----------
    all_passes, windows : int
        Passes, and windows, of the whole run. The first window of each key takes several passes,
        because no answer of the key is near its median.
    """

    all_passes: int
    windows: int

    @property
    def passes(self):
        """Mean passes of all windows of the run."""
        return self.all_passes / self.windows


@cache
def seed_design(value, **options):
    """Returns a design for the seed's query over values of a type, for windows of up to 4,096."""
    return point(4096, 1, value, SELECT, "uint(32)", **SIZES["seed"] | options)


@dataclass(frozen=True, kw_only=True)
class SeedPoint(RatePoint):
    """The seed's query with windows, keys and a memory; all designs find medians by pivots.

    Attributes
    ----------
    value : str
        Type of the column: ``"fixed(40,24)"`` or ``"double"``.
    options : tuple of (str, object)
        Further options of the design.
    """

    value: str = "fixed(40,24)"
    options: tuple = ()

    @property
    def design(self):
        options = {"memory": self.memory, "codec": self.codec, "percentiles": "pivot"}
        if self.stripe > 1:
            options["stripe_lines"] = self.stripe
        return seed_design(self.value, **options | dict(self.options))

    @property
    def tuples(self):
        return SeedTuples

    def values(self, key, rng):
        """Returns the values of the project's own trace, also for designs without a codec."""
        return values_of("xor" if self.value == "double" else "base-delta", key, rng)

    def predicted_passes(self, **sizes):
        """Returns the mean passes of the windows of :meth:`drawn` tuples, predicted from them."""
        tuples, _ = self.drawn(**sizes)
        return tuples.mean_passes(self.design)


class SeedTuples(KeyTuples):
    """Tuples whose rows have an average, a minimum, a maximum and a median."""

    def expected(self, design):
        value = restored_of(lossy_codec(design), self.key, self.value)
        (column,) = (c for c in design.query.columns if c.name == "x")
        return seed_rows(self.key, value, self.ws, self.wa, column.type.floating)

    def mean_passes(self, design):
        """Returns the mean passes of all windows, if each pivot is the answer of the window before.

        Where several windows of a key are under way, pivots are older, and a few windows take a
        pass more.
        """
        columns = {"k": self.key, "x": self.value}
        stream = key_stream(design, columns, np.ones(len(self.key), bool), None, len(self.key))
        (column,) = (c for c in design.query.columns if c.name == "x")
        plan = PivotPlan(
            width=column.type.width,
            fractions=(Fraction(1, 2),),
            neighbours=design.parameters["neighbours"],
            entries=len(self.names),
            lines=1,
        )
        searches, lives, passes = PivotSearches(stream.ranks, plan), defaultdict(Life), []
        for number, key in enumerate(self.key.tolist()):
            life = lives[key]
            life.indices.append(number)
            begin = len(life.indices) - self.ws
            if begin >= 0 and begin % self.wa == 0:
                passes.append(searches.window(life, begin, begin + self.ws).passes(key))
        return float(np.mean(passes))

    def stream_prediction(self, design, dram, begin):
        """Returns rate and latency of the last half of the tuples from ``begin`` on.

        So the rows of the keys' first windows, which take several passes, have left before.
        """
        return super().stream_prediction(design, dram, (begin + len(self.key)) // 2)

    def measured(self, design, dram, begin):
        """Returns the :class:`SeedMeasured` of a simulation; checks all rows.

        It is of the last half of the tuples from ``begin`` on, as the prediction is, or of fewer
        tuples if the rows of the keys' first windows leave later.
        """
        run, input_cycles, closers, row_cycles = self._timed(design, dram)
        _, first_windows = np.unique(self.key[closers], return_index=True)
        settled = int(np.searchsorted(input_cycles, row_cycles[first_windows].max()))
        begin = max((begin + len(self.key)) // 2, settled)
        late = closers >= begin
        assert late.sum() >= MIN_WINDOWS, f"{late.sum()} windows after the first of each key"
        return SeedMeasured(
            rate=(len(self.key) - 1 - begin) / int(input_cycles[-1] - input_cycles[begin]),
            latency=float(np.median((row_cycles - input_cycles[closers])[late])),
            all_passes=run.counters["passes"],
            windows=len(closers),
        )
