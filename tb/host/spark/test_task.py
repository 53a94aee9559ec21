"""Checks which back end a task opens, and that it runs the design of the driver."""

import numpy as np
import pytest

from host import EvictionError, HostError
from host.description import Description
from host.run import Run
from host.spark import task as tasks
from host.spark.task import EngineTask, manifest_digest


class OpenedError(Exception):
    """Ends a run where the engine would open."""


@pytest.fixture
def opened(monkeypatch):
    """Returns the arguments of all calls of `Engine.open`, each of which ends the run."""
    calls = []

    def open_engine(directory, backend=None, **options):
        calls.append((directory, backend, options))
        raise OpenedError

    monkeypatch.setattr(tasks.Engine, "open", open_engine)
    return calls


@pytest.mark.parametrize(
    ("backend", "addresses", "expected"),
    [
        (None, (), None),
        (None, ("3",), "pynq"),
        ("simulation", ("3",), "simulation"),
        ("pynq", (), "pynq"),
        ("pynq", ("udp://10.0.0.7",), "pynq"),
    ],
)
def test_the_back_end_of_a_task(generated, opened, monkeypatch, backend, addresses, expected):
    _, directory = generated("two-stacks")
    monkeypatch.setattr(tasks, "_addresses", lambda: addresses)
    options = {"seconds": 3}
    task = EngineTask(str(directory), manifest_digest(str(directory)), {}, backend, options)
    with pytest.raises(OpenedError):
        task.run({})
    assert opened == [(str(directory), expected, options)]


@pytest.mark.parametrize("options", [{}, {"at": "udp://10.0.0.9"}])
@pytest.mark.parametrize("address", ["udp://10.0.0.7", "serial:///dev/ttyUSB0"])
def test_an_engine_with_a_host_link(generated, opened, monkeypatch, address, options):
    """Spark's address is used unless the options name one."""
    _, directory = generated("two-stacks")
    monkeypatch.setattr(tasks, "_addresses", lambda: (address,))
    task = EngineTask(str(directory), manifest_digest(str(directory)), {}, None, options)
    with pytest.raises(OpenedError):
        task.run({})
    assert opened == [(str(directory), None, {"at": address} | options)]


def test_a_function_gets_the_design_and_the_boards(generated, opened, monkeypatch):
    _, directory = generated("two-stacks")
    monkeypatch.setattr(tasks, "_addresses", lambda: ("5", "6"))
    task = EngineTask(str(directory), manifest_digest(str(directory)), {}, lambda *got: got)
    with pytest.raises(OpenedError):
        task.run({})
    [(_, (description, addresses), _)] = opened
    assert description == Description.read(directory)
    assert addresses == ("5", "6")


class UsedEngine:
    """Stands in for an engine in a network: it keeps an error bit until a reset.

    With ``results=select`` it sends two streams: the counters are those of both.
    """

    def __init__(self):
        counters = {"tuples": 4, "rows": 2, "late": 6, "stalls": 9}
        self.description, self.last = None, Run(2, 1, {"late": 3}, counters, (), {})
        self.calls, self.errors_left = [], {"memory_error": "an access failed"}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.calls.append("close")

    def errors(self):
        return self.errors_left

    def reset(self):
        self.calls.append("reset")
        self.errors_left = {}

    def configure(self, **settings):
        self.calls.append("configure")

    def run(self, columns, **options):
        assert not self.errors_left
        return {}


def test_an_error_of_an_earlier_program_is_cleared(generated, monkeypatch):
    """Otherwise no task could use the engine again. Without an error nothing is reset."""
    _, directory = generated("two-stacks")
    engine = UsedEngine()
    monkeypatch.setattr(tasks.Engine, "open", lambda *arguments, **options: engine)
    task = EngineTask(str(directory), manifest_digest(str(directory)), {})
    for _ in range(2):
        assert task.run({}) == ({}, {"tuples": 2, "rows": 1, "late": 3, "stalls": 9})
    assert engine.calls == ["reset", "configure", "close", "configure", "close"]


def test_outside_of_a_task_there_is_no_board():
    assert tasks._addresses() == ()


def test_a_directory_must_be_there_and_the_same(generated, tmp_path):
    _, directory = generated("two-stacks")
    with pytest.raises(HostError, match="has another manifest than on the driver"):
        EngineTask(str(directory), "0").run({})
    with pytest.raises(HostError, match="every machine must have the directory under this path"):
        EngineTask(str(tmp_path / "none"), "0").run({})


def simulated(directory, cache, settings, **options):
    """Returns the task of a design in simulation."""
    digest, folder = manifest_digest(str(directory)), {"cache": str(cache / "bench")}
    return EngineTask(str(directory), digest, settings, "simulation", folder, **options)


@pytest.mark.in_turn
@pytest.mark.hdl
def test_keys_that_the_table_evicts(generated, cache):
    """Three tuples of each of 40 keys, and a table of 8 entries: no key fills its second window.

    The task fails, except where evictions are accepted: then the counts have them.
    """
    _, directory = generated("streamzip")
    columns = {name: np.arange(120) % (40 if name == "k" else 2) for name in ("k", "x", "y")}
    with pytest.raises(EvictionError, match="times a key was evicted"):
        simulated(directory, cache, {"ws": 2, "wa": 1}).run(columns)
    task = simulated(directory, cache, {"ws": 2, "wa": 1}, allow_evictions=True)
    rows, counts = task.run(columns)
    assert counts["collision"] > 40
    assert counts["rows"] == len(rows["k"]) < 80


@pytest.mark.hdl
def test_the_start_in_fixed_point(generated, cache):
    """Of ``t fixed(6,3)`` the raw start 4 is the time 0.5: RANGE 2 from there ends at 2.5 or 20."""
    _, directory = generated("window-id, stream")
    task = simulated(directory, cache, {"range": 2, "slide": 2, "slack": 0})
    rows, _ = task.run({"t": np.array([4, 19, 20, 40])}, start=4)
    assert rows["window_end"].tolist()[0] == 20
    assert rows["count(*)"].tolist()[0] == 2
