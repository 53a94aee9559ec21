"""Holds the result of a simulation beside golden's answer, and computes its figures."""

from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa
from pyspark import __version__ as spark_version

from gen.prediction.rate_bound import RateBound
from gen.simulate.losses import Losses
from gen.simulate.measured_rate import rate_of_input, rate_of_windows
from gen.simulate.overflows import OVERFLOWED
from gen.simulate.steady_part import Stretch
from golden.plans.lives import Evictions
from sim.outcome import Outcome

#: Counters of dropped tuples that every result lists; a counter that the design lacks counts as 0.
DROPPED = ("late", "overrun", "nan", "collision")


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """Holds a run and its comparison with golden.

    Attributes
    ----------
    run : Outcome
        Output beats, and counts of cycles and beats, of the run.
    streams : int
        Number of times that the tuples were sent: once for each selected result.
    lanes : int or Fraction
        Number of tuples in a beat of the input.
    stretch : Stretch or None
        Part of the stream over which the rate is measured; None with fewer than two ends of
        windows.
    has_stream_windows : bool
        True if the query has windows of the stream. Then the rate is measured from the end of one
        window to the end of another.
    predicted : float or None
        Predicted tuples per cycle with the memory behind the design: for the data of the stretch;
        with windows of keys, for all data; else, without a stretch, for data of the default shape.
        None if the prediction failed.
    unpredicted : str or None
        Reason why the prediction failed.
    clearing : int
        Cycles after the reset in which the design clears its table. Meanwhile it takes only as many
        tuples as its first registers hold.
    tuples : int
        Number of tuples of one stream, those that WHERE drops included.
    start : int or None
        Time at which window 0 of RANGE begins, in raw units of the time column; otherwise None.
    rows : pa.Table or None
        The hardware's rows; None if the output broke the rules of its stream.
    expected : pa.Table
        Golden's rows for the query, or for the evictions if they are allowed.
    counters : dict of str to int
        The 64-bit counters of the register map after the run.
    problems : tuple of str
        Every problem, a line each; empty if the hardware agrees with golden.
    mismatches : int
        Number of rows that differ from golden's.
    dropped : tuple of str
        Names of the counters of dropped tuples.
    evictions : Evictions or None
        Evictions that the hardware has reported; None if the design evicts no keys or has not
        reported.
    losses : Losses or None
        Rows that the query loses by the evictions; None without an eviction, and if the reported
        evictions are impossible.
    bound : RateBound or None
        What limits the rate: the bus, the engine, the rows, or the stalls of the input. None
        without a prediction.
    memory : dict or None
        Name of the memory behind the memory masters, and the design's counters of lines and values
        of windows, with the share of values that was on the chip. None if the design has no level
        M3.
    network : dict or None
        Counters of the network face by name; None without a network face.
    pcap : bytes or None
        Capture file of the frames of both ways; None without a network face.
    """

    run: Outcome
    streams: int
    lanes: int | Fraction
    stretch: Stretch | None
    has_stream_windows: bool
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
    def cycles(self) -> int:
        """Cycles from the first beat at the input to the last beat at the output, both included.

        Without a beat at one of the two, all cycles of the run.
        """
        if self.run.first_input is None or self.run.last_output is None:
            return self.run.cycles
        return self.run.last_output - self.run.first_input + 1

    @property
    def sustained(self) -> float | None:
        """Tuples per cycle in the long run, over all streams.

        With windows of the stream the rate is measured at the output, from one end of a window to
        another, see :func:`gen.simulate.measured_rate.rate_of_windows`; None without a stretch.
        Otherwise it is measured at the input, see
        :func:`gen.simulate.measured_rate.rate_of_input`. None through a network, where a beat is
        part of a frame.
        """
        if self.network is not None:
            return None
        run = self.run
        if not self.has_stream_windows:
            beat_cycles = next(iter(run.inputs.values())).beat_cycles
            return rate_of_input(beat_cycles, self.streams, self.tuples, self.lanes, self.clearing)
        if self.stretch is None or self.rows is None:
            return None
        windows = self.rows["window"].to_numpy()
        return rate_of_windows(run.beats, run.beat_cycles, self.streams, windows, self.stretch)

    def _count(self, name):
        """Returns the value of a counter for one stream; 0 if the design lacks the counter.

        All streams have the same tuples, so each has an equal share of the counter.
        """
        return self.counters.get(name, 0) // self.streams

    def _lost(self):
        """Returns plain data about evictions and lost rows."""
        evicted = 0 if self.evictions is None else len(self.evictions)
        losses = self.losses
        if losses is None:  # no key was evicted, or the report is impossible
            rows, lost = self.expected.num_rows, None if evicted else 0
        else:
            rows, lost = losses.rows, losses.lost
        return {"evicted_keys": evicted, "rows_of_query": rows, "rows_lost": lost}

    def _bound_figures(self):
        """Returns plain data about what limits the rate, and the tuples in a beat."""
        if self.bound is None:
            return {"rate_bounded_by": None, "tuples_per_beat": float(self.lanes)}
        return self.bound.values()

    def figures(self) -> dict:
        """Returns plain data for ``sluice simulate --json``."""
        run, sustained, first = self.run, self.sustained, None
        # The first beat of a stream without rows is its end, and no result.
        has_rows = self.rows is None or self.rows.num_rows > 0
        if has_rows and run.first_output is not None and run.first_input is not None:
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
            **self._bound_figures(),
            "first_result_cycles": first,
            "rows": 0 if self.rows is None else self.rows.num_rows,
            "rows_expected": self.expected.num_rows,
            "mismatches": self.mismatches,
            "dropped": {name: self._count(name) for name in self.dropped},
            **self._lost(),
            "overflowed_windows": self._count(OVERFLOWED),
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


def rounded(rate: float) -> float:
    """Returns a rate with six significant digits: rates may be as low as 1 / panes of a window."""
    return float(f"{rate:.6g}")
