"""Compares a run with golden: rows, packets, counters and evictions."""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from gen.design.build import Build
from gen.design.network import Wire
from gen.simulate import evicted_keys, result_rows
from gen.simulate.losses import Losses
from gen.simulate.overflows import OVERFLOWED, overflow_problems, without_marked_values
from gen.simulate.run_counters import miscounted, overruns, register_values
from golden.answer import Answer
from golden.compare.tables import first_difference, mismatches
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from rtl.bus.top_registers import registers_of
from sim.errors import ProtocolError
from sim.outcome import Outcome


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Rows, counters and evictions of a run, and every difference from golden.

    Attributes
    ----------
    rows : pa.Table or None
        The hardware's rows; None if they cannot be read.
    expected : pa.Table
        Golden's rows. With ``--allow-evictions`` golden takes the reported evictions into account.
        If the hardware marked a row, because its window did not fit, the values of golden's row are
        NULL, too.
    counters : dict of str to int
    problems : tuple of str
        Differences and broken rules, a line each.
    mismatches : int
        Number of rows that differ from golden's row at the same place.
    evictions : Evictions or None
        None if the design evicts no keys, or has not reported its evictions.
    losses : Losses or None
        None without an eviction, and if the reported evictions are impossible.
    """

    rows: pa.Table | None
    expected: pa.Table
    counters: dict
    problems: tuple[str, ...]
    mismatches: int
    evictions: Evictions | None
    losses: Losses | None

    @classmethod
    def of(
        cls,
        build: Build,
        tuples: Tuples,
        answer: Answer,
        run: Outcome,
        streams: int,
        wire: Wire | None,
        answer_with_evictions: Callable[[Evictions], Answer],
        allow_evictions: bool,
    ) -> "Comparison":
        """Compares a run; for the parameters see :func:`gen.simulate.run.simulate`.

        Without ``allow_evictions`` an eviction is a problem. Rows and late tuples then differ from
        golden's because of the eviction, so these differences are not listed again.
        """
        design = build.design
        counters, status = register_values(design, run.reads)
        problems = [*run.violations, *([run.hang] if run.hang else [])]
        # Lost datagrams come first, because they are the reason why rows are missing.
        problems += [] if wire is None else wire.lost_datagrams(counters)
        problems += _errors(design, status)
        evicted, impossible = (None, []) if run.hang else _evictions(build, tuples, run, streams)
        rows, unreadable = (None, []) if run.hang else _rows(design, run, wire)
        losses = None
        if evicted and not impossible:
            losses = Losses.of(design, tuples, evicted, answer.rows, rows)
            answer = answer_with_evictions(evicted) if allow_evictions else answer
        is_refused = losses is not None and not allow_evictions
        problems += [*impossible, *([losses.problem] if is_refused else []), *unreadable]
        expected = answer.rows
        differing = expected.num_rows
        # Overruns come before differing rows, because rows lack the tuples of an overrun.
        problems += overruns(build.query, tuples, answer.start, counters)
        problems += overflow_problems(build.query, rows, counters, streams)
        if rows is not None:
            if counters.get(OVERFLOWED):
                expected = without_marked_values(build.query, expected, rows)
            differing = mismatches(expected, rows)
            problems += [] if is_refused else _difference(expected, rows)
            problems += _miscounted_packets(design, run, rows, streams, wire)
        if not run.hang:
            late = None if is_refused else answer.late
            evictions = 0 if evicted is None else len(evicted)
            problems += miscounted(
                build.query, tuples, late, rows, counters, streams, evictions=evictions
            )
            problems += [] if wire is None else wire.miscounted(counters, rows)
        return cls(
            rows=rows,
            expected=expected,
            counters=counters,
            problems=tuple(problems),
            mismatches=differing,
            evictions=evicted,
            losses=losses,
        )


def _errors(design, status):
    """Returns a list with a line of the error bits that are set, or an empty list."""
    if not status:
        return []
    fields = registers_of(design)["status"].fields
    names = [field.name for field in fields if status >> field.low & 1]
    return [f"the status register shows {', '.join(names)}"]


def _evictions(build, tuples, run, streams):
    """Returns the evicted keys and a list of problems; None if the design reports no evictions."""
    if evicted_keys.bus_of(build.design) is None:
        return None, []
    try:
        beats = run.outputs[evicted_keys.BUS].beats
        evicted = evicted_keys.evictions(build.design, beats, streams)
    except (ProtocolError, ValueError) as error:
        return None, [str(error)]
    return evicted, evicted_keys.impossible(build.query, tuples, evicted)


def _rows(design, run, wire):
    """Returns the hardware's rows and a list of problems; None if the rows cannot be read."""
    try:
        return result_rows.rows(design, run.beats if wire is None else wire.received(run)), []
    except (ProtocolError, ValueError) as error:
        return None, [str(error)]


def _difference(expected, rows):
    """Returns a list with a line of the first row that differs; empty if all rows are equal."""
    difference = first_difference(expected, rows)
    if difference is None:
        return []
    index, expected_row, row = difference
    return [f"row {index} must be {_text(expected_row)}, not {_text(row)}"]


def _miscounted_packets(design, run, rows, streams, wire):
    """Returns a line if the number of packets disagrees with the number of rows."""
    if wire is not None:
        return []  # the face counts its datagrams, see Wire.miscounted
    numbers = result_rows.allowed_packet_counts(design, rows)
    packets = len(run.beats.ends)
    least = streams * numbers[0]
    most = streams * numbers[-1]
    if least <= packets <= most:
        return []
    expected = f"{least}" if least == most else f"{least} to {most}"
    return [f"{design.pins[1].name} must have {expected} packets, not {packets}"]


def _text(row):
    return "no row" if row is None else str(tuple(row.values()))
