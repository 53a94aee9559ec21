"""The host class on each of its back ends: two settings in a row, without any reset."""

import pickle
import sys

import numpy as np
import pytest

from golden.comparison import first_difference
from host import Engine
from host.description import Description
from sim import simulators
from sim.host_simulation import CompiledSimulation
from tb.host.stand_in import Buffer, Module
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: By the design, the second run's settings.
RUNS = {
    "group-by": {},
    "swag": {"size": 8, "slide": 4},
    "pane": {"range": 20, "slide": 5, "slack": 0},
    "streamzip": {"size": 4, "slide": 2},
}

#: These have their models from tests of the engine, or small ones.
DAILY = {"pane"}


@pytest.fixture
def board(monkeypatch, cache):
    """Puts a stand-in of `pynq` in place, of a design's directory; gives it."""
    opened = []

    def put(directory, **faults):
        told = Description.read(directory)
        simulation = CompiledSimulation(told, cache=cache / "bench")
        opened.append(simulation)
        pynq = Module(simulation, told.streams, **faults)
        monkeypatch.setitem(sys.modules, "pynq", pynq)
        return pynq

    Buffer.held = 0
    yield put
    for simulation in opened:
        simulation.close()


def runs_of(design, given, cache, count=60):
    """The settings, the tuples, and golden's rows of both runs."""
    for seed, numbers in enumerate(({}, given)):
        tuples = random_tuples(design, count, seed)
        settings = design.settings.values | numbers
        yield numbers, tuples.table, expected(design, tuples, settings, cache).rows


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in RUNS]
)
@pytest.mark.parametrize("late", [0, 5])
def test_pynq(generated, cache, board, name, late):
    """Also where streams begin late, and packets are in memory late."""
    design, directory = generated(name)
    pynq = board(directory, late=late)
    with Engine.open(directory, "pynq") as engine:
        for given, table, rows in runs_of(design, RUNS[name], cache):
            came = engine.configure(**given).run(table, raw=True)
            assert first_difference(rows, same_kinds(came, rows)) is None
            assert rows.num_rows
        assert Buffer.held
    assert pynq.bitfile == str(directory / f"{engine.description.name}.bit")
    assert Buffer.held == 0


@pytest.mark.parametrize("drop", ["reset", "run"])
def test_pynq_drops_what_came_before(generated, cache, board, drop):
    """A packet that came outside of a run, such as one that a reset cut, is no row of the next."""
    design, directory = generated("pane")
    pynq = board(directory, late=2 if drop == "reset" else 0)
    with Engine.open(directory, "pynq") as engine:
        for given, table, rows in runs_of(design, RUNS["pane"], cache):
            came = engine.configure(**given).run(table, raw=True)
            assert first_difference(rows, same_kinds(came, rows)) is None
            pynq.logic.packets["m_axis"] += [np.zeros(engine.description.rows.bytes, np.uint8)]
            if drop == "reset":
                for _ in range(3):
                    engine.reset()
                assert not pynq.logic.packets["m_axis"]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "pane" else pytest.mark.regress) for n in RUNS]
)
def test_cocotb(generated, cache, tmp_path, name):
    design, directory = generated(name)
    told = Description.read(directory)
    verilog = (directory / f"{told.name}.v").read_text()
    model = simulators.build(verilog, told.name, "icarus", cache / "bench")
    runs = list(runs_of(design, RUNS[name], cache, count=40))
    job = [(given, table) for given, table, _ in runs]
    (tmp_path / "job").write_bytes(pickle.dumps((str(directory), job)))
    simulators.run_test(model, told.name, "icarus", "tb.host.cocotb_runs", tmp_path)
    came = pickle.loads((tmp_path / "outcome").read_bytes())
    for (_, _, rows), found in zip(runs, came, strict=True):
        assert first_difference(rows, same_kinds(found, rows)) is None
        assert rows.num_rows
