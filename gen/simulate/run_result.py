"""Holds the result of a simulation beside golden's answer, and computes its figures."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
from pyspark import __version__ as spark_version

from gen.prediction.rate_bound import RateBound
from gen.simulate.losses import Losses
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
    packets : int
        Expected number of packets of one stream, see :func:`gen.simulate.result_rows.packet_count`.
    lanes : int or Fraction
        Number of tuples in a beat of the input.
    stretch : Stretch or None
        Part of the stream over which the rate is measured; None with fewer than two ends of
        windows.
    packets_are_windows : bool
        True if the query has windows of the stream, and each packet ends with a window. Only then
        is the rate measured from one packet to another.
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
    packets: int
    lanes: int | Fraction
    stretch: Stretch | None
    packets_are_windows: bool
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
        """Tuples per cycle at the input in the long run, over all streams.

        If packets are windows of the stream, the rate is measured from the end of the packet of the
        stretch's first window to the end of the packet of its last window. For instance if two
        streams have a stretch of 1,000 tuples, and need 510 and 490 cycles for it, the rate is 2.
        Otherwise the rate is measured at the input, see :meth:`_input_rate`. So the costs of the
        beginning and of the end of a stream do not count.

        None through a network, where a beat is part of a frame. If packets are windows, None
        without a stretch, and if windows are missing. Otherwise None if not every beat of the input
        was accepted, or fewer than two beats came after the table was clear.
        """
        if self.network is not None:
            return None
        if not self.packets_are_windows:
            return self._input_rate()
        ends = self.run.beat_cycles[self.run.beats.last]
        if self.stretch is None or len(ends) != self.streams * self.packets:
            return None
        ends = ends.reshape(self.streams, self.packets)
        cycles = int(np.sum(ends[:, self.stretch.last] - ends[:, self.stretch.first]))
        return self.streams * self.stretch.tuples / max(1, cycles)

    def _input_rate(self):
        """Returns the tuples per cycle from each stream's first beat to its last, or None.

        Beats before the table is clear do not count: a few fit into the registers before the table,
        and the next beat waits until the table is clear. For instance, if the clearing took 4,096
        cycles and counted, 6,000 tuples at one per cycle would seem to pass at 0.6 per cycle.
        """
        beat_cycles = next(iter(self.run.inputs.values())).beat_cycles
        beats = -(-self.tuples // self.lanes)
        if beat_cycles is None or beats < 2 or len(beat_cycles) != self.streams * beats:
            return None
        beat_cycles = beat_cycles.reshape(self.streams, beats)
        first_beats = np.sum(beat_cycles < self.clearing, axis=1)
        is_measured = first_beats < beats - 1
        if not is_measured.any():
            return None
        passed = int(np.sum(beats - 1 - first_beats[is_measured]))
        firsts = beat_cycles[is_measured, first_beats[is_measured]]
        return float(self.lanes * passed / int(np.sum(beat_cycles[is_measured, -1] - firsts)))

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
