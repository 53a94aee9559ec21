"""Runs the bench in cocotb that a generated directory has, in an environment without this project.

The environment has cocotb, cocotbext-axi, the packages that both require, and a simulator. The
tests run the commands of the README of the directory.
"""

import os
import re
import shutil
import subprocess
import venv
from importlib.metadata import distribution

import pytest

from gen.cocotb_bench.bench_files import bench_files
from gen.cocotb_bench.made_tuples import made_tuples
from gen.directory.design_files import design_files
from gen.directory.whole_directory import write_directory
from gen.jobs.expected_rows import expect
from sim import verilator
from sim.errors import ToolMissingError
from tb.gen.readmes import KINDS, build_of

pytestmark = [pytest.mark.hdl, pytest.mark.spark]

#: Packages of the empty environment; it also has the packages that these require.
PACKAGES = ("cocotb", "cocotbext-axi")
#: Designs that `make test` runs, each on one of six days: one with windows of time, and one whose
#: tuples come in frames.
DAILY = {("pane", ""), ("two-stacks", "network=true")}
#: A design of each engine, and of each kind of window and of store of the engine for keys.
ENGINES = (
    "group-by",
    "swag",
    "window-id",
    "pane",
    "two-stacks",
    "streamzip",
    "streamzip, base-delta",
    "streamzip, time",
)
#: Changes a comparison of the minimum: the least value becomes the greatest.
MUTATION = (r"(\$signed\([^()]*\)) < (?=\$signed)", r"\1 > ")
#: Tuples of a long run.
PAYLOADS = 2_000
#: The simulators of long runs: those that `make cocotb SIM=...` chooses, or both.
SIMULATORS = os.environ.get("SIM", "").split() or ["icarus", "verilator"]


def cases():
    """Returns kinds of designs that `test_many_tuples` lacks, and each engine with a network."""
    pairs = [(name, "") for name in KINDS if name not in ENGINES or (name, "") in DAILY]
    pairs += [(name, "network=true") for name in ENGINES]
    return [pytest.param(*p, marks=() if p in DAILY else pytest.mark.regress) for p in pairs]


def rare(*values):
    """Returns parameters of tests that only `make regress` runs."""
    return [pytest.param(value, marks=pytest.mark.regress) for value in values]


@pytest.fixture(scope="session")
def cache(request):
    """Returns the path of the cache, which keeps results between runs of the tests."""
    return request.config.rootpath / ".cache"


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """Returns the Python of an environment with `PACKAGES` only, copied from this environment."""
    place = tmp_path_factory.mktemp("empty") / "env"
    venv.create(place, with_pip=False, symlinks=True)
    (site,) = place.glob("lib/python*/site-packages")
    for package in with_requirements(PACKAGES):
        for file in package.files:
            if ".." in file.parts or "__pycache__" in file.parts:
                continue  # programs, which the bench does not call
            (site / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), site / file)
    return place / "bin" / "python"


def with_requirements(names):
    """Returns the distributions of packages and of their requirements."""
    distributions, names = {}, list(names)
    while names:
        name = names.pop()
        if name in distributions:
            continue
        distributions[name] = distribution(name)
        for requirement in distributions[name].requires or ():
            required, _, condition = requirement.partition(";")
            if not condition:  # other conditions are of an extra or of an old Python
                names.append(re.match(r"[\w.-]+", required)[0])
    return distributions.values()


def environment(python):
    """Returns the variables of a user who has activated the environment of ``python``.

    No variable of the tests is among them.
    """
    names = ("HOME", "LANG")
    result = {name: os.environ[name] for name in names if name in os.environ}
    result["PATH"] = f"{python.parent}:/usr/local/bin:/usr/bin:/bin"
    return verilator.find().environment(result)


def generated(name, face, cache, directory, count=None):
    """Writes the directory of a design, and returns its build and README."""
    options = {"network": True} if face else {}
    build = build_of(name, face=options)
    files = design_files(build, cache, bench=files_of(build, cache, count))
    write_directory(directory, files)
    return build, files


def files_of(build, cache, count=None):
    """Returns the files of the bench for made tuples."""

    def golden(query, tuples, start, codec):
        return expect(query, tuples, "local[2]", cache, start, codec=codec)

    return bench_files(build, made_tuples(build.design, count), golden)


def run(python, directory, name, simulator, **variables):
    """Runs the README's command for a simulator; returns the exit code and the output."""
    if simulator == "icarus" and shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    text = (directory / "README.md").read_text()
    (command,) = re.findall(rf"^    (python sim/test_\S+\.py {simulator})$", text, re.MULTILINE)
    assert f"sim/test_{name}.py" in command
    process = subprocess.run(
        [python, *command.split()[1:]],
        cwd=directory,
        env=environment(python) | variables,
        capture_output=True,
        text=True,
    )
    return process.returncode, process.stdout + process.stderr


def test_the_environment_has_no_package_of_the_project(python, tmp_path):
    for package in ("gen", "rtl", "golden", "sim", "query", "amaranth", "numpy", "pyspark"):
        process = subprocess.run(
            [python, "-c", f"import {package}"],
            cwd=tmp_path,
            env=environment(python),
            capture_output=True,
            text=True,
        )
        assert "ModuleNotFoundError" in process.stderr, package
    imports = [python, "-c", "import cocotb, cocotbext.axi"]
    subprocess.run(imports, cwd=tmp_path, env=environment(python), check=True)


@pytest.mark.parametrize(("name", "face"), cases())
def test_the_bench_passes(name, face, python, cache, tmp_path):
    build, files = generated(name, face, cache, tmp_path)
    rows = len(files[f"sim/{build.name}_rows.csv"].splitlines()) - 1
    assert rows >= 2
    code, said = run(python, tmp_path, build.name, "icarus", SEED="7")
    assert (code, said.count(f"PASS: {build.name}")) == (0, 1), said
    assert len(re.findall(rf"\b{rows} rows in \d+ packets are as expected", said)) == 2
    assert "stalls in 40 % of the cycles, SEED=7" in said


@pytest.mark.regress
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("two-stacks", {"bus_bits": 64}),
        ("two-stacks", {"bus": "vitis"}),
        ("pane", {"bus": "avalon"}),
        ("pane", {"packets": "beats:3"}),
        ("pane", {"packets": "window", "end_marker": True}),
    ],
)
def test_other_buses_and_packets(name, options, python, cache, tmp_path):
    build = build_of(name, face=options)
    write_directory(tmp_path, design_files(build, cache, bench=files_of(build, cache)))
    code, said = run(python, tmp_path, build.name, "icarus")
    assert (code, said.count(f"PASS: {build.name}")) == (0, 1), said


@pytest.mark.regress
@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("name", ENGINES)
def test_many_tuples(name, simulator, python, cache, tmp_path):
    build, files = generated(name, "", cache, tmp_path, PAYLOADS)
    assert len(files[f"sim/{build.name}_tuples.csv"].splitlines()) == PAYLOADS + 1
    code, said = run(python, tmp_path, build.name, simulator)
    assert (code, said.count(f"PASS: {build.name}")) == (0, 1), said


@pytest.mark.parametrize("part", ["Verilog", "row", *rare("counter", "packets")])
def test_a_difference_fails(part, python, cache, tmp_path):
    """The bench names the first row that differs, as expected and as received."""
    build, _ = generated("pane", "", cache, tmp_path)
    changed = CHANGES[part](tmp_path, build.name)
    code, said = run(python, tmp_path, build.name, "icarus")
    assert code != 0
    assert "FAIL: " in said
    assert f"PASS: {build.name}" not in said
    assert re.search(changed, said), said[-3000:]


def changed_verilog(directory, name):
    path = directory / f"{name}.v"
    text, count = re.subn(MUTATION[0], MUTATION[1], path.read_text(), count=1)
    assert count == 1
    path.write_text(text)
    return r"row \d+ differs\n\s+expected packet=0x"


def changed_row(directory, name):
    """Changes the last field of row 3."""
    path = directory / "sim" / f"{name}_rows.csv"
    lines = path.read_text().splitlines()
    fields = lines[4].split(",")
    names = lines[0].split(",")
    raw = int(fields[3], 0)
    lines[4] = ",".join([*fields[:3], f"{raw ^ 1:#x}", *fields[4:]])
    path.write_text("\n".join(lines) + "\n")
    field = re.escape(names[3])
    return rf"row 3 differs\n\s+expected .*{field}={raw ^ 1:#x}.*\n\s+received .*{field}={raw:#x}"


def changed_text(old, new, message):
    def change(directory, name):
        path = directory / "sim" / f"{name}_run.json"
        text, count = re.subn(old, new, path.read_text(), count=1)
        assert count == 1
        path.write_text(text)
        return message

    return change


CHANGES = {
    "Verilog": changed_verilog,
    "row": changed_row,
    "counter": changed_text(
        r'"late": \d+', '"late": 999', r"counter late must be 999, not [1-9]\d*"
    ),
    "packets": changed_text(
        r'"packets": (\d+)', r'"packets": 1\1', r"there must be 1\d+ packets, not \d+"
    ),
}


@pytest.mark.regress
def test_pytest_runs_the_bench(python, cache, tmp_path):
    """The README's line, in Icarus and with the pytest that cocotb requires."""
    _, files = generated("pane", "", cache, tmp_path)
    text = " ".join(files["README.md"].split())
    (command,) = re.findall(r"`SIM=verilator (SEED=7 pytest sim/test_\S+\.py)`", text)
    process = subprocess.run(
        command.replace("pytest", "SIM=icarus python -m pytest"),
        shell=True,
        cwd=tmp_path,
        env=environment(python),
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout
    assert "1 passed" in process.stdout
