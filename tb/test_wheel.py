"""The wheel: built from the sources alone, installed where nothing of the project is, and run."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def told(*command, cwd):
    """What a command prints; it succeeds. Nothing of the tree is found by the environment."""
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [*map(str, command)]
    done = subprocess.run(command, cwd=cwd, env=rest, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Out of a copy, as a build leaves files beside its sources."""
    place = tmp_path_factory.mktemp("wheel")
    aside = shutil.ignore_patterns(".*", "build", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, place / "sources", ignore=aside)
    asks = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", place)
    told(sys.executable, "-m", "pip", *asks, ".", cwd=place / "sources")
    (made,) = place.glob("*.whl")
    shutil.rmtree(place / "sources")
    return made


def installed(wheel, place, *options, path=None):
    """The `bin` of a new environment that has the wheel."""
    venv.create(place, with_pip=False, symlinks=True)
    if path is not None:
        (site,) = place.glob("lib/python*/site-packages")
        (site / "others.pth").write_text(f"{path}\n")
    pip = (sys.executable, "-m", "pip", "--python", place / "bin" / "python", "install", "--quiet")
    told(*pip, *options, wheel, cwd=place)
    return place / "bin"


def check(tools, place):
    """It is the installed one that runs, by its script, far from the sources."""
    where = told(tools / "python", "-c", "import gen; print(gen.__file__)", cwd=place)
    assert Path(where).is_relative_to(tools.parent)
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert told(tools / "sluice", "--version", cwd=place).split()[-1] == known


def test_the_script_generates_what_it_does_here(wheel, tmp_path):
    """With the packages of this environment, none of which is ours."""
    tools = installed(
        wheel, tmp_path / "env", "--no-deps", "--no-index", path=sysconfig.get_path("purelib")
    )
    check(tools, tmp_path)
    query = ROOT / "examples" / "rows_trades.toml"
    for name, sluice in (
        ("there", tools / "sluice"),
        ("here", Path(sys.executable).parent / "sluice"),
    ):
        told(sluice, "generate", query, "--board", "generic", "-o", tmp_path / name, cwd=tmp_path)
    files = {p.relative_to(tmp_path / "here") for p in (tmp_path / "here").rglob("*")}
    assert files == {p.relative_to(tmp_path / "there") for p in (tmp_path / "there").rglob("*")}
    (verilog,) = (name for name in files if name.suffix == ".v")
    assert (tmp_path / "there" / verilog).read_bytes() == (tmp_path / "here" / verilog).read_bytes()


@pytest.mark.regress
def test_all_is_there_in_an_empty_environment(wheel, tmp_path):
    """All packages that it asks for come from the index; the demo has its own query and data."""
    tools = installed(wheel, tmp_path / "env")
    check(tools, tmp_path)
    found = json.loads(told(tools / "sluice", "demo", "--json", cwd=tmp_path))
    assert found["simulation"]["mismatches"] == 0
