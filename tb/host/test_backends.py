"""Checks each back end with two runs with different settings, without a reset between them."""

import pickle
import sys

import numpy as np
import pytest

from gen.design.build import resolve
from gen.directory.design_files import design_files
from gen.directory.whole_directory import write_directory
from golden.compare.tables import first_difference
from host import Engine
from host.description import Description
from sim import simulators
from sim.host_simulation import CompiledSimulation
from tb.host.stand_in import Buffer, Module
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: Settings of the second run, by the design.
RUNS = {
    "group-by": {},
    "swag": {"size": 8, "slide": 4},
    "pane": {"range": 20, "slide": 5, "slack": 0},
    "streamzip": {"size": 4, "slide": 2},
}

#: Designs that each run of the tests checks: their models are small, or other tests build them.
DAILY = {"pane"}


@pytest.fixture
def board(monkeypatch, cache):
    """Returns a function that installs a stand-in of `pynq` for a design's directory."""
    opened = []

    def put(directory, **faults):
        description = Description.read(directory)
        simulation = CompiledSimulation(description, cache=cache / "bench")
        opened.append(simulation)
        pynq = Module(simulation, description.streams, **faults)
        monkeypatch.setitem(sys.modules, "pynq", pynq)
        return pynq

    Buffer.allocated = 0
    yield put
    for simulation in opened:
        simulation.close()


def runs_of(design, settings, cache, count=60):
    """Yields the settings, the table and golden's rows of both runs."""
    for seed, changes in enumerate(({}, settings)):
        tuples = random_tuples(design, count, seed)
        values = design.settings.values | changes
        yield changes, tuples.table, expected(design, tuples, values, cache).rows


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in DAILY else pytest.mark.regress) for n in RUNS]
)
@pytest.mark.parametrize("late", [0, 5])
def test_pynq(generated, cache, board, name, late):
    """Rows are right, even if streams start late and packets arrive late."""
    design, directory = generated(name)
    pynq = board(directory, late=late)
    with Engine.open(directory, "pynq") as engine:
        for settings, table, rows in runs_of(design, RUNS[name], cache):
            received = engine.configure(**settings).run(table, raw=True)
            assert first_difference(rows, same_kinds(received, rows)) is None
            assert rows.num_rows
        assert Buffer.allocated
    assert pynq.bitfile == str(directory / f"{engine.description.name}.bit")
    # Each receive channel has a transfer in progress, so its buffer stays.
    channels = [name for name in engine.description.streams if name.startswith("m")]
    assert Buffer.allocated == len(channels)
    with Engine.open(directory, "pynq", overlay=pynq.overlay) as engine:
        received = engine.configure(**settings).run(table, raw=True)
        assert first_difference(rows, same_kinds(received, rows)) is None
    assert Buffer.allocated == len(channels)


@pytest.mark.in_turn
@pytest.mark.parametrize("drop", ["reset", "run"])
def test_pynq_drops_what_came_before(generated, cache, board, drop):
    """A packet that arrives outside of a run, for example after a reset, adds no row to a run."""
    design, directory = generated("pane")
    pynq = board(directory, late=2 if drop == "reset" else 0)
    with Engine.open(directory, "pynq") as engine:
        for settings, table, rows in runs_of(design, RUNS["pane"], cache):
            received = engine.configure(**settings).run(table, raw=True)
            assert first_difference(rows, same_kinds(received, rows)) is None
            pynq.logic.packets["m_axis"] += [np.zeros(engine.description.rows.bytes, np.uint8)]
            if drop == "reset":
                for _ in range(3):
                    engine.reset()
                assert not pynq.logic.packets["m_axis"]


@pytest.mark.regress
def test_an_engine_that_clears_its_table_for_long(cache, tmp_path):
    """No tuple passes for 16,384 cycles, more than a run of `sim.session` waits by default."""
    query = tmp_path / "q.cql"
    query.write_text(
        "CREATE INPUT STREAM S (k uint(32), x int);"
        "SELECT max(x) AS m FROM S [PARTITION BY k ROWS 2 SLIDE 2];"
    )
    directory = tmp_path / "made"
    build = resolve(query, options=["entries=65536"])
    write_directory(directory, design_files(build, cache))
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        rows = engine.run({"k": np.zeros(4, np.uint32), "x": np.array([3, 1, 2, 5])})
    assert rows["m"].tolist() == [3, 5]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "pane" else pytest.mark.regress) for n in RUNS]
)
def test_cocotb(generated, cache, tmp_path, name):
    design, directory = generated(name)
    description = Description.read(directory)
    verilog = (directory / f"{description.name}.v").read_text()
    model = simulators.build(verilog, description.name, "icarus", cache / "bench")
    runs = list(runs_of(design, RUNS[name], cache, count=40))
    job = [(settings, table) for settings, table, _ in runs]
    (tmp_path / "job").write_bytes(pickle.dumps((str(directory), job)))
    simulators.run_test(model, description.name, "icarus", "tb.host.cocotb_runs", tmp_path)
    received = pickle.loads((tmp_path / "outcome").read_bytes())
    # The last run is repeated after a transfer that did not end.
    for (_, _, rows), table in zip([*runs, runs[-1]], received, strict=True):
        assert first_difference(rows, same_kinds(table, rows)) is None
        assert rows.num_rows
