"""Checks what a run reports if tuples, windows or keys had no room, or tuples came late.

After each error the engine answers as before.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from host import DeviceError, Engine, EvictionError, OverflowedWindowError, OverrunError
from host.description import Description
from host.run import Run, check_counts, check_evictions
from sim.host_simulation import CompiledSimulation
from tb.host.row_lists import lists_of

pytestmark = pytest.mark.hdl


@pytest.mark.in_turn
def test_late_tuples_are_no_error(generated, cache):
    """Late tuples are counted, and the next run is not affected."""
    _, directory = generated("window-id")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        time = engine.description.host["window"]["time"]
        table = {f.name: np.zeros(40, np.int64) for f in engine.description.tuples.fields}
        table[time] = np.arange(40) * 10
        good = lists_of(engine.run(table))
        assert good[0]
        late = dict(table) | {time: np.array([500, 0, 510, 520, 900])}
        late |= {name: c[:5] for name, c in table.items() if name != time}
        engine.run(late)
        assert engine.last.dropped["late"] == 1
        assert lists_of(engine.run(table)) == good


@pytest.mark.regress
def test_tuples_that_are_lost(generated, cache):
    """A time window has more tuples of a key than the build has places.

    The error has the number of lost tuples and the rows, and the next run is not affected.
    """
    design, directory = generated("streamzip, time")
    places = design.parameters["window_max"]
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        time = engine.description.host["window"]["time"]
        table = {f.name: np.zeros(20, np.int64) for f in engine.description.tuples.fields}
        table[time] = np.arange(20) * 5
        good = lists_of(engine.run(table))
        assert good[0]
        crowded = {name: np.zeros(3 * places, np.int64) for name in table}
        crowded[time][-1] = 100
        with pytest.raises(
            OverrunError, match=r"were lost .*generate the design with more room"
        ) as e:
            engine.run(crowded)
        lost_count = engine.last.dropped["overrun"]
        assert lost_count
        assert str(e.value).startswith(f"{lost_count} were lost")
        assert e.value.rows["count(*)"].max() <= places
        assert lists_of(engine.run(table)) == good


@pytest.mark.in_turn(5)
def test_windows_that_are_too_large_for_their_rings(generated):
    """Two streams have the same tuples and 2 overflowed windows each; the error names 2, not 4."""
    _, directory = generated("streamzip")
    description = Description.read(directory)
    counted = {"tuples": 8, "rows": 0, "overflowed_windows": 4}
    with pytest.raises(OverflowedWindowError, match=r"^2 windows .*smaller expected_ratio") as e:
        check_counts(description, 8, [[], []], counted, "all rows")
    assert e.value.rows == "all rows"
    check_counts(description, 8, [[], []], counted | {"overflowed_windows": 0}, "all rows")


def test_tuples_or_rows_that_are_missing():
    """The first stream has packets of 3 rows and 1 row, and the second has a packet of 2 rows."""
    streams = [[np.zeros((3, 4), np.uint8), np.zeros((1, 4), np.uint8)], [np.zeros((2, 4))]]
    check_counts(None, 8, streams, {"tuples": 8, "rows": 6}, "all rows")
    with pytest.raises(DeviceError, match=r"^7 of 8 tuples have arrived in the engine: "):
        check_counts(None, 8, streams, {"tuples": 7, "rows": 6}, "all rows")
    with pytest.raises(DeviceError, match=r"^the counters began again at 0 during the stream: "):
        check_counts(None, 8, streams, {"tuples": -20, "rows": -2}, "all rows")
    with pytest.raises(DeviceError, match=r"^6 of 7 rows have come out: "):
        check_counts(None, 8, streams, {"tuples": 8, "rows": 7}, "all rows")


def test_tuples_that_are_lost_in_several_streams():
    """The tuples of one stream are told, and rounded up if the streams differ."""
    description = SimpleNamespace(counters=[{"name": "overrun", "doc": "had no room"}])
    counted = {"tuples": 8, "rows": 0, "overrun": 3}
    with pytest.raises(OverrunError, match=r"^2 were lost \(had no room\): ") as e:
        check_counts(description, 8, [[], []], counted, "all rows")
    assert e.value.rows == "all rows"


def test_counts_of_one_of_several_streams():
    """Counters keep the sum, and dropped tuples are those of WHERE, too."""
    names = {"late": True, "filtered": False, "rows": False}
    description = SimpleNamespace(counters=[{"name": n, "dropped": d} for n, d in names.items()])
    counted = {"tuples": 8, "rows": 6, "late": 2, "filtered": 4}
    run = Run.of(description, counted, 2, [], {})
    assert (run.tuples, run.rows, run.dropped) == (4, 3, {"late": 1, "filtered": 2})
    assert run.counters == counted


def test_evictions_of_several_streams():
    """The same tuples are sent once for each result, so the keys are evicted each time."""
    with pytest.raises(EvictionError, match=r"^3 times a key was evicted"):
        check_evictions({"collision": 6}, 2, None)


@pytest.mark.in_turn
def test_keys_that_are_evicted(generated, cache):
    """Forty keys in a table of eight entries raise an error, or are accepted by the option.

    Both have the rows and the evictions, and a later run with two keys is not affected.
    """
    _, directory = generated("streamzip")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        key = engine.description.host["rows"][1]
        table = {f.name: np.zeros(120, np.int64) for f in engine.description.tuples.fields}
        two_keys, forty_keys = (table | {key: np.arange(120) % keys} for keys in (2, 40))
        good = lists_of(engine.configure(ws=2, wa=1).run(two_keys))
        assert len(good[0]) == 118
        with pytest.raises(EvictionError, match=r"evicted .*more entries.*allow_evictions") as e:
            engine.run(forty_keys)
        eviction_count = sum(len(packet) for packet in engine.last.evicted)
        assert eviction_count > 80
        assert str(e.value).startswith(f"{eviction_count} times a key was evicted")
        assert lists_of(engine.run(forty_keys, allow_evictions=True)) == lists_of(e.value.rows)
        assert sum(len(packet) for packet in engine.last.evicted) == eviction_count
        assert lists_of(engine.run(two_keys)) == good
        assert lists_of(engine.run(two_keys, allow_evictions=True)) == good


class RowsOnly(CompiledSimulation):
    """Returns the rows alone: no network carries evicted keys."""

    def transfer(self, *arguments):
        return {"m_axis": super().transfer(*arguments)["m_axis"]}


@pytest.mark.in_turn(5)
def test_keys_that_are_evicted_behind_a_network(generated, cache):
    """The counter alone reports the evictions."""
    _, directory = generated("streamzip")
    columns = {name: np.arange(120) % (40 if name == "k" else 2) for name in ("k", "x", "y")}
    backend = RowsOnly(Description.read(directory), cache=cache / "bench")
    with Engine.open(directory, backend) as engine:
        engine.configure(ws=2, wa=1)
        with pytest.raises(EvictionError, match="times a key was evicted"):
            engine.run(columns)
        engine.run(columns, allow_evictions=True)
        assert not engine.last.evicted
        assert engine.last.counters["collision"] > 40
