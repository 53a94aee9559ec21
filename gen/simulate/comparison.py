"""The comparison of a run with golden: rows, packets, counters and evictions."""

from dataclasses import dataclass

import pyarrow as pa

from gen.simulate import evicted_keys as evicted
from gen.simulate import result_rows as results
from gen.simulate.losses import Losses
from gen.simulate.run_counters import miscounted, register_values
from golden.comparison import first_difference, mismatches
from golden.lives import Evictions
from rtl.bus.top import registers_of
from sim.errors import ProtocolError


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Rows, counters and evictions of a run, and every difference from golden.

    Attributes
    ----------
    rows : pa.Table or None
        The hardware's rows; None when they cannot be read.
    expected : pa.Table
        Golden's: those of the query, or with ``--allow-evictions`` those for the evicted keys.
    counters : dict of str to int
    problems : tuple of str
        Differences and broken rules, a line each.
    mismatches : int
        Rows that differ from golden's row at the same place.
    evictions : Evictions or None
        None when the design evicts no keys, or has not reported them.
    losses : Losses or None
        None without an eviction.
    """

    rows: pa.Table | None
    expected: pa.Table
    counters: dict
    problems: tuple[str, ...]
    mismatches: int
    evictions: Evictions | None
    losses: Losses | None

    @classmethod
    def of(cls, build, tuples, answer, run, streams, wire, again, allow_evictions):
        """Compares a run; for the parameters see :func:`gen.simulate.run.simulate`.

        An eviction is a problem unless ``allow_evictions``. Rows and late tuples then differ from
        golden's because of the eviction, so these differences are not listed again.
        """
        design = build.design
        counters, status = register_values(design, run.reads)
        problems = [*run.violations, *([run.hang] if run.hang else []), *_errors(design, status)]
        gone, wrong = (None, []) if run.hang else _evictions(build, tuples, run, streams)
        rows, unreadable = (None, []) if run.hang else _rows(design, run, wire)
        losses = None
        if gone and not wrong:
            losses = Losses.of(design, tuples, gone, answer.rows, rows)
            answer = again(gone) if allow_evictions else answer
        refused = losses is not None and not allow_evictions
        problems += [*wrong, *([losses.problem] if refused else []), *unreadable]
        expected, differing = answer.rows, answer.rows.num_rows
        if rows is not None:
            differing = mismatches(expected, rows)
            problems += [] if refused else _difference(expected, rows)
            problems += _miscounted_packets(design, run, rows, streams, wire)
        if not run.hang:
            late, times = None if refused else answer.late, 0 if gone is None else len(gone)
            problems += miscounted(build.query, tuples, late, rows, counters, streams, times)
            problems += [] if wire is None else wire.miscounted(counters, rows)
        return cls(
            rows=rows,
            expected=expected,
            counters=counters,
            problems=tuple(problems),
            mismatches=differing,
            evictions=gone,
            losses=losses,
        )


def _errors(design, status):
    """Lists the error bits that are set, in one line."""
    if not status:
        return []
    fields = registers_of(design)["status"].fields
    names = [field.name for field in fields if status >> field.low & 1]
    return [f"the status register shows {', '.join(names)}"]


def _evictions(build, tuples, run, streams):
    """Returns the evicted keys, None where the design reports none, and a list of problems."""
    if evicted.bus_of(build.design) is None:
        return None, []
    try:
        gone = evicted.evictions(build.design, run.outputs[evicted.BUS].beats, streams)
    except (ProtocolError, ValueError) as error:
        return None, [str(error)]
    return gone, evicted.impossible(build.query, tuples, gone)


def _rows(design, run, wire):
    """Returns the hardware's rows, None when they cannot be read, and a list of problems."""
    try:
        return results.rows(design, run.beats if wire is None else wire.received(run)), []
    except (ProtocolError, ValueError) as error:
        return None, [str(error)]


def _difference(expected, rows):
    """Names the first row that differs, in one line; no line when all rows are equal."""
    found = first_difference(expected, rows)
    if found is None:
        return []
    index, wanted, got = found
    return [f"row {index} must be {_text(wanted)}, not {_text(got)}"]


def _miscounted_packets(design, run, rows, streams, wire):
    """Compares the number of packets with the number of rows; one line when they disagree."""
    if wire is not None:
        return []  # the face counts its datagrams, see Wire.miscounted
    numbers, came = results.numbers_of_packets(design, rows), len(run.beats.ends)
    least, most = streams * numbers[0], streams * numbers[-1]
    if least <= came <= most:
        return []
    wanted = f"{least}" if least == most else f"{least} to {most}"
    return [f"{design.pins[1].name} must have {wanted} packets, not {came}"]


def _text(row):
    return "no row" if row is None else str(tuple(row.values()))
