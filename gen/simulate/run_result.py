"""What a simulation of a design gave, beside golden's answer, and its figures."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
from pyspark import __version__ as spark_version

from gen.prediction.rate_bound import RateBound
from gen.simulate.losses import Losses
from gen.simulate.steady_part import Stretch
from golden.lives import Evictions
from sim.outcome import Outcome

DROPPED = ("late", "overrun", "nan", "collision")


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """A run and its comparison.

    Attributes
    ----------
    run : Outcome
    streams : int
        How often the tuples were fed: once for each selected result.
    packets : int
        How many packets a stream should give: its windows.
    lanes : int or Fraction
        Tuples of a beat of the input.
    stretch : Stretch or None
        Over which the rate is measured; None with fewer than two ends of windows.
    windows : bool
        Rows are of windows of the whole stream: without a stretch there is no rate.
    predicted : float or None
        Tuples per cycle of the design for what the data do in the stretch, or with windows of keys
        in all of the stream, and for the memory behind it; else for data of the default shape. None
        when the prediction failed.
    unpredicted : str or None
        Why it failed.
    clearing : int
        Cycles from the reset on in which the design clears its table, and takes no more than a few
        tuples into its first registers.
    tuples : int
    start : int or None
        Where window 0 begins, in raw units of the time column; None where there is no such thing.
    rows : pa.Table or None
        What the hardware gave; None when it broke the rules of its stream.
    expected : pa.Table
        Golden's rows: those of the query or, where evictions are allowed, those for the evictions.
    counters : dict of str to int
        The 64-bit counters of the register map after the run.
    problems : tuple of str
        All that is wrong, a line each; empty when the hardware agrees with golden.
    mismatches : int
    dropped : tuple of str
        The counters that count tuples which have no say in any row.
    evictions : Evictions or None
        The keys that the hardware reports as evicted; None when it evicts none, or did not report.
    losses : Losses or None
        What the query loses by the evictions; None without an eviction.
    bound : RateBound or None
        Whether the bus or the engine bounds the rate.
    memory : dict or None
        What was behind the memory masters, and what the design has counted there: lines, values of
        windows, and the share of these that was on the chip. None when it has no such masters.
    network : dict or None
        What the network face has counted, by name; None without one.
    pcap : bytes or None
        The frames of a network, both ways, as a file.
    """

    run: Outcome
    streams: int
    packets: int
    lanes: int | Fraction
    stretch: Stretch | None
    windows: bool
    predicted: float | None
    tuples: int
    start: int | None
    rows: pa.Table | None
    expected: pa.Table
    counters: dict
    problems: tuple[str, ...]
    mismatches: int
    dropped: tuple[str, ...] = DROPPED
    unpredicted: str | None = None
    clearing: int = 0
    evictions: Evictions | None = None
    losses: Losses | None = None
    bound: RateBound | None = None
    memory: dict | None = None
    network: dict | None = None
    pcap: bytes | None = None

    @property
    def cycles(self):
        """From the first beat taken at the input to the last one at the output."""
        if self.run.first_input is None or self.run.last_output is None:
            return self.run.cycles
        return self.run.last_output - self.run.first_input + 1

    @property
    def sustained(self):
        """Tuples taken at the input per cycle in the long run, summed over the streams.

        From the first window of the stretch to its last one, each when its row comes; without
        windows, or with those of keys, from the first beat of the input to the last; None through a
        network, as beats are of frames. Costs of the beginning and of the end of a stream have no
        part in it: with a table of keys, the first beat is the first one after the table is clear.
        None without a stretch, with fewer than two beats, or when not all windows came.
        """
        if self.network is not None:
            return None
        if not self.windows:
            return self._taken_at_the_input()
        ends = self.run.taken[self.run.beats.last]
        if self.stretch is None or len(ends) != self.streams * self.packets:
            return None
        ends = ends.reshape(self.streams, self.packets)
        cycles = int(np.sum(ends[:, self.stretch.last] - ends[:, self.stretch.first]))
        return self.streams * self.stretch.tuples / max(1, cycles)

    def _taken_at_the_input(self):
        """Tuples per cycle from each stream's first beat to its last, which may not be full.

        Beats before the table is clear do not count: a few fit into the registers before it, and
        the next one waits until the end of the clearing. With 4,096 cycles of it, 6,000 tuples at
        one in a cycle would else seem to pass at 0.6 in a cycle.
        """
        taken, beats = next(iter(self.run.inputs.values())).taken, -(-self.tuples // self.lanes)
        if taken is None or beats < 2 or len(taken) != self.streams * beats:
            return None
        taken = taken.reshape(self.streams, beats)
        begins = np.sum(taken < self.clearing, axis=1)
        whole = begins < beats - 1
        if not whole.any():
            return None
        passed = int(np.sum(beats - 1 - begins[whole]))
        firsts = taken[whole, begins[whole]]
        return float(self.lanes * passed / int(np.sum(taken[whole, -1] - firsts)))

    def _count(self, name):
        """A counter for each time that the tuples were fed; 0 when the design has none such."""
        return self.counters.get(name, 0) // self.streams

    def _lost(self):
        """Plain data about evictions, and the rows of the query that are missing by them."""
        evicted, losses = 0 if self.evictions is None else len(self.evictions), self.losses
        if losses is None:  # nothing was evicted, or what was reported cannot be
            rows, lost = self.expected.num_rows, None if evicted else 0
        else:
            rows, lost = losses.rows, losses.lost
        return {"evicted_keys": evicted, "rows_of_query": rows, "rows_lost": lost}

    def figures(self):
        """Plain data for ``sluice simulate --json``."""
        run, sustained, first = self.run, self.sustained, None
        if run.first_output is not None and run.first_input is not None:
            first = run.first_output - run.first_input
        return {
            "tuples": self.tuples,
            "streams": self.streams,
            "cycles": self.cycles,
            "tuples_per_cycle": round(self.streams * self.tuples / max(1, self.cycles), 4),
            "sustained_tuples_per_cycle": None if sustained is None else rounded(sustained),
            "predicted_tuples_per_cycle": None
            if self.predicted is None
            else rounded(self.predicted),
            "unpredicted": self.unpredicted,
            **({} if self.bound is None else self.bound.values()),
            "first_result_cycles": first,
            "rows": 0 if self.rows is None else self.rows.num_rows,
            "rows_expected": self.expected.num_rows,
            "mismatches": self.mismatches,
            "dropped": {name: self._count(name) for name in self.dropped},
            **self._lost(),
            "filtered": self._count("filtered"),
            "memory": self.memory,
            **({} if self.network is None else {"network": self.network}),
            "input_stalled_cycles": run.input_stalled,
            "output_stalled_cycles": run.output_stalled,
            "stream_rule_violations": len(run.violations),
            "simulation_cycles": run.cycles,
            "simulation_seconds": round(run.seconds, 4),
            "simulation_cycles_per_second": round(run.cycles_per_second),
            "verified_by": f"PySpark {spark_version}",
        }


def rounded(rate):
    """A rate or share to six digits: it may be as small as one over the panes of a window."""
    return float(f"{rate:.6g}")
