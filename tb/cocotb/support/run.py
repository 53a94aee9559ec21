"""Runs a bench: writes the Verilog of its block, gets the rows, and starts the simulator."""

import json
import os
import shutil
import sys
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.check_results import get_results

from caching.place import default_folder
from gen.units.flat_ports import FlatPorts
from gen.units.registry import unit as unit_of
from gen.verilog.shipped_verilog import convert
from sim import simulators
from tb.cocotb.support.expected_rows import rows_directory

ROOT = Path(__file__).resolve().parents[3]
#: Folder of the waveforms and logs of failed runs.
FAILED = ROOT / "build" / "cocotb"
#: Hits of each bin, by block, point and bin, of the runs since :func:`take_coverage`.
_coverage = {}


def run_bench(bench, unit, point, simulator, directory):
    """Runs all cocotb tests of a bench on a block, and checks the coverage.

    The rows come from the function ``rows`` of the file ``<block>_rows.py`` beside the bench.

    Parameters
    ----------
    bench : str
        Module of the bench: ``__name__``.
    unit : str
        Name of the block, as in `sluice generate --unit`.
    point : dict
        Settings of the block that differ from their defaults.
    simulator : str
        "icarus" or "verilator".
    directory : Path
        Empty directory for the files of the run.

    Raises
    ------
    AssertionError
        When a cocotb test fails: with the failure, the seed, the waveform, and the command that
        repeats the run. Also when a bin of the coverage is not hit.
    """
    name = unit.replace("-", "_")
    settings, component = unit_of(unit, point)
    block = FlatPorts(component)
    cache = Path(default_folder())
    job = {
        "unit": unit,
        "point": settings,
        "ports": [asdict(port) for port in block.ports],
        "seed": int(os.environ.get("SEED", 0)),
        "rows": str(rows_directory(_rows_of(bench), settings)),
        "coverage": str(directory / "coverage.json"),
    }
    (directory / "bench.json").write_text(json.dumps(job))
    verilog = convert(block, name)
    build = simulators.build(verilog, name, simulator, cache / "cocotb")
    results = simulators.run_module(build, name, simulator, bench, directory, job["seed"])
    if (failed := _failures(results)) is not None:
        waves = "none, because of WAVES=0"
        if os.environ.get("WAVES") != "0":
            waves = _waveform(verilog, name, simulator, bench, directory, job["seed"])
        command = f"SIM={simulator} SEED={job['seed']} pytest -m '' {_selection(bench)}"
        raise AssertionError(f"{failed}\nwaveform: {waves}\nto repeat: {command}")
    _check_coverage(unit, json.loads(Path(job["coverage"]).read_text()))


def _rows_of(bench):
    return import_module(bench.replace(".test_", ".") + "_rows").rows


def _failures(results):
    """Returns the text of the failed tests, or None if all passed; no test at all is a failure."""
    if results is None or not results.is_file():
        return "the simulator ended without a result"
    count, failed = get_results(results)
    if count and not failed:
        return None
    if not failed:
        return "the bench has no cocotb test"
    failures = ElementTree.parse(results).iterfind(".//testcase[failure]")
    return "\n".join(
        f"{case.get('name')}: {case.find('failure').get('message')}" for case in failures
    )


def _waveform(verilog, name, simulator, bench, directory, seed):
    """Repeats a failed run with a record of all signals; returns the path of the FST file."""
    target = FAILED / f"{name}-{simulator}-{os.getpid()}-{int(time.time())}"
    target.mkdir(parents=True)
    with_waves = simulators.build_with_waves(verilog, name, simulator, target / "model")
    simulators.run_module(with_waves, name, simulator, bench, directory, seed, waves=True)
    for file in directory.iterdir():
        if file.is_file():
            shutil.copy(file, target)
    shutil.rmtree(target / "model")
    return next(iter([*target.glob("*.fst"), *target.glob("*.vcd")]), "none was written")


def _selection(bench):
    module = sys.modules.get(bench)
    file = Path(module.__file__) if module else Path(*bench.split(".")).with_suffix(".py")
    return file.relative_to(ROOT) if file.is_absolute() else file


def add_hits(table, hits):
    """Adds the hits of a run to a table of counts, both by block, point and bin."""
    for block, points in hits.items():
        for point, bins in points.items():
            counts = table.setdefault(block, {}).setdefault(point, {})
            for bin_, count in bins.items():
                counts[bin_] = counts.get(bin_, 0) + count


def take_coverage():
    """Returns the hits of the runs since the last call."""
    hits = dict(_coverage)
    _coverage.clear()
    return hits


def _check_coverage(unit, hits):
    """Remembers the hits, and raises AssertionError for bins without a hit."""
    add_hits(_coverage, {unit: hits})
    missing = [f"{point}: {b}" for point, bins in hits.items() for b, n in bins.items() if not n]
    assert hits, f"{unit} declares no coverage point"
    assert not missing, f"{unit}: no hit of {'; '.join(missing)}"
