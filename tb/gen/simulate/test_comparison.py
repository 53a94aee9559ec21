"""Checks the problems of a run. The runs are written by hand; no hardware is simulated."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from gen.simulate.comparison import Comparison
from gen.simulate.run_counters import register_names
from golden.answer import Answer, row_types
from golden.tuples import Tuples
from query.parser import parse
from rtl.contract.face import Face
from sim.beats import Beats, pack_fields
from sim.outcome import Outcome, OutputStream
from tb.gen import one_key

QUERY = parse(
    "CREATE INPUT STREAM S (k uint(8), v int(20));"
    "SELECT k, sum(v) FROM S [PARTITION BY k ROWS 2 SLIDE 2];"
)
#: The table has one entry, so each tuple of another key evicts the key before: first 9 evicts 5,
#: then 5 evicts 9, and 9 evicts 5. Key 5 never fills its window of two rows.
KEYS, VALUES = [5, 9, 9, 5, 9, 9], [1, 2, 3, 4, 5, 6]
#: Each evicted key, and the number of the tuple that evicts it.
EVICTIONS = [(5, 1), (9, 3), (5, 4)]
#: Rows (window, key, sum): of the query, and if each eviction ends the life of a key.
OF_QUERY = [(0, 9, 5), (0, 5, 5), (1, 9, 11)]
OF_LIVES = [(0, 9, 5), (0, 9, 11)]


def table(rows):
    kinds = row_types(QUERY)
    columns = zip(*rows, strict=True) if rows else [[]] * 3
    arrays = [pa.array(c, kind) for c, (_, kind) in zip(columns, kinds, strict=True)]
    return pa.table(arrays, schema=pa.schema(kinds))


def stream(beats):
    return OutputStream(beats=beats, beat_cycles=np.arange(len(beats)), stalled=0)


def compared(actual_rows, evictions, allow, *, face, cut, hang=None, wire=None, **counters):
    """Returns the comparison of a run that gave ``actual_rows`` in packets of ``cut`` beats.

    ``counters`` replaces counts of the run; ``hang`` is the text of a run that ended with a hang;
    ``wire`` stands for a :class:`~gen.design.network.Wire`.
    Checks that golden is asked again, with the evictions, only if evictions are allowed.
    """
    design = one_key.ENGINE(query=QUERY).with_face(Face(**face))
    packed = pack_fields([*zip(*actual_rows, strict=True)], design.rows.packing.fields)
    main = Beats.from_streams([packed], 1)
    main.last[cut - 1 :: cut] = True
    evicted = pack_fields(
        [*zip(*evictions, strict=True)] or [[], []], design.streams[2].packing.fields
    )
    counts = {
        "tuples": 6,
        "streams": 1,
        "rows": len(actual_rows),
        "collision": len(evictions),
    } | counters
    halves = {f"{name}_low": value for name, value in counts.items()}
    outcome = Outcome(
        inputs={},
        outputs={
            "m_axis": stream(main),
            "m_axis_evicted": stream(Beats.from_streams([evicted], 1)),
        },
        cycles=100,
        hang=hang,
        reads=tuple(halves.get(name, 0) for name in register_names(design)),
    )
    tuples = Tuples(QUERY.schema, pa.table({"k": KEYS, "v": VALUES}))
    requested = []

    def again(evicted_keys):
        requested.append(list(zip(*evicted_keys.table.to_pydict().values(), strict=True)))
        return Answer(rows=table(OF_LIVES), start=None, late=0)

    answer = Answer(rows=table(OF_QUERY), start=None, late=0)
    build = SimpleNamespace(design=design, query=QUERY)
    comparison = Comparison.of(build, tuples, answer, outcome, 1, wire, again, allow)
    assert requested == ([evictions] if allow and evictions and not hang else [])
    return comparison


FACES = [({}, 9), ({"packets": "beats:1"}, 1), ({"packets": "beats:2"}, 2)]


@pytest.mark.parametrize(("face", "cut"), FACES)
def test_evictions_that_are_allowed(face, cut):
    comparison = compared(OF_LIVES, EVICTIONS, True, face=face, cut=cut)
    assert (comparison.problems, comparison.mismatches) == ((), 0)
    assert comparison.expected.num_rows == 2
    losses = comparison.losses
    assert (losses.evictions, losses.rows, losses.lost) == (3, 3, 2)


@pytest.mark.parametrize(("face", "cut"), FACES)
def test_evictions_that_are_not_allowed(face, cut):
    """The run has one problem, the loss of rows. Differences between rows follow from this loss."""
    comparison = compared(OF_LIVES, EVICTIONS, False, face=face, cut=cut)
    (problem,) = comparison.problems
    assert problem.startswith(
        "3 times a key was evicted from the table: of the query's 3 rows 2 are lost or differ; "
    )
    assert (comparison.expected.num_rows, comparison.rows.num_rows) == (3, 2)


def test_evictions_without_a_row_that_is_lost():
    """The run still fails, since other data would lose rows."""
    comparison = compared(OF_QUERY, EVICTIONS[:1], False, face={}, cut=9)
    (problem,) = comparison.problems
    assert problem.startswith(
        "a key was evicted from the table: of the query's 3 rows 0 are lost or differ; "
    )


def test_a_wrong_row_beside_allowed_evictions():
    rows = [OF_LIVES[0], (0, 9, 12)]
    comparison = compared(rows, EVICTIONS, True, face={"packets": "beats:2"}, cut=2)
    assert comparison.problems == ("row 1 must be (0, 9, 11), not (0, 9, 12)",)
    assert comparison.mismatches == 1


@pytest.mark.parametrize("allow", [True, False])
def test_packets_that_do_not_follow_from_the_rows(allow):
    comparison = compared(OF_LIVES, EVICTIONS, allow, face={"packets": "beats:3"}, cut=1)
    assert comparison.problems[-1] == "m_axis must have 1 packets, not 2"
    assert len(comparison.problems) == (1 if allow else 2)


@pytest.mark.parametrize("allow", [True, False])
def test_counters_beside_evictions(allow):
    comparison = compared(OF_LIVES, EVICTIONS, allow, face={}, cut=9, collision=4, rows=3)
    problems = ("counter collision must be 3, not 4", "counter rows must be 2, not 3")
    assert comparison.problems[-2:] == problems


def test_lost_datagrams_come_before_the_rows_that_they_lack():
    lost = "2 datagrams came before there was room"
    wire = SimpleNamespace(
        lost_datagrams=lambda counters: [lost],
        miscounted=lambda counters, rows: [],
        received=lambda run: run.beats,
    )
    comparison = compared(OF_QUERY[:2], [], False, face={}, cut=9, wire=wire, tuples=4)
    assert comparison.problems == (
        lost,
        "row 2 must be (1, 9, 11), not no row",
        "counter tuples must be 6, not 4",
    )


def test_a_run_without_evictions():
    comparison = compared(OF_QUERY, [], False, face={}, cut=9)
    assert (comparison.problems, comparison.mismatches, comparison.losses) == ((), 0, None)
    assert len(comparison.evictions) == 0


@pytest.mark.parametrize("allow", [True, False])
def test_a_run_that_hangs_has_no_other_problem(allow):
    """Rows, evictions and counters of a run that was cut short are not compared."""
    hang = "hang: no transfer"
    comparison = compared(OF_LIVES[:1], EVICTIONS, allow, face={}, cut=9, hang=hang, tuples=2)
    assert comparison.problems == (hang,)
    assert (comparison.rows, comparison.evictions, comparison.losses) == (None, None, None)
    assert comparison.mismatches == len(OF_QUERY)
